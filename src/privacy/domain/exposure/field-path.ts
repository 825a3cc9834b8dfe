import { keyOfLength } from '../folded-key.js';

/** The most segments of a path: a field, the depth that metadata may have (rule 4.13), and its leaf. */
const MOST_SEGMENTS = 34;
export const LONGEST_PATH = 500;

/** The separator of segments in stored paths: no key has this character, for no database stores it. */
const SEPARATOR = '\0';

/**
 * Splits a dotted path (`title`, `metadata.properties.email`, `metadata.*.phone`); null when it is not a
 * path: an empty segment, too long, or `*` for the field itself.
 */
export function parsePath(path: unknown): string[] | null {
  if (typeof path !== 'string' || path.length > LONGEST_PATH || path.includes(SEPARATOR)) return null;
  const segments = path.split('.');
  if (segments.length > MOST_SEGMENTS || segments[0] === '*' || segments.includes('')) return null;
  return segments;
}

/** A position in an array, in any digits that fold to these. */
const POSITION = /^\d+$/;

/** The memory of a segment that was walked, at most: its branch, its key, and the branch of elements beside it. */
const SEGMENT_BYTES = 450;

/** An estimate of the memory that a path takes in a {@link Selection}, when all of it has been walked. */
export const bytesOfPath = (path: string): number => 2 * path.length + SEGMENT_BYTES * path.split('.').length;

/**
 * A node of the tree of paths: paths with a common beginning share it. Branches are found by the folded key of
 * their segment, so that a mask hides a key in every spelling (rule 3.15i). A path that shares its beginning with no
 * other one stays a text until somebody walks along it: most paths lead to keys that most nodes do not have.
 */
class Branch {
  /** The end of the only path that continues here; null if it was taken apart or does not exist. */
  private tail: string | null = null;
  private only: readonly [key: string, branch: Branch] | null = null;
  /** Two branches or more, that of `only` among them. */
  private several: Map<string, Branch> | null = null;
  /** The branch of `*`. A key that only folds to `*` is a name. */
  private any: Branch | null = null;
  isEnd = false;
  private longestName = 0;
  private elements: readonly Branch[] | null = null;

  /** @param path segments with separators, none of them empty; empty: it ends here */
  add(path: string): void {
    if (path === '') this.isEnd = true;
    else if (this.isLast) this.tail = path;
    else {
      this.takeApart();
      this.insert(path);
    }
  }

  /** True if no path continues from here. */
  get isLast(): boolean {
    return this.tail === null && this.any === null && this.only === null;
  }

  /** The length of the longest name. */
  get longest(): number {
    this.takeApart();
    return this.longestName;
  }

  /** The branches that continue at a key of an object. */
  at(key: string): Branch[] {
    this.takeApart();
    return [this.named(key), this.any ?? undefined].filter((branch) => branch !== undefined);
  }

  /**
   * The branches that continue in any element of an array. A position matches every position: elements move,
   * and with them the values that a path hides (rule 3.15f).
   */
  get inElements(): readonly Branch[] {
    if (this.elements !== null) return this.elements;
    this.takeApart();
    const others = new Branch();
    const positions = this.any === null ? [] : [this.any];
    for (const [segment, child] of this.several ?? (this.only === null ? [] : [this.only])) {
      if (POSITION.test(segment)) positions.push(child);
      else others.set(segment, child);
    }
    others.longestName = this.longestName;
    others.elements = [others];
    return (this.elements = [others, ...positions]);
  }

  private takeApart(): void {
    const { tail } = this;
    if (tail === null) return;
    this.tail = null;
    this.insert(tail);
  }

  private insert(path: string): void {
    const end = path.indexOf(SEPARATOR);
    const [segment, rest] = end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end + 1)];
    this.branchOf(segment).add(rest);
  }

  private branchOf(segment: string): Branch {
    if (segment === '*') return (this.any ??= new Branch());
    const key = keyOfLength(segment);
    this.longestName = Math.max(this.longestName, key.length);
    const known = this.named(key);
    if (known !== undefined) return known;
    const added = new Branch();
    this.set(key, added);
    return added;
  }

  private named(key: string): Branch | undefined {
    if (this.several !== null) return this.several.get(key);
    return this.only?.[0] === key ? this.only[1] : undefined;
  }

  private set(key: string, branch: Branch): void {
    if (this.only === null) this.only = [key, branch];
    else (this.several ??= new Map([this.only])).set(key, branch);
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
    for (const path of paths) root.add(path.join(SEPARATOR));
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
