/** The version and the time of a node's state as one caller is shown them. */
export interface CounterValues {
  version: number;
  updated_at: string;
}

/** A step of a node, judged for one caller. */
export interface JudgedStep {
  version: number;
  /** ISO 8601: `updated_at` of the state after it. */
  at: string;
  isShown: boolean;
  /** True if the caller may read the state after it. */
  isReadable: boolean;
}

/**
 * Consecutive hidden versions, all readable or none: they are shown at the time of the last shown version
 * before.
 */
interface HiddenRun {
  isReadable: boolean;
  from: number;
  to: number;
  /** Milliseconds. */
  at: number;
}

/** Consecutive versions of a node, each readable and without a shown change. */
export interface HiddenVersions {
  id: string;
  from: number;
  to: number;
}

/** Small on purpose, because there is one for each changed node. */
interface CountedNode {
  last: number;
  /** Milliseconds; 0: never. */
  shownAt: number;
  hidden: HiddenRun[] | null;
}

/**
 * The steps of one owner's nodes that one caller is not shown, and each version's place among the shown
 * ones. A node's steps are added in the order of their versions. The result for a version never changes
 * again.
 */
export class StepCounts {
  private readonly nodes = new Map<string, CountedNode>();
  private readonly late = new Map<string, number>();
  private runs = 0;
  private changes = 0;

  /** The number of stored entries: nodes, and runs of hidden versions. */
  get size(): number {
    return this.nodes.size + this.runs;
  }

  /** The newest version of the node that was added; 0: none. */
  lastOf(id: string): number {
    return this.nodes.get(id)?.last ?? 0;
  }

  /** Visible nodes whose newest step is hidden, and the millisecond of their last shown change. */
  get behind(): ReadonlyMap<string, number> {
    return this.late;
  }

  /** Changes whenever {@link behind} does. */
  get moves(): number {
    return this.changes;
  }

  take(id: string, { version, at, isShown, isReadable }: JudgedStep): void {
    let node = this.nodes.get(id);
    if (node === undefined) this.nodes.set(id, (node = { last: 0, shownAt: 0, hidden: null }));
    node.last = version;
    if (isShown) node.shownAt = Date.parse(at);
    else this.hide(node, { version, at: node.shownAt || Date.parse(at), isReadable });
    if (isShown || !isReadable) {
      if (this.late.delete(id)) this.changes++;
    } else if (!this.late.has(id)) {
      this.late.set(id, node.shownAt || Date.parse(at));
      this.changes++;
    }
  }

  /** The stamp of a version; one that was not added counts as shown. */
  stampOf(id: string, version: number, at: string): CounterValues {
    let hidden = 0;
    for (const run of this.nodes.get(id)?.hidden ?? []) {
      if (version < run.from) break;
      hidden += Math.min(version, run.to) - run.from + 1;
      if (version <= run.to) return { version: Math.max(1, version - hidden), updated_at: timeOf(run.at) };
    }
    return { version: version - hidden, updated_at: at };
  }

  /** A copy of the counts of these nodes, to be continued separately. */
  copyOf(ids: Iterable<string>): StepCounts {
    const copy = new StepCounts();
    for (const id of ids) {
      const node = this.nodes.get(id);
      if (node) copy.nodes.set(id, { ...node, hidden: node.hidden?.map((run) => ({ ...run })) ?? null });
    }
    return copy;
  }

  numberOf(id: string, version: number): number {
    return this.stampOf(id, version, BEFORE_ALL).version;
  }

  /** The stored version that is shown under this number: the step that introduced it. */
  shownVersionOf(id: string, number: number): number {
    let version = number;
    for (const { from, to } of this.nodes.get(id)?.hidden ?? []) {
      if (from > version) break;
      version += to - from + 1;
    }
    return version;
  }

  /** The last version up to this one with a shown step. A version that may not be read is returned itself. */
  lastShown(id: string, version: number): number {
    const run = this.nodes.get(id)?.hidden?.find(({ from, to }) => from <= version && version <= to);
    return run?.isReadable === true ? run.from - 1 : version;
  }

  /** Runs of readable versions without a shown change, of one node or of all: node by node, in order. */
  *hiddenVersions(id?: string): Generator<HiddenVersions> {
    const nodes = id === undefined ? this.nodes : new Map([[id, this.nodes.get(id)]]);
    for (const [nodeId, node] of nodes)
      for (const { from, to, isReadable } of node?.hidden ?? [])
        if (isReadable) yield { id: nodeId, from, to };
  }

  private hide(
    node: CountedNode,
    { version, at, isReadable }: { version: number; at: number; isReadable: boolean },
  ): void {
    const hidden = (node.hidden ??= []);
    const run = hidden.at(-1);
    if (run?.to === version - 1 && run.isReadable === isReadable) {
      run.to = version;
      return;
    }
    hidden.push({ from: version, to: version, at, isReadable });
    this.runs++;
  }
}

const BEFORE_ALL = new Date(0).toISOString();

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
