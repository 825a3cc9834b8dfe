import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { openTransaction } from '../../kernel/persistence/database.js';
import { type Slices } from '../../kernel/slices.js';
import { Turns } from '../../kernel/turns.js';
import { type Access, isShownWhole, nameOfShowing, sees } from '../../privacy/index.js';
import {
  changesShownContents,
  type VersionVisibility,
  versionVisibility,
} from '../domain/version-visibility.js';
import { isStamped, type NodeSource, slicesOfShowing, slicesWithoutEnd, stamp } from '../domain/node-view.js';
import { type NodeRecord } from '../domain/node-record.js';
import { StepCounts } from '../domain/step-counts.js';
import { type LoggedStep, NodeStepsQueries } from './node-steps.queries.js';

/** The limit of changed nodes and runs of hidden versions, over all callers; about 130 bytes each. */
const KEPT = 400_000;
/** The number of steps whose contents are compared at a time: two states each, of half a megabyte at most. */
const COMPARED = 8;

/** Finds which versions of an owner's nodes a caller is shown. */
export interface CountedSteps {
  readonly counts: StepCounts;
  /** The position in the owner's log up to which every changed node has been counted. */
  readonly position: number;
}

const NONE: ReadonlyMap<string, number> = new Map();

/** The counts for one owner and one set of rules. */
type Known = { -readonly [K in keyof CountedSteps]: CountedSteps[K] };

/**
 * Versions and times of change as shown to callers who are not shown all of each node (rule 3.14e): numbers
 * and times only of steps that changed something they see. Counted from the change log for the requested
 * nodes, each step once for each set of rules and process. All other callers receive the stored values at
 * no cost.
 */
@Injectable()
export class ShownVersions {
  private readonly known = new LRUCache<string, Known>({
    maxSize: KEPT,
    sizeCalculation: ({ counts }) => counts.size + 1,
  });
  private readonly turns = new Turns();

  constructor(private readonly steps: NodeStepsQueries) {}

  /**
   * Stamps states of nodes of one owner, past ones too. At most one statement if no step needs its contents
   * compared; none for first versions and for cached ones. A stamp is final: a version's stamp never
   * changes.
   */
  async stamp(access: Access, nodes: readonly NodeSource[], slices = slicesOfShowing()): Promise<void> {
    if (isShownWhole(access)) return;
    const unstamped = nodes.filter((node) => !isStamped(access, node));
    if (unstamped.length === 0) return;
    const counts = await this.counted(access, unstamped, slices);
    for (const node of unstamped) {
      const { id, version, updated_at } = node;
      const at = typeof updated_at === 'string' ? updated_at : updated_at.toISOString();
      stamp(access, node, counts.stampOf(id, version, at));
    }
  }

