import { type Chance } from './random.js';
import {
  type NaiveEvent,
  type NaiveExpression,
  type NaiveNode,
  type NaiveProfile,
  type NaiveRequest,
  type NaiveTag,
} from './visibility-naive.js';

/** Few ids of each kind, so that rules and nodes meet often. */
const id = (kind: number, number: number): string =>
  `0000000${kind}-0000-7000-8000-${String(number).padStart(12, '0')}`;
const NODE_IDS = Array.from({ length: 12 }, (_, i) => id(1, i));
const SCHEMA_IDS = ['00000000-0000-7000-8000-000000000001', id(3, 1), id(3, 2)];
/** Spellings of one type side by side. */
const TYPE_SPELLINGS = [
  ['ENTITY', 'Entity', 'ｅntity'],
  ['GOAL', 'goal ', 'go\u200bal'],
  ['note', '\u202enote', 'ＮＯＴＥ', 'Note'],
  ["it's", "IT's", 'İt\u0027S'],
  ['straße', 'STRASSE', 'Straẞe'],
  ['\ua7da', '\ua7da'],
] as const;
const TYPES = TYPE_SPELLINGS.flat();
const NAMES = ['alpha', 'Beta', 'gamma', 'delta', 'epsilon', 'zeta'];
const TIMES = [0, 1, 2, 3].map((day) => new Date(Date.UTC(2024, 0, 1 + day)));
const FOREIGN_TAG = id(2, 999);
const tagId = (number: number): string => id(2, number);

export function randomTags(chance: Chance): NaiveTag[] {
  const tags: NaiveTag[] = [];
  for (let i = 0; i < 3 + chance.below(6); i++) {
    const name = chance.pick(NAMES);
    const isTaken = tags.some((tag) => !tag.deleted && tag.name === name);
    tags.push({ id: tagId(i), name, deleted: isTaken || chance.once(4) });
  }
  return tags;
}

/** Tags are made, renamed and deleted; a name belongs to at most one living tag. */
export function randomEvents(chance: Chance, tags: readonly NaiveTag[]): NaiveEvent[] {
  const state = tags.map((tag) => ({ ...tag }));
  const events: NaiveEvent[] = [];
  for (let i = chance.below(7); i > 0; i--) {
    const living = state.filter((tag) => !tag.deleted);
    const free = NAMES.filter((name) => !living.some((tag) => tag.name === name));
    const tag = living.length > 0 ? chance.pick(living) : null;
    const what = chance.below(3);
    if (what === 0 && tag) {
      tag.deleted = true;
      events.push({ kind: 'deleted', id: tag.id });
    } else if (what === 1 && tag && free.length > 0) {
      tag.name = chance.pick(free);
      events.push({ kind: 'renamed', id: tag.id, name: tag.name });
    } else if (free.length > 0) {
      const made = { id: tagId(100 + state.length), name: chance.pick(free), deleted: false };
      state.push(made);
      events.push({ kind: 'made', id: made.id, name: made.name });
    }
  }
  return events;
}

export function randomProfile(chance: Chance, tags: readonly NaiveTag[]): NaiveProfile {
  const living = tags.filter((tag) => !tag.deleted).map((tag) => tag.id);
  const grant = (all = 2) => ({ tag_ids: chance.some(living, 4), allow_all: chance.once(all) });
  const sometimes = <T>(list: readonly T[], most: number): T[] =>
    chance.once(5) ? chance.some(list, most) : [];
  const schemas = () => ({
    schema_ids: chance.some(['__freeform__', ...SCHEMA_IDS]),
    allow_all: !chance.once(3),
  });
  const [start, end] = [chance.pick(TIMES), chance.pick(TIMES)].sort((a, b) => a.getTime() - b.getTime());
  return {
    tag_permissions: {
      read: grant(),
      propose: grant(),
      edit: grant(),
      ...(chance.once(2) ? { delete: grant() } : {}),
    },
    schema_permissions: { read: schemas(), write: schemas() },
    tag_filters: {
      include_all: sometimes(NAMES, 2),
      include_any: sometimes(NAMES, 3),
      exclude_any: sometimes(NAMES, 2),
    },
    tag_expression: chance.once(6) ? randomTagExpression(chance, 3) : null,
    allowed_tag_ids: sometimes(living, 2),
    excluded_tag_ids: sometimes(living, 1),
    allowed_tags_logic: chance.pick(['OR', 'AND'] as const),
    allowed_node_ids: sometimes(NODE_IDS, 4),
    allowed_node_types: sometimes(TYPES, 6),
    excluded_node_types: sometimes(TYPES, 1),
    date_range_start: chance.once(6) ? (start as Date) : null,
    date_range_end: chance.once(6) ? (end as Date) : null,
  };
}

