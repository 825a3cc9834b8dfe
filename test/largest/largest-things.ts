/** The largest things that a request may make, by the documented limits (docs/graph.md, docs/privacy.md). */
type Json = Record<string, unknown>;

export const BATCH_BYTES = 7.5 * 1024 * 1024;
export const NODE_BYTES = 360_000;
const VALUE = 100_000;
const METADATA_BYTES = 250_000;
const DIMENSIONS = 4_096;

export const words = (count: number, salt = 0): string =>
  Array.from({ length: count }, (_, i) => `w${(i * 7 + salt * 13) % 5_000}`).join(' ');
/** Reads as nothing but telephone numbers, the costliest text that redaction knows. */
const numbers = (salt: number): string =>
  Array.from({ length: VALUE / 16 }, (_, i) => `+49 17${(salt + i) % 10} ${String(100_000 + (i % 900_000))}`)
    .join(' ')
    .slice(0, VALUE);
const mixed = (salt: number): string =>
  Array.from({ length: VALUE / 40 }, (_, i) => `person${i}@example.org 12 34 56 78 ${salt} 10.0.${i % 250}.7`)
    .join(' ')
    .slice(0, VALUE);

/** Deep on the one side, broad on the other, together as large as metadata may be. */
function metadata(salt: number): Json {
  let deep: unknown = 'end';
  for (let level = 0; level < 28; level++) deep = { [`d${level}`]: deep };
  const properties: Json = { deep };
  const text = `mail${salt}@example.org or +49 170 1234567 `.repeat(2);
  for (let i = 0, bytes = 2_000; bytes < METADATA_BYTES; i++, bytes += text.length + 14)
    properties[`x${i}`] = text;
  return { properties };
}

export function largeNode(number: number, tags: readonly string[] = []): Json {
  return {
    title: `large ${number} ${'t'.repeat(900)}`,
    value: number % 2 === 0 ? numbers(number) : mixed(number),
    node_type: 'NOTE',
    metadata: metadata(number),
    tags,
  };
}

export const smallNode = (number: number, tags: readonly string[] = []): Json => ({
  title: `small ${number}`,
  value: words(30, number),
  node_type: number % 3 === 0 ? 'FACT' : 'NOTE',
  metadata: { properties: { number, mail: `p${number}@example.org` } },
  tags,
});

/** A vector with the most dimensions allowed; each has another direction. */
export const vector = (salt: number, dimensions = DIMENSIONS): number[] =>
  Array.from({ length: dimensions }, (_, i) => ((i * 31 + salt * 17) % 200) / 100 - 1);

const everyTag = { tag_ids: [], allow_all: true };
const everySchema = { read: { schema_ids: [], allow_all: true }, write: { schema_ids: [], allow_all: true } };
const VERBS = ['discover', 'read', 'propose', 'edit', 'create', 'delete'];
const forEachVerb = (grant: Json): Json => Object.fromEntries(VERBS.map((verb) => [verb, grant]));

/** A profile with the most transformations, paths, wildcards and entities. */
export function maskingProfile(): Json {
  const paths = Array.from({ length: 100 }, (_, i) => `metadata.properties.x${i}.y`);
  const wildcards = Array.from({ length: 40 }, (_, i) => `metadata.*.*.z${i}`);
  const redaction = (field: string): Json => ({ type: 'pii_redaction', apply_to: { fields: [field] } });
  return {
    tag_permissions: forEachVerb(everyTag),
    schema_permissions: everySchema,
    transformations: [
      { type: 'pii_redaction' },
      ...['title', 'value', 'metadata'].map(redaction),
      { type: 'field_mask', config: { paths, strategy: 'hash' } },
      { type: 'field_mask', config: { paths: wildcards, strategy: 'last4' } },
      { type: 'pseudonymize', config: { paths: ['metadata.properties.mail'] } },
      ...Array.from({ length: 11 }, (_, i) => ({
        type: 'truncate',
        config: { field: 'value', max: 99_000 - i },
      })),
      { type: 'round_date', config: { granularity: 'day' } },
    ],
  };
}

export interface Ids {
  tags: readonly string[];
  unusedTags: readonly string[];
  nodes: readonly string[];
}

/** The ids in each list of a profile whose lists are nearly as long as they may be together. */
const LISTED = 600;

/** Every list as long as they may be together; what they let through is nearly everything. */
export function listingProfile(ids: Ids): Json {
  const tags = ids.tags.slice(0, LISTED);
  const unusedTags = ids.unusedTags.slice(0, LISTED);
  const nodes = ids.nodes.slice(0, LISTED);
  const listed = { tag_ids: tags, allow_all: false };
  return {
    tag_permissions: { ...forEachVerb(listed), discover: everyTag },
    schema_permissions: everySchema,
    excluded_tag_ids: unusedTags,
    allowed_tag_ids: tags,
    tag_filters: { exclude_any: Array.from({ length: 1_000 }, (_, i) => `absent ${i}`) },
    allowed_node_ids: nodes,
    allowed_node_types: Array.from({ length: 1_000 }, (_, i) =>
      i === 0 ? 'NOTE' : i === 1 ? 'FACT' : `type ${i}`,
    ),
    excluded_node_types: Array.from({ length: 1_000 }, (_, i) => `other ${i}`),
  };
}

/** A tree over tags as deep and as broad as one may be. */
export function expressionProfile(names: readonly string[]): Json {
  const leaf = (i: number): Json => ({ tag: names[i % names.length] });
  let tree: Json = { op: 'OR', conditions: Array.from({ length: 20 }, (_, i) => leaf(i)) };
  for (let level = 1; level < 10; level++) {
    const leaves = Array.from({ length: 20 }, (_, i) => leaf(level * 20 + i));
    tree = { op: 'OR', conditions: [tree, ...leaves] };
  }
  return {
    tag_permissions: forEachVerb(everyTag),
    schema_permissions: everySchema,
    tag_expression: tree,
    max_detail_level: 'full',
  };
}

/** A schema of 64 KiB and the most levels, each of which looks at everything again. */
export function deepSchema(): Json {
  let inner: Json = { type: 'object', additionalProperties: { type: 'string', pattern: '^[a-z0-9@. +]*$' } };
  for (let level = 0; level < 12; level++) inner = { allOf: [inner, { maxProperties: 100_000 + level }] };
  const properties: Json = {};
  for (let i = 0; i < 900; i++)
    properties[`x${i}`] = { type: 'string', pattern: '^.*mail.*$', maxLength: 1_000 };
  return { type: 'object', properties, ...inner };
}
