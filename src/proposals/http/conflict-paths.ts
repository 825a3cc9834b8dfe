import { pathName } from '../../kernel/path-names.js';

/** The names of paths in conflict. A question takes a time that hardly grows with their number. */
export class ConflictPaths {
  private readonly paths: ReadonlySet<string>;
  private readonly sorted: readonly string[];

  constructor(paths: Iterable<string>) {
    this.paths = new Set(paths);
    this.sorted = [...this.paths].sort();
  }

  /** True for a path in conflict. */
  has(path: string): boolean {
    return this.paths.has(path);
  }

  /** True for a path in conflict, and for one that leads to such a path. */
  concerns(path: string): boolean {
    return this.has(path) || this.firstFrom(`${path}.`)?.startsWith(`${path}.`) === true;
  }

  /** True also for a path below one in conflict: an object that is added is in conflict as a whole. */
  covers(path: readonly string[]): boolean {
    const isBelow = (_: string, end: number) => this.has(pathName(path.slice(0, end)));
    return this.concerns(pathName(path)) || (this.sorted.length > 0 && path.some(isBelow));
  }

  /** The first path in order that is not before this text: the one that begins with it, if any does. */
  private firstFrom(text: string): string | undefined {
    let [from, to] = [0, this.sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.sorted[middle] as string) < text) from = middle + 1;
      else to = middle;
    }
    return this.sorted[from];
  }
}
