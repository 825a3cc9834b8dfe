import { type Chance } from '../properties/random.js';
import { WORDS } from './words.js';

/** Callers for whom the worlds differ only within the nodes that they see: in fields, and parts of fields. */
export const INNER_SUBJECTS = [
  'masked app',
  'nulled app',
  'ending app',
  'hashed app',
  'pseudonymous app',
  'redacted app',
  'truncated app',
  'brief app',
  'bare app',
  'labelled app',
  'labelled ending app',
  'typed app',
  'proposing app',
  'masked member',
  'labelled member',
  "receiver's masked app",
] as const;

export type InnerSubject = (typeof INNER_SUBJECTS)[number];

/**
 * The tag or type to which a mask is bound. The owner puts the binding on a node and takes it off in the course of a
 * story.
 */
export type Binding = 'tag' | 'type' | null;

/** The node type that a mask for one type applies to. */
export const MASKED_TYPE = 'measurement';
export const OPEN_TYPE = 'note';

export const bindingOf = (subject: string): Binding =>
  subject.startsWith('labelled') ? 'tag' : subject === 'typed app' ? 'type' : null;

const PIN = 'metadata.properties.pin';
const HIDDEN_PATHS = ['value', PIN, 'metadata.secret'];

const mask = (paths: string[], strategy = 'remove', apply_to?: object): object => ({
  type: 'field_mask',
  config: { paths, strategy },
  ...(apply_to === undefined ? {} : { apply_to }),
});

/** The detail level and the transformations of a profile; `spare` is the tag of the labelled subjects. */
export function innerRules(subject: InnerSubject, spare: string): Record<string, unknown> {
  switch (subject) {
    case 'nulled app':
      return { transformations: [mask(HIDDEN_PATHS, 'null')] };
    case 'ending app':
      return { transformations: [mask(['value', PIN], 'last4'), mask(['metadata.secret'])] };
    case 'hashed app':
      return { transformations: [mask(['value', 'metadata.secret']), mask([PIN], 'hash')] };
    case 'pseudonymous app':
      return {
        transformations: [
          mask(['value', 'metadata.secret']),
          { type: 'pseudonymize', config: { paths: [PIN] } },
        ],
      };
    case 'redacted app':
      return {
        transformations: [
          { type: 'pii_redaction', config: { entities: ['email'] }, apply_to: { fields: ['value', PIN] } },
          mask(['metadata.secret']),
        ],
      };
    case 'truncated app':
      return {
        transformations: [
          { type: 'truncate', config: { field: 'value', max: 5 } },
          mask([PIN, 'metadata.secret']),
        ],
      };
    case 'brief app':
      return { max_detail_level: 'summary' };
    case 'bare app':
      return { max_detail_level: 'minimal' };
    case 'labelled ending app':
      return {
        transformations: [
          mask(['value', PIN], 'last4', { tag_ids: [spare] }),
          mask(['metadata.secret'], 'remove', { tag_ids: [spare] }),
        ],
      };
    case 'labelled app':
    case 'labelled member':
      return { transformations: [mask(HIDDEN_PATHS, 'remove', { tag_ids: [spare] })] };
    case 'typed app':
      return { transformations: [mask(HIDDEN_PATHS, 'remove', { node_types: [MASKED_TYPE] })] };
    default:
      return { transformations: [mask(HIDDEN_PATHS)] };
  }
}

/** The fields of a node that its owner changes in secret, and the pin among them. */
export interface HiddenFields {
  body: Record<string, unknown>;
  pin: unknown;
}

/**
 * Hidden fields with values that no other version has, in neither world: an equal value would make no version, which is
 * the accepted oracle of rule 4.1. The part of them that the subject is shown is the same for every draw.
 */
export function hiddenFields(subject: InnerSubject, chance: Chance, number: number): HiddenFields {
  const text = `${chance.pick(WORDS).slice(0, 5)}${number}`;
  const { value, pin } = valuesOf(subject, text, chance.once(4) ? 1000 * chance.below(9) + number : text);
  const metadata = { secret: { [text]: text }, properties: { pin } };
  const title = subject === 'bare app' ? { title: text } : {};
  return { body: { value, metadata, ...title }, pin };
}

function valuesOf(subject: InnerSubject, text: string, pin: unknown): { value: string; pin: unknown } {
  switch (subject) {
    case 'ending app':
    case 'labelled ending app':
      return { value: `${text} end.`, pin: `${text} end.` };
    case 'redacted app':
      return { value: `write to ${text}@example.org today`, pin: `${text}@example.org` };
    case 'truncated app':
      return { value: `quiet ${text}`, pin };
    default:
      return { value: text, pin };
  }
}
