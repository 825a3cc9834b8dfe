import { keyOfLength } from '../folded-key.js';

/** The most segments of a path: a field, the depth that metadata may have (rule 4.13), and its leaf. */
const MOST_SEGMENTS = 34;
export const LONGEST_PATH = 500;

/**
 * Splits a dotted path (`title`, `metadata.properties.email`, `metadata.*.phone`); null when it is not a
 * path: an empty segment, too long, or `*` for the field itself.
 */
export function parsePath(path: unknown): string[] | null {
  if (typeof path !== 'string' || path.length > LONGEST_PATH) return null;
  const segments = path.split('.');
  if (segments.length > MOST_SEGMENTS || segments[0] === '*' || segments.includes('')) return null;
  return segments;
}

/** A position in an array, in any digits that fold to these. */
const POSITION = /^\d+$/;

/**
 * A node of the tree of paths: paths with a common beginning share it. Branches are found by the folded key of
 * their segment, so that a mask hides a key in every spelling (rule 3.15i).
 */
class Branch {
  private readonly named = new Map<string, Branch>();
  /** The branch of `*`. A key that only folds to `*` is a name. */
  private any: Branch | null = null;
  isEnd = false;
  /** The length of the longest name. */
  longest = 0;
  private elements: readonly Branch[] | null = null;

  add([segment, ...rest]: readonly string[]): void {
    if (segment === undefined) {
      this.isEnd = true;
      return;
    }
    this.branchOf(segment).add(rest);
  }

  /** True if no path continues from here. */
  get isLast(): boolean {
    return this.any === null && this.named.size === 0;
  }

  /** The branches that continue at a key of an object. */
  at(key: string): Branch[] {
    return [this.named.get(key), this.any ?? undefined].filter((branch) => branch !== undefined);
  }

  /**
   * The branches that continue in any element of an array. A position matches every position: elements move,
   * and with them the values that a path hides (rule 3.15f).
   */
  get inElements(): readonly Branch[] {
    if (this.elements !== null) return this.elements;
    const others = new Branch();
    const positions = this.any === null ? [] : [this.any];
    for (const [segment, child] of this.named) {
      if (POSITION.test(segment)) positions.push(child);
      else others.named.set(segment, child);
    }
    others.longest = this.longest;
    others.elements = [others];
    return (this.elements = [others, ...positions]);
  }

  private branchOf(segment: string): Branch {
    if (segment === '*') return (this.any ??= new Branch());
    const key = keyOfLength(segment);
    this.longest = Math.max(this.longest, key.length);
    const known = this.named.get(key);
    if (known !== undefined) return known;
    const added = new Branch();
    this.named.set(key, added);
    return added;
  }
}

/**
 * A set of paths seen from one place in a node. `*` is any key or element; a name is that key in every spelling
 * with the same folded key; a key that meets an array is looked up in each of its elements, and a number is any
 * position. Values below a path belong to it. The cost of a step grows with the branches that wildcards hold open
 * side by side, not with the number of paths.
 */
export class Selection {
  static readonly nothing = new Selection(false, false, []);
  private static readonly below = new Selection(true, false, []);
  private static readonly named = new Selection(true, true, []);

  private constructor(
    /** True if the place is at or below one of the paths. */
    readonly isInside: boolean,
    /** True if one of the paths ends here, or at the array of which this is an element. */
    readonly isNamed: boolean,
    /** The branches of the tree of paths that lead to this place. */
    private readonly branches: readonly Branch[],
  ) {}

  /** The selection as seen from the node itself. */
  static of(paths: readonly (readonly string[])[]): Selection {
    const root = new Branch();
    for (const path of paths) root.add(path);
    return Selection.at([root]);
  }

  /** True if nothing is selected here or below. */
  get isEmpty(): boolean {
    return !this.isInside && this.branches.length === 0;
  }

  key(name: string): Selection {
    if (this.branches.length === 0) return this.isInside ? Selection.below : this;
    return Selection.at(this.next(name), this.isInside);
  }

  /**
   * The selection one segment down. A segment of a path from outside may be a key or a position in an array.
   */
  step(segment: string): Selection {
    if (!POSITION.test(keyOfLength(segment, LONGEST_PATH))) return this.key(segment);
    if (this.branches.length === 0) return this;
    const below = [...this.next(segment), ...this.branches.flatMap(({ inElements }) => inElements)];
    return Selection.at(below, this.isInside, this.isNamed);
  }

  /** Any element of the array at this place. */
  element(): Selection {
    if (this.branches.length === 0) return this;
    const below = this.branches.flatMap(({ inElements }) => inElements);
    return Selection.at(below, this.isInside, this.isNamed);
  }

  private next(segment: string): Branch[] {
    const longest = Math.max(...this.branches.map((branch) => branch.longest));
    const key = keyOfLength(segment, longest);
    return this.branches.flatMap((branch) => branch.at(key));
  }

  private static at(branches: readonly Branch[], wasInside = false, wasNamed = false): Selection {
    const isNamed = wasNamed || branches.some(({ isEnd }) => isEnd);
    const isInside = wasInside || isNamed;
    const open = branches.filter(({ isLast }) => !isLast);
    if (open.length > 0) return new Selection(isInside, isNamed, [...new Set(open)]);
    if (!isInside) return Selection.nothing;
    return isNamed ? Selection.named : Selection.below;
  }
}
