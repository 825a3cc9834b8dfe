import { createHash } from 'node:crypto';
import type { ImportedNode } from './imported-graph.js';

/** The part of a stored node that an import decides about. Tags are ids here. */
export interface NodeState {
  title: string;
  value: string | null;
  node_type: string;
  meaning_level: 'DATA' | 'CONTEXT' | 'IDENTITY';
  metadata: Record<string, unknown> | null;
  tag_ids: readonly string[];
}

/** What an imported node keeps in `metadata.source`, so that the next import finds it and sees what changed since. */
export interface ImportMark {
  importer: string;
  /** Opaque on purpose: a path would tell apps the names of folders, which are tags that they may not see. */
  ref: string;
  /** The node's version in which it was exactly what the source said. */
  version: number;
}

/**
 * The reason that the change log keeps for what an import wrote. By it the next import knows its own relationships:
 * a list of them in the node's metadata would tell apps of nodes that they may not see.
 */
export const importReason = (collection: string): string => `import of ${collection}`;

/** The stored form of a parser's ref. The same ref in another collection is another node. */
export function markOf(collection: string, ref: string): string {
  return marksOf(collection) + digest(`${collection}\0${ref}`).slice(0, 22);
}

/** What every mark of a collection begins with. */
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

/** Whether two states say the same; the order of tags and the version in the mark say nothing. */
export function sameState(a: NodeState, b: NodeState): boolean {
  return canonical(comparable(a)) === canonical(comparable(b));
}

/**
 * The state that keeps what was changed in the service since the last import, and takes from the source what was
 * changed there since. Where both changed the same field, or the same property, the source wins: history keeps the
 * other. A node never loses its last tag (decisions 4.5).
 * @param last what the last import wrote, `next` what this one asks for
 */
export function rebase(last: NodeState, current: NodeState, next: NodeState): NodeState {
  const pick = <F extends keyof NodeState>(field: F): NodeState[F] =>
    same(last[field], next[field]) ? current[field] : next[field];
  const tags = rebaseTags(last.tag_ids, current.tag_ids, next.tag_ids);
  return {
    title: pick('title'),
    value: pick('value'),
    node_type: pick('node_type'),
    meaning_level: pick('meaning_level'),
    metadata: {
      ...current.metadata,
      properties: rebaseProperties(propertiesOf(last), propertiesOf(current), propertiesOf(next)),
      source: next.metadata?.source,
    },
    tag_ids: tags.length === 0 ? current.tag_ids : tags,
  };
}

function rebaseTags(last: readonly string[], current: readonly string[], next: readonly string[]): string[] {
  const kept = current.filter((id) => next.includes(id) || !last.includes(id));
  return [...kept, ...next.filter((id) => !last.includes(id) && !kept.includes(id))];
}

type Properties = Record<string, unknown>;

function rebaseProperties(last: Properties, current: Properties, next: Properties): Properties {
  const result = { ...current };
  for (const key of new Set([...Object.keys(last), ...Object.keys(next)])) {
    if (same(last[key], next[key])) continue;
    if (key in next) result[key] = next[key];
    else delete result[key];
  }
  return result;
}

function propertiesOf({ metadata }: NodeState): Properties {
  const properties = metadata?.['properties'];
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? (properties as Properties)
    : {};
}

/** Of whatever has a state only the state. */
function comparable({ title, value, node_type, meaning_level, metadata, tag_ids }: NodeState): unknown {
  const source = metadata?.['source'];
  const marked = typeof source === 'object' && source !== null ? { ...source, version: null } : source;
  const known = metadata && { ...metadata, source: marked };
  return { title, value, node_type, meaning_level, metadata: known, tag_ids: [...tag_ids].sort() };
}

function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

/** JSON with the keys in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
