import { sortInSlices } from '../../../kernel/slices.js';

/** The most values of a facet that an answer names. */
export const MOST_VALUES = 100;

/** A value of a facet, and the number of nodes that have it. */
export interface ValueCount {
  value: string;
  count: number;
}

/** The values that most nodes have, and the number of all values. */
export interface Facet<Value extends ValueCount = ValueCount> {
  values: Value[];
  total: number;
}

/** The facets by what nodes have exactly once. */
const SINGLE_FACETS = ['node_type', 'meaning_level', 'schema_id', 'month', 'owner_id'] as const;
type SingleFacet = (typeof SINGLE_FACETS)[number];

/** A tag of an owner, and the number of nodes with it. */
export interface TagCount {
  ownerId: string;
  id: string;
  count: number;
}

/** Counts of some of the nodes in question; no node is in two of them. */
export interface FacetPart {
  facet: SingleFacet | 'tag';
  /** The value, or the id of a tag. */
  key: string;
  /** The owner of a tag. */
  ownerId: string | null;
  count: number;
}

/** Adds up the facets of parts of a graph. */
export class FacetCounts {
  private readonly singles = new Map<SingleFacet, Map<string, number>>(
    SINGLE_FACETS.map((facet) => [facet, new Map()]),
  );
  private readonly tags = new Map<string, TagCount>();

  add({ facet, key, ownerId, count }: FacetPart): void {
    if (facet !== 'tag') {
      const counts = this.of(facet);
      counts.set(key, (counts.get(key) ?? 0) + count);
      return;
    }
    const tag = `${ownerId} ${key}`;
    const before = this.tags.get(tag)?.count ?? 0;
    this.tags.set(tag, { ownerId: ownerId as string, id: key, count: before + count });
  }

  get tagCounts(): TagCount[] {
    return [...this.tags.values()];
  }

  /** The number of counted nodes: each has one owner. */
  get nodes(): number {
    return Array.from(this.of('owner_id').values()).reduce((sum, count) => sum + count, 0);
  }

  facet(name: SingleFacet): Promise<Facet> {
    return facetOf(Array.from(this.of(name), ([value, count]) => ({ value, count })));
  }

  private of(facet: SingleFacet): Map<string, number> {
    return this.singles.get(facet) as Map<string, number>;
  }
}

/** The values that most nodes have come first, those of equal counts in the order of their characters. */
export async function facetOf<Value extends ValueCount & { id?: string }>(
  counts: readonly Value[],
): Promise<Facet<Value>> {
  const sorted = await sortInSlices(
    counts,
    (a, b) => b.count - a.count || inOrder(a.value, b.value) || inOrder(a.id ?? '', b.id ?? ''),
  );
  return { values: sorted.slice(0, MOST_VALUES), total: counts.length };
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
