import { RAW_FILE_SCHEMA_ID } from '../../src/privacy/domain/system-schemas.js';
import { someTags } from '../support/defaults.js';

/** Those for whose eyes both worlds must be one. */
export const SUBJECTS = [
  'narrow app',
  'redacting app',
  'summary app',
  'minimal app',
  'receiver',
  "receiver's app",
  'follower',
  'member',
  'outsider',
  'stranger app',
] as const;

/** Those for whom the worlds differ only within the nodes that they see: in fields, and parts of fields. */
export const INNER_SUBJECTS = [
  'masked app',
  'nulled app',
  'brief app',
  'bare app',
  'labelled app',
  'typed app',
  'masked member',
] as const;

export type Subject = (typeof SUBJECTS)[number] | (typeof INNER_SUBJECTS)[number];

export const isInner = (subject: Subject): boolean =>
  (INNER_SUBJECTS as readonly Subject[]).includes(subject);
export const isMember = (subject: Subject): boolean => subject.endsWith('member');

export const isApp = (subject: Subject): boolean =>
  subject.endsWith(' app') && !subject.startsWith('receiver');

/** Fields of a node this subject sees in which the worlds may differ. */
export function secretFields(subject: Subject, text: () => string): Record<string, unknown> | null {
  const secret = text();
  if (subject === 'redacting app')
    return {
      value: `write to ${secret}@example.org today`,
      metadata: { open: 'sea', secret: { [text()]: secret } },
    };
  if (subject === 'summary app') return { value: secret, metadata: { [text()]: secret } };
  if (subject === 'minimal app') return { title: secret, value: text(), metadata: { name: secret } };
  return null;
}

const REDACTING = [
  { type: 'pii_redaction', config: { entities: ['email'] } },
  { type: 'field_mask', config: { paths: ['metadata.secret'], strategy: 'remove' } },
];

/** Parts of a node that no inner subject is shown. */
const HIDDEN_PATHS = ['value', 'metadata.properties.pin', 'metadata.secret'];
/** The type of the nodes that a mask for one type is about. */
export const MASKED_TYPE = 'measurement';

function innerRules(subject: Subject, { spare }: Tagging): Record<string, unknown> {
  const mask = (more: object = {}, strategy = 'remove') => ({
    transformations: [{ type: 'field_mask', config: { paths: HIDDEN_PATHS, strategy }, ...more }],
  });
  switch (subject) {
    case 'masked app':
    case 'masked member':
      return mask();
    case 'nulled app':
      return mask({}, 'null');
    case 'brief app':
      return { max_detail_level: 'summary' };
    case 'bare app':
      return { max_detail_level: 'minimal' };
    case 'labelled app':
      return mask({ apply_to: { tag_ids: [spare] } });
    case 'typed app':
      return mask({ apply_to: { node_types: [MASKED_TYPE] } });
    default:
      return {};
  }
}

export interface Tagging {
  shown: string;
  spare: string;
  banned: string;
  /** Known by its name, and of no use. */
  named: string;
}

/** What Alice's profile lets this app see and do. */
export function profileFor(subject: Subject, tagging: Tagging): Record<string, unknown> {
  const { shown, spare, banned, named } = tagging;
  const grant = someTags(shown, spare);
  const schema_ids = ['__freeform__', RAW_FILE_SCHEMA_ID];
  const some = { read: { schema_ids }, write: { schema_ids } };
  const all = { read: { allow_all: true }, write: { allow_all: true } };
  return {
    name: 'for the app',
    schema_permissions: isInner(subject) ? all : some,
    excluded_tag_ids: [banned],
    excluded_node_types: ['diary'],
    tag_permissions: {
      discover: someTags(shown, spare, named),
      read: grant,
      propose: grant,
      edit: grant,
      create: { ...grant, allow_new: true },
      delete: grant,
    },
    ...(subject === 'redacting app' ? { transformations: REDACTING } : {}),
    ...(subject === 'summary app' ? { max_detail_level: 'summary' } : {}),
    ...(subject === 'minimal app' ? { max_detail_level: 'minimal' } : {}),
    ...innerRules(subject, tagging),
  };
}
