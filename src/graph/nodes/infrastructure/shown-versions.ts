import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { openTransaction } from '../../../kernel/database/transaction.js';
import { type Slices } from '../../../kernel/slices.js';
import { KeyedMutex } from '../../../kernel/keyed-mutex.js';
import { type Access, isShownWhole, nameOfShowing, sees } from '../../../privacy/index.js';
import {
  changesShownContents,
  type VersionVisibility,
  versionVisibility,
} from '../domain/version-visibility.js';
import {
  isStamped,
  type NodeRecord,
  type NodeSource,
  slicesOfShowing,
  slicesWithoutEnd,
  stamp,
  StepCounts,
} from '../../common/index.js';
import { type LoggedStep, NodeStepsQueries } from './node-steps.queries.js';

/** The limit of changed nodes and runs of hidden versions, over all callers; about 130 bytes each. */
const KEPT = 400_000;

/** The counted steps of one owner's nodes. */
export interface CountedSteps {
  readonly counts: StepCounts;
  /** The position in the owner's log up to which every changed node has been counted. */
  readonly position: number;
}

const NONE: ReadonlyMap<string, number> = new Map();

/** Callers without masks send no statement that finds nothing: to them only changes of tags can be hidden. */
const sparesStatements = ({ exposure }: Access): boolean => exposure.isIdentity;

/** True if all wanted versions are counted; a first version needs no count. */
const needsNone = (counts: StepCounts, wanted: ReadonlyMap<string, number>): boolean =>
  [...wanted].every(([id, version]) => version <= Math.max(1, counts.lastOf(id)));

/** The counts for one owner and one set of rules. */
type CachedSteps = { -readonly [K in keyof CountedSteps]: CountedSteps[K] };

/**
 * Versions and times of change as shown to callers who are not shown all of each node (rule 3.14e): numbers
 * and times only of steps that changed something they see. Counted from the change log for the requested
 * nodes, each step once for each set of rules and process. All other callers receive the stored values at
 * no cost.
 *
 * The statements of callers with masks depend on their rules alone, not on how often a node was changed in secret nor
 * on what was counted before (ADR 54): those that find nothing are sent as well.
 */
@Injectable()
export class ShownVersions {
  private readonly known = new LRUCache<string, CachedSteps>({
    maxSize: KEPT,
    sizeCalculation: ({ counts }) => counts.size + 1,
  });
  private readonly turns = new KeyedMutex();

  constructor(private readonly steps: NodeStepsQueries) {}

  /**
   * Stamps states of nodes of one owner, past ones too: one statement, and one more for callers with masks. A stamp is
   * final: a version's stamp never changes.
   */
  async stamp(access: Access, nodes: readonly NodeSource[], slices = slicesOfShowing()): Promise<void> {
    if (isShownWhole(access)) return;
    const unstamped = nodes.filter((node) => !isStamped(access, node));
    if (unstamped.length === 0) return;
    stampAs(access, unstamped, await this.counted(access, unstamped, slices));
  }

  /** The numbers under which the caller is shown versions of a node. */
  async numbersOf(access: Access, id: string, versions: readonly number[]): Promise<number[]> {
    if (isShownWhole(access)) return [...versions];
    const wanted = versions.map((version) => ({ id, version }));
    const counts = await this.counted(access, wanted, slicesWithoutEnd());
    return versions.map((version) => counts.numberOf(id, version));
  }

  /**
   * The stored version that a caller means by a number: of the versions shown under it, the last one up to
   * `seen`, the stored version when the caller named it; without `seen` the first one, which is the step
   * that introduced the number.
   */
  async versionOf(
    access: Access,
    { id, version }: VersionOfNode,
    { number, seen = 0 }: { number: number; seen?: number | undefined },
  ): Promise<number> {
    if (isShownWhole(access)) return number;
    const counts = await this.counted(access, [{ id, version }], slicesWithoutEnd());
    const last = counts.shownVersionOf(id, number + 1) - 1;
    return Math.max(counts.shownVersionOf(id, number), Math.min(last, seen));
  }

  /** The same for nodes of several owners. */
  async stampAll<Source extends NodeSource>(
    nodes: readonly Source[],
    accessTo: (node: Source) => Access,
    slices = slicesOfShowing(),
  ): Promise<void> {
    const byAccess = new Map<Access, Source[]>();
    for (const node of nodes) {
      const access = accessTo(node);
      if (isShownWhole(access)) continue;
      const same = byAccess.get(access);
      if (same) same.push(node);
      else byAccess.set(access, [node]);
    }
    for (const [access, those] of byAccess) await this.stamp(access, those, slices);
  }

  /**
   * A page in the order of the shown times, read again if a hidden change came in between. The order
   * reveals no hidden change, unless three come while it is read.
   * @param read receives nodes of this owner whose stored time is later than the shown one, by id, in
   * milliseconds
   */
  async ordered<Page extends { records: readonly NodeRecord[] }>(
    access: Access,
    read: (behind: ReadonlyMap<string, number>) => Promise<Page>,
  ): Promise<Page> {
    if (isShownWhole(access)) return read(NONE);
    for (let tries = 1; ; tries++) {
      const { counts } = await this.followed(access);
      const { moves } = counts;
      const page = await read(counts.behind);
      const own = page.records.filter(({ owner_id }) => owner_id === access.ownerId);
      const wanted = newestOf(own);
      // Only nodes that changed while the page was read.
      if (missingFrom(counts, wanted).length > 0)
        await this.count(access, counts, { wanted, slices: slicesOfShowing() });
      stampAs(access, own, counts);
      if (tries === 3 || counts.moves === moves) return page;
    }
  }