function randomTagExpression(chance: Chance, depth: number): NaiveExpression {
  const conditions = Array.from({ length: chance.below(4) }, () =>
    depth > 1 && chance.once(3) ? randomTagExpression(chance, depth - 1) : { tag: chance.pick(NAMES) },
  );
  return { op: chance.pick(['AND', 'OR'] as const), conditions };
}

export function randomRequest(chance: Chance): NaiveRequest {
  const likely = (): boolean => !chance.once(8);
  const schemas = () =>
    chance.once(3)
      ? { schema_ids: chance.some(['__freeform__', ...SCHEMA_IDS]), allow_all: false }
      : { schema_ids: [], allow_all: true };
  return {
    tags: {
      read: likely(),
      propose: likely(),
      edit: likely(),
      write: chance.once(3),
      ...(chance.once(2) ? { delete: chance.once(2) } : {}),
    },
    files: { read: chance.once(2) },
    schemas: { read: schemas(), write: schemas() },
  };
}

export function randomNode(chance: Chance, tagIds: readonly string[]): NaiveNode {
  return {
    id: chance.pick(NODE_IDS),
    tagIds: chance.some([...tagIds, FOREIGN_TAG], 4),
    schemaId: chance.once(3) ? null : chance.pick(SCHEMA_IDS),
    nodeType: chance.pick(TYPES),
    createdAt: new Date(chance.pick(TIMES).getTime() + chance.below(3) - 1),
  };
}

/** An expression as plain data: the arguments of the constructors, before they simplify it. */
export type Told =
  | { is: 'all' | 'none' | 'untagged' }
  | { is: 'and' | 'or'; parts: Told[] }
  | { is: 'not'; part: Told }
  | { is: 'tagged-any' | 'tagged-all' | 'type-in' | 'schema-in' | 'id-in'; list: string[] }
  | { is: 'created-between'; from: Date | null; to: Date | null };

export function randomTold(chance: Chance, depth: number): Told {
  const tags = Array.from({ length: 8 }, (_, i) => tagId(i));
  const time = (): Date | null => (chance.once(3) ? null : chance.pick(TIMES));
  switch (chance.below(depth > 0 ? 11 : 8)) {
    case 0:
      return { is: chance.pick(['all', 'none', 'untagged'] as const) };
    case 1:
      return { is: 'tagged-any', list: chance.some(tags, 3) };
    case 2:
      return { is: 'tagged-all', list: chance.some(tags, 2) };
    case 3:
      return { is: 'type-in', list: chance.some(TYPES) };
    case 4:
      return { is: 'schema-in', list: chance.some(['__freeform__', ...SCHEMA_IDS]) };
    case 5:
      return { is: 'id-in', list: chance.some(NODE_IDS, 6) };
    case 6:
      return { is: 'created-between', from: time(), to: time() };
    case 7:
      return { is: 'untagged' };
    case 8:
      return { is: 'not', part: randomTold(chance, depth - 1) };
    default: {
      const parts = Array.from({ length: chance.below(4) }, () => randomTold(chance, depth - 1));
      return { is: chance.pick(['and', 'or'] as const), parts };
    }
  }
}

export function naivelyHolds(told: Told, node: NaiveNode): boolean {
  switch (told.is) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'untagged':
      return node.tagIds.length === 0;
    case 'and':
      return told.parts.filter((part) => !naivelyHolds(part, node)).length === 0;
    case 'or':
      return told.parts.filter((part) => naivelyHolds(part, node)).length > 0;
    case 'not':
      return !naivelyHolds(told.part, node);
    case 'tagged-any':
      return told.list.filter((tag) => node.tagIds.includes(tag)).length > 0;
    case 'tagged-all':
      return told.list.filter((tag) => !node.tagIds.includes(tag)).length === 0;
    case 'type-in':
      return isOneType(told.list, node.nodeType);
    case 'schema-in':
      return told.list.includes(node.schemaId ?? '__freeform__');
    case 'id-in':
      return told.list.includes(node.id);
    case 'created-between': {
      const time = node.createdAt.getTime();
      return (
        (told.from === null || told.from.getTime() <= time) && (told.to === null || time <= told.to.getTime())
      );
    }
  }
}

/** True if the type is one of these, in any spelling. */
export const isOneType = (types: readonly string[], type: string): boolean =>
  types.some((other) => TYPE_SPELLINGS.some((alike) => has(alike, other) && has(alike, type)));
const has = (list: readonly string[], type: string): boolean => list.includes(type);
