import { type Chance } from '../properties/random.js';
import { allSchemas, allTags, someTags } from '../support/defaults.js';
import { type Json } from './equal-requests.js';

const VERBS = ['discover', 'read', 'propose', 'create', 'edit', 'delete'] as const;
export const TYPES = ['note', 'GOAL', 'diary', 'measurement'];
export const TAG_NAMES = ['sea', 'work', 'quiet', 'family', 'plan'];

const HIDDEN_PATHS = ['value', 'metadata.secret', 'metadata.properties.pin'];
const mask = (paths: string[], strategy: string, apply_to?: object): object => ({
  type: 'field_mask',
  config: { paths, strategy },
  ...(apply_to && { apply_to }),
});

/** Each verb for all tags or for none, and nothing else narrowed: the tools that are listed are those that succeed. */
export const plainRules = (chance: Chance): Json => ({
  tag_permissions: Object.fromEntries(
    VERBS.map((verb) => [
      verb,
      chance.once(verb === 'read' ? 6 : 3) ? someTags() : { ...allTags, ...newTags(verb) },
    ]),
  ),
  schema_permissions: allSchemas,
});

/** Rules of every kind, each of them in some profiles. */
export function randomRules(chance: Chance, tags: readonly string[], schema: string): Json {
  const grant = (verb: string): object =>
    chance.once(3) ? someTags(...chance.some(tags, 3), chance.pick(tags)) : { ...allTags, ...newTags(verb) };
  const sometimes = <T>(list: readonly T[], most: number): T[] =>
    chance.once(6) ? chance.some(list, most) : [];
  const schemas = (): object =>
    chance.once(4)
      ? { schema_ids: chance.some(['__freeform__', schema]), allow_all: false }
      : { schema_ids: [], allow_all: true };
  const granted = VERBS.filter((verb) => verb === 'read' || !chance.once(5));
  return {
    tag_permissions: Object.fromEntries(granted.map((verb) => [verb, grant(verb)])),
    schema_permissions: { read: schemas(), write: schemas() },
    tag_filters: {
      include_any: chance.once(8) ? chance.some(TAG_NAMES, 3) : [],
      exclude_any: sometimes(TAG_NAMES, 1),
    },
    excluded_tag_ids: sometimes(tags, 1),
    excluded_node_types: sometimes(TYPES, 1),
    max_detail_level: chance.pick(['full', 'full', 'summary', 'minimal']),
    transformations: chance.once(2) ? randomMasks(chance, tags) : [],
  };
}

function randomMasks(chance: Chance, tags: readonly string[]): object[] {
  const paths = chance.some(HIDDEN_PATHS, 2);
  const bound = chance.pick<object | undefined>([
    undefined,
    { tag_ids: [chance.pick(tags)] },
    { node_types: [chance.pick(TYPES)] },
  ]);
  const masks = [
    { type: 'pii_redaction', config: { entities: ['email'] } },
    { type: 'truncate', config: { field: 'value', max: 5 } },
    ...(paths.length === 0
      ? []
      : [
          mask(paths, chance.pick(['remove', 'null', 'last4', 'hash']), bound),
          { type: 'pseudonymize', config: { paths } },
        ]),
  ];
  return chance.some(masks, 2);
}

/** The permissions that an app requests: most of everything. */
export function randomRequest(chance: Chance): Json {
  const schemas = chance.once(6)
    ? { schema_ids: ['__freeform__'], allow_all: false }
    : { schema_ids: [], allow_all: true };
  const tags = Object.fromEntries(VERBS.map((verb) => [verb, verb === 'read' || !chance.once(8)]));
  return { tags, files: { read: chance.once(2) }, schemas: { read: schemas, write: schemas } };
}

const newTags = (verb: string): object =>
  ['propose', 'create', 'edit'].includes(verb) ? { allow_new: true } : {};