  /**
   * All steps of the owner's nodes, at least up to the guard's position; null for callers who are shown all
   * of each node.
   */
  async countedSteps(access: Access): Promise<CountedSteps | null> {
    return isShownWhole(access) ? null : this.followed(access);
  }

  private followed(access: Access): Promise<CountedSteps> {
    const now = this.of(access);
    if (sparesStatements(access) && now.position >= access.changes) return Promise.resolve({ ...now });
    return this.turns.run(nameOfShowing(access), async () => {
      const known = this.of(access);
      try {
        await this.follow(access, known, slicesOfShowing());
        return { ...known };
      } finally {
        this.keep(access, known);
      }
    });
  }

  /** Counts of these nodes, at least up to these versions. */
  private async counted(
    access: Access,
    versions: readonly VersionOfNode[],
    slices: Slices,
  ): Promise<StepCounts> {
    const wanted = newestOf(versions);
    const known = this.of(access);
    if (sparesStatements(access) && needsNone(known.counts, wanted)) return known.counts;
    // A unit of work sees uncommitted rows, which must not be cached.
    if (openTransaction.getStore() !== null)
      return this.count(access, known.counts.copyOf(wanted.keys()), { wanted, slices });
    try {
      return await this.count(access, known.counts, { wanted, slices });
    } finally {
      this.keep(access, known);
    }
  }

  private async follow(access: Access, known: CachedSteps, slices: Slices): Promise<void> {
    do {
      const { steps, isFull } = await this.steps.since(access.ownerId, known.position);
      await this.take(access, known.counts, { steps, slices });
      const last = steps.at(-1)?.sequence ?? 0;
      known.position = isFull ? last : Math.max(known.position, access.changes, last);
    } while (known.position < access.changes);
  }

  private async count(
    access: Access,
    counts: StepCounts,
    { wanted, slices }: { wanted: ReadonlyMap<string, number>; slices: Slices },
  ): Promise<StepCounts> {
    for (;;) {
      const missing = missingFrom(counts, wanted).map((id) => ({ id, after: counts.lastOf(id) }));
      const { steps, isFull } = await this.steps.after(access.ownerId, missing);
      await this.take(access, counts, { steps, slices });
      if (!isFull || missingFrom(counts, wanted).length === 0) return counts;
    }
  }

  /** One part at a time: decisions are kept when the work takes too long for one request. */
  private async take(
    access: Access,
    counts: StepCounts,
    { steps, slices }: { steps: readonly LoggedStep[]; slices: Slices },
  ): Promise<void> {
    let rest: readonly JudgedStep[] = steps.map((step) => ({
      step,
      visibility: versionVisibility(access, step),
    }));
    do {
      const compared = await this.compared(access, rest, slices);
      const isOpen = ({ step, visibility }: JudgedStep): boolean =>
        visibility === 'compare' && !compared.has(step.sequence);
      const end = rest.findIndex(isOpen);
      const part = end < 0 ? rest : rest.slice(0, end);
      for (const { step, visibility } of part) {
        // Another request may have counted it meanwhile.
        if (step.version <= counts.lastOf(step.nodeId)) continue;
        const isShown = visibility === 'shown' || compared.get(step.sequence) === true;
        const isReadable = isShown || sees(access.nodes.read, step.after);
        counts.take(step.nodeId, { version: step.version, at: step.at, isShown, isReadable });
      }
      rest = rest.slice(part.length);
    } while (rest.length > 0);
  }

  /** The first steps that are to be compared, by their positions in the log: true if they are shown. */
  private async compared(
    access: Access,
    steps: readonly JudgedStep[],
    slices: Slices,
  ): Promise<ReadonlyMap<number, boolean>> {
    const compared = new Map<number, boolean>();
    if (!access.exposure.takesTime) return compared;
    const sequences = steps
      .filter(({ visibility }) => visibility === 'compare')
      .map(({ step }) => step.sequence);
    const found = await this.steps.contents(access.ownerId, sequences);
    // An erasure has taken the log meanwhile: nothing of these steps is shown.
    if (found.length === 0) return new Map(sequences.map((sequence) => [sequence, false]));
    for (const { sequence, ...contents } of found)
      compared.set(sequence, await changesShownContents(access, contents, slices));
    return compared;
  }

  private of(access: Access): CachedSteps {
    const name = nameOfShowing(access);
    let known = this.known.get(name);
    if (known === undefined) this.known.set(name, (known = { counts: new StepCounts(), position: 0 }));
    return known;
  }

  /** Has the cache measure the counts again, which it does for new objects only. */
  private keep(access: Access, known: CachedSteps): void {
    const name = nameOfShowing(access);
    const now = this.known.peek(name);
    const position = now?.counts === known.counts ? Math.max(now.position, known.position) : known.position;
    this.known.set(name, { counts: known.counts, position });
  }
}

interface VersionOfNode {
  id: string;
  version: number;
}

interface JudgedStep {
  step: LoggedStep;
  visibility: VersionVisibility;
}

function stampAs(access: Access, nodes: readonly NodeSource[], counts: StepCounts): void {
  for (const node of nodes) {
    const { id, version, updated_at } = node;
    const at = typeof updated_at === 'string' ? updated_at : updated_at.toISOString();
    stamp(access, node, counts.stampOf(id, version, at));
  }
}

/** The newest of these versions of each node. */
function newestOf(versions: readonly VersionOfNode[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const { id, version } of versions) newest.set(id, Math.max(version, newest.get(id) ?? 0));
  return newest;
}

/** Nodes whose counts do not reach the wanted version; a first version needs no count. */
const missingFrom = (counts: StepCounts, wanted: ReadonlyMap<string, number>): string[] =>
  [...wanted].filter(([id, version]) => version > Math.max(1, counts.lastOf(id))).map(([id]) => id);
