import { isId } from '../../kernel/ids.js';
import { nodeTypeKey } from './node-type.js';

/** The entry for nodes without a schema in lists of schema ids. */
export const FREEFORM = '__freeform__';

/** The facts of a node that rules look at. `tagIds` includes ids of deleted tags (rule 3.11). */
export interface NodeFacts {
  id: string;
  tagIds: readonly string[];
  schemaId: string | null;
  nodeType: string;
  createdAt: Date;
}

/**
 * An expression for a set of nodes with two evaluations, {@link sees} and the SQL compiler. Lists, counts,
 * single reads and history all use it, so that they cannot disagree. Made by {@link visibility} only, which
 * keeps it simple: no `all` or `none` below the top, no `and` in an `and`, no empty list, ids in lower case.
 */
export type Visibility =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and'; readonly parts: readonly Visibility[] }
  | { readonly kind: 'or'; readonly parts: readonly Visibility[] }
  | { readonly kind: 'not'; readonly part: Visibility }
  | { readonly kind: 'tagged-any'; readonly tagIds: readonly string[] }
  | { readonly kind: 'tagged-all'; readonly tagIds: readonly string[] }
  | { readonly kind: 'untagged' }
  /** Types as they were written; compared by their keys (rule 3.5). */
  | { readonly kind: 'type-in'; readonly types: readonly string[] }
  /** `__freeform__` stands for no schema. */
  | { readonly kind: 'schema-in'; readonly schemaIds: readonly string[] }
  /** The range includes both ends; null is open. */
  | { readonly kind: 'created-between'; readonly from: Date | null; readonly to: Date | null }
  | { readonly kind: 'id-in'; readonly ids: readonly string[] };

const ALL: Visibility = { kind: 'all' };
const NONE: Visibility = { kind: 'none' };

const unique = (values: Iterable<string>): string[] => [...new Set(values)];
const idsIn = (values: Iterable<string>): string[] =>
  unique(
    Array.from(values)
      .filter(isId)
      .map((id) => id.toLowerCase()),
  );

/** Constructors. An expression that can never match becomes `none` at once; malformed ids match nothing. */
export const visibility = {
  all: ALL,
  none: NONE,

  /** No parts: all. */
  and: (...given: Visibility[]): Visibility => {
    const parts = given.flatMap((part) =>
      part.kind === 'and' ? part.parts : part.kind === 'all' ? [] : [part],
    );
    if (parts.some(({ kind }) => kind === 'none')) return NONE;
    return parts.length > 1 ? { kind: 'and', parts } : (parts[0] ?? ALL);
  },

  /** No parts: none. */
  or: (...given: Visibility[]): Visibility => {
    const parts = given.flatMap((part) =>
      part.kind === 'or' ? part.parts : part.kind === 'none' ? [] : [part],
    );
    if (parts.some(({ kind }) => kind === 'all')) return ALL;
    return parts.length > 1 ? { kind: 'or', parts } : (parts[0] ?? NONE);
  },

  not: (part: Visibility): Visibility => {
    if (part.kind === 'all') return NONE;
    if (part.kind === 'none') return ALL;
    return part.kind === 'not' ? part.part : { kind: 'not', part };
  },

  /** At least one of these tags. */
  taggedAny: (tagIds: Iterable<string>): Visibility => {
    const ids = idsIn(tagIds);
    return ids.length === 0 ? NONE : { kind: 'tagged-any', tagIds: ids };
  },

  /** All of these tags; an empty list matches every node. */
  taggedAll: (tagIds: Iterable<string>): Visibility => {
    const given = unique(tagIds);
    const ids = idsIn(given);
    if (given.some((id) => !isId(id))) return NONE;
    return ids.length === 0 ? ALL : { kind: 'tagged-all', tagIds: ids };
  },

  untagged: { kind: 'untagged' } as Visibility,

  typeIn: (types: Iterable<string>): Visibility => {
    const list = unique(types);
    return list.length === 0 ? NONE : { kind: 'type-in', types: list };
  },

  schemaIn: (schemaIds: Iterable<string>): Visibility => {
    const given = unique(schemaIds);
    const ids = [...(given.includes(FREEFORM) ? [FREEFORM] : []), ...idsIn(given)];
    return ids.length === 0 ? NONE : { kind: 'schema-in', schemaIds: ids };
  },

  createdBetween: (from: Date | null, to: Date | null): Visibility => {
    if (from === null && to === null) return ALL;
    if (from !== null && to !== null && from > to) return NONE;
    return { kind: 'created-between', from, to };
  },

  idIn: (ids: Iterable<string>): Visibility => {
    const list = idsIn(ids);
    return list.length === 0 ? NONE : { kind: 'id-in', ids: list };
  },
};

/** True if the expression lets this node through. */
export function sees(expression: Visibility, facts: NodeFacts): boolean {
  switch (expression.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return expression.parts.every((part) => sees(part, facts));
    case 'or':
      return expression.parts.some((part) => sees(part, facts));
    case 'not':
      return !sees(expression.part, facts);
    case 'tagged-any':
      return facts.tagIds.some((id) => holds(expression.tagIds, id));
    case 'tagged-all':
      return expression.tagIds.every((id) => facts.tagIds.includes(id));
    case 'untagged':
      return facts.tagIds.length === 0;
    case 'type-in':
      return keysOf(expression.types).has(nodeTypeKey(facts.nodeType));
    case 'schema-in':
      return holds(expression.schemaIds, facts.schemaId ?? FREEFORM);
    case 'created-between':
      return (
        (expression.from === null || facts.createdAt >= expression.from) &&
        (expression.to === null || facts.createdAt <= expression.to)
      );
    case 'id-in':
      return holds(expression.ids, facts.id);
  }
}

/** The length from which a set is faster than a search of the list. */
const LONG = 16;
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function holds(list: readonly string[], value: string): boolean {
  if (list.length < LONG) return list.includes(value);
  let set = sets.get(list);
  if (set === undefined) sets.set(list, (set = new Set(list)));
  return set.has(value);
}

const keys = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The keys by which types are compared. */
export function keysOf(types: readonly string[]): ReadonlySet<string> {
  let set = keys.get(types);
  if (set === undefined) keys.set(types, (set = new Set(types.map(nodeTypeKey))));
  return set;
}