  /** The number under which the caller is shown a version of a node. */
  async numberOf(
    access: Access,
    { id, version }: VersionOfNode,
    slices = slicesWithoutEnd(),
  ): Promise<number> {
    if (isShownWhole(access)) return version;
    return (await this.counted(access, [{ id, version }], slices)).numberOf(id, version);
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
      const behind = await this.behind(access);
      const { moves } = this.of(access).counts;
      const page = await read(behind);
      const own = page.records.filter(({ owner_id }) => owner_id === access.ownerId);
      await this.stamp(access, own);
      if (tries === 3 || this.of(access).counts.moves === moves) return page;
    }
  }

  /**
   * The owner's nodes whose stored time of change is later than the shown one, by id; at least up to the
   * guard's position.
   */
  private async behind(access: Access): Promise<ReadonlyMap<string, number>> {
    return (await this.countedSteps(access))?.counts.behind ?? NONE;
  }

  /**
   * All steps of the owner's nodes, at least up to the guard's position; null for callers who are shown all
   * of each node.
   */
  async countedSteps(access: Access): Promise<CountedSteps | null> {
    if (isShownWhole(access)) return null;
    const known = this.of(access);
    if (known.position >= access.changes) return { ...known };
    return this.inTurn(access, async (now) => {
      await this.follow(access, now, slicesOfShowing());
      return { ...now };
    });
  }

  /** Counts of these nodes, at least up to these versions. */
  private async counted(
    access: Access,
    versions: readonly VersionOfNode[],
    slices: Slices,
  ): Promise<StepCounts> {
    const wanted = new Map<string, number>();
    for (const { id, version } of versions) wanted.set(id, Math.max(version, wanted.get(id) ?? 0));
    const { counts } = this.of(access);
    if (missingFrom(counts, wanted).size === 0) return counts;
    // A unit of work sees uncommitted rows, which must not be cached; nor may it wait for others while it
    // holds locks.
    if (openTransaction.getStore() !== null)
      return this.count(access, counts.copyOf(wanted.keys()), { wanted, slices });
    return this.inTurn(access, (known) => this.count(access, known.counts, { wanted, slices }));
  }

  private async follow(access: Access, known: Known, slices: Slices): Promise<void> {
    while (known.position < access.changes) {
      const { edits, isFull } = await this.steps.edits(access.ownerId, known.position);
      const wanted = new Map(edits.map(({ nodeId, version }) => [nodeId, version]));
      await this.count(access, known.counts, { wanted, slices });
      const last = edits.at(-1)?.sequence ?? 0;
      known.position = isFull ? last : Math.max(access.changes, last);
    }
  }

  private async count(
    access: Access,
    counts: StepCounts,
    { wanted, slices }: { wanted: ReadonlyMap<string, number>; slices: Slices },
  ): Promise<StepCounts> {
    for (;;) {
      const missing = [...missingFrom(counts, wanted).keys()];
      if (missing.length === 0) return counts;
      const asked = missing.map((id) => ({ id, after: counts.lastOf(id) }));
      const { steps, isFull } = await this.steps.after(access.ownerId, asked);
      await this.take(access, counts, { steps, slices });
      if (!isFull) return counts;
    }
  }

  /** One part at a time: decisions are kept when the work takes too long for one request. */
  private async take(
    access: Access,
    counts: StepCounts,
    { steps, slices }: { steps: readonly LoggedStep[]; slices: Slices },
  ): Promise<void> {
    for (const part of partsOf(access, steps)) {
      const shown = await this.shownByContents(access, part, slices);
      for (const { step, visibility } of part) {
        const isShown = visibility === 'shown' || shown.has(step.sequence);
        const isReadable = isShown || sees(access.nodes.read, step.after);
        counts.take(step.nodeId, { version: step.version, at: step.at, isShown, isReadable });
      }
    }
  }

  private async shownByContents(
    access: Access,
    part: readonly Judged[],
    slices: Slices,
  ): Promise<Set<number>> {
    const compared = part
      .filter(({ visibility }) => visibility === 'compare')
      .map(({ step }) => step.sequence);
    const shown = new Set<number>();
    if (compared.length === 0) return shown;
    for (const { sequence, ...contents } of await this.steps.contents(access.ownerId, compared))
      if (await changesShownContents(access, contents, slices)) shown.add(sequence);
    return shown;
  }

  private of(access: Access): Known {
    return this.known.get(nameOfShowing(access)) ?? { counts: new StepCounts(), position: 0 };
  }

  /** Runs one request's counting at a time, so that nothing is counted twice for one caller. */
  private inTurn<T>(access: Access, work: (known: Known) => Promise<T>): Promise<T> {
    const name = nameOfShowing(access);
    return this.turns.take(name, async () => {
      const known = this.of(access);
      try {
        return await work(known);
      } finally {
        // A new object, because the cache measures only new objects.
        this.known.set(name, { ...known });
      }
    });
  }
}

interface VersionOfNode {
  id: string;
  version: number;
}

interface Judged {
  step: LoggedStep;
  visibility: VersionVisibility;
}

/** The steps in their order, in parts with a limited number of comparisons. */
function partsOf(access: Access, steps: readonly LoggedStep[]): Judged[][] {
  const parts: Judged[][] = [];
  let room = 0;
  for (const step of steps) {
    const visibility = versionVisibility(access, step);
    if (visibility === 'compare') room--;
    if (room < 0 || parts.length === 0) {
      parts.push([]);
      room = visibility === 'compare' ? COMPARED - 1 : COMPARED;
    }
    (parts.at(-1) as Judged[]).push({ step, visibility });
  }
  return parts;
}

/** Nodes whose counts do not reach the wanted version; a first version needs no count. */
function missingFrom(counts: StepCounts, wanted: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...wanted].filter(([id, version]) => version > Math.max(1, counts.lastOf(id))));
}
