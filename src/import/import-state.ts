import { createHash } from 'node:crypto';
import { IMPORT_REASON } from '../kernel/change-log/reasons.js';
import type { ImportedNode } from './imported-graph.js';

/** The part of a stored node that an import changes. Tags are ids here. */
export interface NodeState {
  title: string;
  value: string | null;
  node_type: string;
  meaning_level: 'DATA' | 'CONTEXT' | 'IDENTITY';
  metadata: Record<string, unknown> | null;
  tag_ids: readonly string[];
}

/**
 * The mark of an imported node in `metadata.source`, by which the next import finds it and sees what has
 * changed.
 */
export interface ImportMark {
  importer: string;
  /**
   * Opaque on purpose: a path would reveal to apps the names of folders, which are tags that may be hidden
   * from them.
   */
  ref: string;
  /**
   * The node's version that this import made; its snapshot is the source's state where no other state is
   * stored.
   */
  version: number;
}

/**
 * The reason in the change log for everything that an import wrote. By it the next import recognises its
 * own relationships: a list of them in the node's metadata would reveal hidden nodes to apps.
 */
export const importReason = (collection: string): string => IMPORT_REASON + collection;

/** The stored form of a parser's ref. The same ref in another collection is another node. */
export function markOf(collection: string, ref: string): string {
  return marksOf(collection) + digest(`${collection}\0${ref}`).slice(0, 22);
}

/** The prefix of all marks of a collection. */
export function marksOf(collection: string): string {
  return `${digest(collection).slice(0, 6)}.`;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The state that the source asks for. */
export function stateOf(node: ImportedNode, mark: ImportMark, tagIds: readonly string[]): NodeState {
  const { properties, source } = node.metadata;
  return {
    title: node.title,
    value: node.value,
    node_type: node.node_type,
    meaning_level: node.meaning_level,
    metadata: { properties, source: { ...source, ...mark } },
    tag_ids: tagIds,
  };
}

/**
 * True if two states are equal, apart from the order of tags, the version in the mark and the name of the
 * folder.
 */
export function sameState(a: NodeState, b: NodeState): boolean {
  return canonical(comparable(a)) === canonical(comparable(b));
}

/**
 * A node's state in the source: hashes, because only differences count. Stored beside the node, not in it.
 */
export interface SourceState {
  title: string;
  value: string;
  node_type: string;
  meaning_level: string;
  properties: Readonly<Record<string, string>>;
  /** Tags from the source. */
  tag_ids: readonly string[];
  /** Added by an option of the command, in this import or an earlier one. */
  added_tag_ids: readonly string[];
}

/** The known state of the last import. */
export interface LastState extends SourceState {
  /** False where tags from options and from the source cannot be distinguished: then no tag is removed. */
  knowsTags: boolean;
}

export function sourceStateOf(asked: NodeState, addedTagIds: readonly string[]): SourceState {
  const hashed = ([key, value]: [string, unknown]): [string, string] => [key, hash(value)];
  return {
    title: hash(asked.title),
    value: hash(asked.value),
    node_type: hash(asked.node_type),
    meaning_level: hash(asked.meaning_level),
    properties: Object.fromEntries(Object.entries(propertiesOf(asked)).map(hashed)),
    tag_ids: [...asked.tag_ids].sort(),
    added_tag_ids: [...addedTagIds].sort(),
  };
}

/** The last state of a node whose import stored none: a node of an earlier version of the service. */
export function stateWithoutTags(state: NodeState): LastState {
  return { ...sourceStateOf(state, state.tag_ids), knowsTags: false };
}

/** Reads a stored state; it can have any shape, because it may come from an archive. */
export function lastStateOf(stored: Record<string, unknown>): LastState {
  const text = (field: string): string => (typeof stored[field] === 'string' ? stored[field] : '');
  const ids = (field: string): string[] => {
    const list = stored[field];
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [];
  };
  return {
    title: text('title'),
    value: text('value'),
    node_type: text('node_type'),
    meaning_level: text('meaning_level'),
    properties: asObject(stored['properties']) as Record<string, string>,
    tag_ids: ids('tag_ids'),
    added_tag_ids: ids('added_tag_ids'),
    knowsTags: true,
  };
}

export const sameSource = (a: SourceState, b: SourceState): boolean =>
  hash({ ...a, knowsTags: true }) === hash({ ...b, knowsTags: true });

/**
 * Merges changes from the service and the source since the last import. Where both changed the same field,
 * or the same property, the source wins and history keeps the other. Only tags and properties that came
 * from the source and are no longer in it are removed: never a tag of an option, a tag or property that a
 * person added or changed, or the last tag (rule 4.5).
 * @param next the new state of the source, `added` the tags of this run's option
 */
export function rebase(
  last: LastState,
  current: NodeState,
  { next, added }: { next: NodeState; added: readonly string[] },
): NodeState {
  const pick = <F extends 'title' | 'value' | 'node_type' | 'meaning_level'>(field: F): NodeState[F] =>
    last[field] === hash(next[field]) ? current[field] : next[field];
  const tags = rebaseTags(last, current.tag_ids, { next: next.tag_ids, added });
  return {
    title: pick('title'),
    value: pick('value'),
    node_type: pick('node_type'),
    meaning_level: pick('meaning_level'),
    metadata: {
      ...current.metadata,
      properties: rebaseProperties(last.properties, propertiesOf(current), propertiesOf(next)),
      source: next.metadata?.source,
    },
    tag_ids: tags.length === 0 ? current.tag_ids : tags,
  };
}

/** Tags of the last import that are missing now were removed by a person: they are not added again. */
export function rebaseTags(
  last: LastState,
  current: readonly string[],
  { next, added }: { next: readonly string[]; added: readonly string[] },
): string[] {
  const isDropped = (id: string): boolean =>
    last.knowsTags && last.tag_ids.includes(id) && ![...next, ...added, ...last.added_tag_ids].includes(id);
  const kept = current.filter((id) => !isDropped(id));
  const fresh = [
    ...next.filter((id) => !last.tag_ids.includes(id)),
    ...added.filter((id) => !last.added_tag_ids.includes(id)),
  ];
  return [...new Set([...kept, ...fresh])];
}

type Properties = Record<string, unknown>;

function rebaseProperties(
  last: Readonly<Record<string, string>>,
  current: Properties,
  next: Properties,
): Properties {
  const result = { ...current };
  for (const [key, value] of Object.entries(next)) if (last[key] !== hash(value)) result[key] = value;
  for (const [key, value] of Object.entries(current))
    if (!Object.hasOwn(next, key) && last[key] === hash(value)) delete result[key];
  return result;
}

const propertiesOf = ({ metadata }: NodeState): Properties => asObject(metadata?.['properties']);

const asObject = (value: unknown): Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Properties) : {};

/** A hash of text, or of any JSON with its keys in order. */
export const hash = (value: unknown): string => digest(canonical(value) ?? '').slice(0, 22);

/** The compared parts of a state: the mark without version and vault, the tags sorted. */
function comparable({ title, value, node_type, meaning_level, metadata, tag_ids }: NodeState): unknown {
  const source = metadata?.['source'];
  const marked =
    typeof source === 'object' && source !== null ? { ...source, version: null, vault: null } : source;
  const known = metadata && { ...metadata, source: marked };
  return { title, value, node_type, meaning_level, metadata: known, tag_ids: [...tag_ids].sort() };
}

/** JSON with the keys in order. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
