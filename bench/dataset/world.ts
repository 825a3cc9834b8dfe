import { SYSTEM_SCHEMA_IDS } from '../../src/privacy/domain/system-schemas.js';
import { integer, pick, type Random, seeded, uuid, zipf } from './random.js';
import { words } from './text.js';

/** Amounts of everything; two sizes with one seed share nothing. */
export interface Size {
  owners: number;
  nodes: number;
  bigNodes: number;
}

export const FULL: Size = { owners: 10, nodes: 10_000, bigNodes: 100_000 };
export const QUICK: Size = { owners: 3, nodes: 2_000, bigNodes: 20_000 };

export interface Tag {
  id: string;
  name: string;
  position: number;
}

export interface Owner {
  id: string;
  email: string;
  username: string;
  nodes: number;
  tags: Tag[];
  seed: number;
}

export interface Node {
  id: string;
  title: string;
  value: string;
  node_type: string;
  metadata: object;
  schema_id: string | null;
  tag_ids: string[];
  created_at: string;
  updated_at: string;
}

/** The tags that the narrow profile requires and excludes, by their position in the owner's fifty. */
export const PROFILE = { any: [3, 6, 9, 14, 20], none: [2, 12] } as const;
/** Nodes without a schema and of the first schema may be read, those of the second may not. */
export const SCHEMAS = [SYSTEM_SCHEMA_IDS['system:Entity'], SYSTEM_SCHEMA_IDS['system:Goal']] as const;
export const PASSWORD = 'correct horse battery staple';

const TAGS = 50;
const YEAR = 365 * 24 * 3600 * 1000;
const BEGIN = Date.UTC(2025, 0, 1);
const tagRank = zipf(TAGS);

/** The last owner is the big one. */
export function owners(seed: number, size: Size): Owner[] {
  return Array.from({ length: size.owners + 1 }, (_, index) => {
    const own = seed * 1000 + index;
    const random = seeded(own);
    return {
      id: uuid(random, BEGIN),
      email: `owner${index}@bench.example`,
      username: `owner${index}`,
      nodes: index === size.owners ? size.bigNodes : size.nodes,
      tags: Array.from({ length: TAGS }, (_, position) => ({
        id: uuid(random, BEGIN + position),
        name: `${words(random, 6).toLowerCase()}-${position}`,
        position,
      })),
      seed: own + 500_000,
    };
  });
}

/** An owner's nodes, oldest first; the same ones every time. */
export function* nodesOf(owner: Owner): Generator<Node> {
  const random = seeded(owner.seed);
  for (let index = 0; index < owner.nodes; index++) {
    const created = BEGIN + Math.floor((index / owner.nodes) * YEAR);
    const updated = random() < 0.2 ? created + integer(random, YEAR / 4) : created;
    yield {
      id: uuid(random, created),
      ...content(random),
      schema_id: schema(random),
      tag_ids: someTags(random).map((position) => (owner.tags[position] as Tag).id),
      created_at: new Date(created).toISOString(),
      updated_at: new Date(updated).toISOString(),
    };
  }
}

export function content(random: Random): Pick<Node, 'title' | 'value' | 'node_type' | 'metadata'> {
  return {
    title: words(random, 34),
    value: words(random, 194),
    node_type: pick(random, ['NOTE', 'MESSAGE', 'DOCUMENT', 'EVENT']),
    metadata: {
      properties: {
        status: pick(random, ['open', 'done', 'later']),
        place: words(random, 20),
        rating: integer(random, 6),
      },
      summary: words(random, 100),
      source: {
        url: `https://example.org/${words(random, 24).replaceAll(' ', '/')}`,
        words: integer(random, 2000),
      },
    },
  };
}

function someTags(random: Random): number[] {
  const positions = new Set<number>();
  const wanted = 1 + integer(random, 4);
  while (positions.size < wanted) positions.add(tagRank(random));
  return [...positions];
}

function schema(random: Random): string | null {
  const x = random();
  return x < 0.8 ? null : x < 0.92 ? SCHEMAS[0] : SCHEMAS[1];
}

/** The rule of the narrow profile, written apart from the service. */
export function isVisible(owner: Owner, node: Node): boolean {
  const has = (position: number): boolean => node.tag_ids.includes((owner.tags[position] as Tag).id);
  return PROFILE.any.some(has) && !PROFILE.none.some(has) && node.schema_id !== SCHEMAS[1];
}

/**
 * Up to `count` ids, evenly spread over the nodes that an owner's profile lets through, and the number of these nodes.
 */
export function visibleIds(owner: Owner, count: number): { ids: string[]; total: number } {
  const all: string[] = [];
  for (const node of nodesOf(owner)) if (isVisible(owner, node)) all.push(node.id);
  const step = Math.max(1, all.length / count);
  return {
    ids: Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)] as string),
    total: all.length,
  };
}

/** Bits of the references' list index: one for each tag, then no schema, first schema, second schema. */
export const schemaBit = (schemaId: string | null): number =>
  TAGS + (schemaId === null ? 0 : SCHEMAS.indexOf(schemaId as never) + 1);
export const mask = (bits: readonly number[]): string =>
  bits.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n).toString();
