/** Segments a path may have: a field and the depth that metadata may have (decisions 4.13), and its leaf. */
const MOST_SEGMENTS = 34;
const LONGEST = 500;

/**
 * Splits a dotted path (`title`, `metadata.properties.email`, `metadata.*.phone`); null when it is none: an empty
 * segment, too long, or `*` for the field itself.
 */
export function parsePath(path: unknown): string[] | null {
  if (typeof path !== 'string' || path.length > LONGEST) return null;
  const segments = path.split('.');
  if (segments.length > MOST_SEGMENTS || segments[0] === '*' || segments.includes('')) return null;
  return segments;
}

/** Paths that begin alike share their beginning. */
class Branch {
  readonly children = new Map<string, Branch>();
  isEnd = false;
  private named: Branch | null = null;

  add([segment, ...rest]: readonly string[]): void {
    if (segment === undefined) {
      this.isEnd = true;
      return;
    }
    let next = this.children.get(segment);
    if (next === undefined) this.children.set(segment, (next = new Branch()));
    next.add(rest);
  }

  /** Without the paths that go on with a position or a wildcard: what is looked for in each element of an array. */
  get withoutPositions(): Branch {
    if (this.named !== null) return this.named;
    const named = new Branch();
    for (const [segment, child] of this.children) {
      if (segment !== '*' && !/^\d+$/.test(segment)) named.children.set(segment, child);
    }
    named.named = named;
    return (this.named = named);
  }
}

/**
 * A set of paths seen from some place in a node. `*` is any key or element; a key's name met by an array is looked
 * for in each of its elements, and a number picks one. What lies below a path is in it, too. A step costs as much as
 * there are branches that wildcards keep open side by side, however many paths there are.
 */
export class Selection {
  static readonly everything = new Selection(true, []);
  static readonly nothing = new Selection(false, []);

  private constructor(
    /** The place is at or below one of the paths. */
    readonly isInside: boolean,
    /** Where in the tree of paths the ways to this place may have led. */
    private readonly branches: readonly Branch[],
  ) {}

  /** Seen from the node itself. */
  static of(paths: readonly (readonly string[])[]): Selection {
    const root = new Branch();
    for (const path of paths) root.add(path);
    return Selection.at([root]);
  }

  /** Neither here nor below. */
  get isEmpty(): boolean {
    return !this.isInside && this.branches.length === 0;
  }

  key(name: string): Selection {
    if (this.isInside || this.branches.length === 0) return this;
    return Selection.at(this.next(name));
  }

  element(index: number): Selection {
    if (this.isInside || this.branches.length === 0) return this;
    const below = this.next(String(index));
    for (const branch of this.branches) below.push(branch.withoutPositions);
    return Selection.at(below);
  }

  private next(segment: string): Branch[] {
    const below: Branch[] = [];
    for (const { children } of this.branches) {
      const named = children.get(segment);
      const any = segment === '*' ? undefined : children.get('*');
      if (named !== undefined) below.push(named);
      if (any !== undefined) below.push(any);
    }
    return below;
  }

  private static at(branches: readonly Branch[]): Selection {
    if (branches.some(({ isEnd }) => isEnd)) return Selection.everything;
    const open = branches.filter(({ children }) => children.size > 0);
    return open.length === 0 ? Selection.nothing : new Selection(false, [...new Set(open)]);
  }
}
