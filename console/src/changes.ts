import { type Entry, type FieldChange } from './proposals.js';

/** Fields in words, in the order in which they are shown. */
const FIELDS = new Map([
  ['from_node_id', 'From'],
  ['from_ref', 'From'],
  ['relationship_type', 'Connection'],
  ['to_node_id', 'To'],
  ['to_ref', 'To'],
  ['title', 'Title'],
  ['value', 'Text'],
  ['node_type', 'Kind'],
  ['tags', 'Tags'],
  ['metadata', 'Facts'],
  ['schema_id', 'Schema'],
  ['meaning_level', 'Level of meaning'],
  ['importance_score', 'Importance'],
  ['agent_metadata', 'Written by'],
  ['last_modified_by_agent_id', 'Written by'],
  ['context', 'More about it'],
  ['bidirectional', 'Holds both ways'],
  ['emotion_type', 'Emotion'],
]);

/** A field in words for people. A path into the facts of a note is in quotation marks: its words are the app's. */
export function wordsOf(field: string): string {
  const known = FIELDS.get(field);
  if (known !== undefined) return known;
  const [first = '', ...rest] = field.split('.');
  if (rest.length > 0 && FIELDS.has(first))
    return `${FIELDS.get(first)} “${rest.join('.').replace(/^properties\./, '')}”`;
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const ORDER = [...FIELDS.keys()];
const placeIn = (field: string): number => (FIELDS.has(field) ? ORDER.indexOf(field) : ORDER.length);

/** The fields of an entry in one order; the service has them as the app does. */
export const inOrder = (fields: readonly FieldChange[]): FieldChange[] =>
  [...fields].sort((one, other) => placeIn(one.field) - placeIn(other.field));

/** The reason why an entry could not be applied now. */
export function problemOf({ error, entity }: Entry): string | null {
  if (error === null) return null;
  if (error === 'VALIDATION_ERROR')
    return 'This would move more connections than one suggestion may move. It will not be made.';
  return entity === 'node'
    ? 'The note is not there, or no longer. This will not be made.'
    : 'The connection, or a note at its end, is not there. This will not be made.';
}

const ACTIONS: Record<string, string> = {
  CREATE_NODE: 'A new note',
  UPDATE_NODE: 'The change of a note',
  DELETE_NODE: 'The deletion of a note',
  MERGE_NODES: 'The merge of notes',
  CREATE_RELATIONSHIP: 'A new connection',
  UPDATE_RELATIONSHIP: 'The change of a connection',
  DELETE_RELATIONSHIP: 'The removal of a connection',
  ADD_TAGS: 'The new tags of a note',
  REMOVE_TAGS: 'The removal of tags',
};

/** A refused action in a sentence. */
export function refusalOf({ type, code }: { type: string; code: string }): string {
  const what = ACTIONS[type] ?? 'A part';
  switch (code) {
    case 'CONFLICT':
      return `${what}: something was written there after this was suggested.`;
    case 'NODE_NOT_FOUND':
    case 'NOT_FOUND':
      return `${what}: what it is about is not there, or no longer.`;
    case 'NOT_APPLIED':
      return `${what}: a part that belongs to it could not be applied.`;
    default:
      return `${what}: your graph does not take it in this form.`;
  }
}

/** Texts of a suggestion beside its changes, by the beginning of their path in a warning. */
const OWN_TEXTS = [
  ['title', 'The name of the suggestion'],
  ['description', 'The reason of the app'],
  ['reasoning_metadata', 'What the app says of itself'],
] as const;

/** The place of a warning in words, such as `Change 2, Text`. */
export function placeOf(path: string, entries: readonly Entry[]): string {
  const own = OWN_TEXTS.find(([beginning]) => path.startsWith(beginning));
  if (own !== undefined) return own[1];
  const [, entry = '0', field] = /^entries\.(\d+)(?:\.fields\.(\d+))?/.exec(path) ?? [];
  const name = field === undefined ? undefined : entries[Number(entry)]?.fields[Number(field)]?.field;
  const change = `Change ${Number(entry) + 1}`;
  return name === undefined ? change : `${change}, ${wordsOf(name)}`;
}
