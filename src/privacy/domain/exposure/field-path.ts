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

/**
 * A set of paths seen from some place in a node. `*` is any key or element; a key's name met by an array is looked
 * for in each of its elements, and a number picks one. What lies below a path is in it, too.
 */
export class Selection {
  static readonly everything = new Selection(true, []);
  static readonly nothing = new Selection(false, []);

  private constructor(
    /** The place is at or below one of the paths. */
    readonly isInside: boolean,
    /** The rests of the paths that may still lead somewhere below the place. */
    private readonly rests: readonly (readonly string[])[],
  ) {}

  /** Seen from the node itself. */
  static of(paths: readonly (readonly string[])[]): Selection {
    return Selection.from(paths);
  }

  /** Neither here nor below. */
  get isEmpty(): boolean {
    return !this.isInside && this.rests.length === 0;
  }

  key(name: string): Selection {
    if (this.isInside || this.rests.length === 0) return this;
    return Selection.from(
      this.rests.filter(([first]) => first === name || first === '*').map((rest) => rest.slice(1)),
    );
  }

  element(index: number): Selection {
    if (this.isInside || this.rests.length === 0) return this;
    const position = String(index);
    return Selection.from(
      this.rests.flatMap((rest) => {
        if (rest[0] === '*' || rest[0] === position) return [rest.slice(1)];
        return /^\d+$/.test(rest[0] ?? '') ? [] : [rest];
      }),
    );
  }

  private static from(rests: readonly (readonly string[])[]): Selection {
    if (rests.length === 0) return Selection.nothing;
    return rests.some((rest) => rest.length === 0) ? Selection.everything : new Selection(false, rests);
  }
}
