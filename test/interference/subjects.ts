import { RAW_FILE_SCHEMA_ID } from '../../src/privacy/domain/system-schemas.js';
import { someTags } from '../support/defaults.js';
import { INNER_SUBJECTS, innerRules, type InnerSubject } from './inner-subjects.js';

/** The callers to whom both worlds must look the same. */
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

export type Subject = (typeof SUBJECTS)[number] | InnerSubject;

export const isInner = (subject: Subject): subject is InnerSubject =>
  (INNER_SUBJECTS as readonly Subject[]).includes(subject);
export const isMember = (subject: Subject): boolean => subject.endsWith('member');

export const isApp = (subject: Subject): boolean => subject.endsWith(' app') && !isReceiversApp(subject);
/** An app of a person with whom Alice shares. */
export const isReceiversApp = (subject: Subject): boolean => /^receiver's .*app$/.test(subject);
/** Callers that have a key; all others are persons. */
export const hasKey = (subject: Subject): boolean => subject.endsWith(' app');

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

/** The same fields of a relationship between such nodes. */
export function secretEdgeFields(subject: Subject, text: () => string): Record<string, unknown> | null {
  if (subject === 'summary app') return { context: text() };
  if (subject === 'minimal app') return { context: text(), relationship_type: text(), emotion_type: text() };
  return null;
}

/** The same fields of tags, each with its id. */
export function secretTagFields(
  subject: Subject,
  { shown, named, kept }: Tagging,
  text: () => string,
): [string, Record<string, unknown>][] {
  if (isInner(subject) || !isApp(subject) || subject === 'stranger app') return [];
  const fields: [string, Record<string, unknown>][] = [
    [named, { description: text(), category: text() }],
    [shown, { parent_tag_id: kept }],
    [shown, { parent_tag_id: null }],
  ];
  if (subject === 'summary app') fields.push([shown, { description: text() }]);
  if (subject === 'minimal app') fields.push([shown, { description: text(), category: text() }]);
  return fields;
}

const REDACTING = [
  { type: 'pii_redaction', config: { entities: ['email'] } },
  { type: 'field_mask', config: { paths: ['metadata.secret'], strategy: 'remove' } },
];

export interface Tagging {
  /** Hidden from subjects who see by their tags. */
  kept: string;
  shown: string;
  spare: string;
  banned: string;
  /** Known by its name, and of no use. */
  named: string;
}

/** The profile of this app in Alice's graph. */
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
      ...(subject === 'proposing app'
        ? {}
        : { edit: grant, create: { ...grant, allow_new: true }, delete: grant }),
    },
    ...(subject === 'redacting app' ? { transformations: REDACTING } : {}),
    ...(subject === 'summary app' ? { max_detail_level: 'summary' } : {}),
    ...(subject === 'minimal app' ? { max_detail_level: 'minimal' } : {}),
    ...(isInner(subject) ? innerRules(subject, spare) : {}),
  };
}
