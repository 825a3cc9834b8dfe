import { Injectable } from '@nestjs/common';
import { slicesOfShowing } from '../../graph/index.js';
import { KeyedMutex } from '../../kernel/keyed-mutex.js';
import {
  isShownWhole,
  nameOfShowing,
  type PastAccess,
  PastAccesses,
  type RuleDifference,
  ruleDifference,
  seesEverything,
  visibility,
} from '../../privacy/index.js';
import { ByteBudget } from '../../kernel/database/page-bytes.js';
import { type ChangeEntry } from '../domain/change-entry.js';
import {
  advance,
  type Base,
  beginPass,
  completed,
  isSameMoment,
  momentsOf,
  type Pass,
  type PassOrder,
  READING,
  type Replica,
} from '../domain/replica.js';
import { visibilityOf } from '../domain/scope.js';
import {
  LoggedNodesQueries,
  type Narrowing,
  type Stretch,
  type VisitedNode,
} from '../infrastructure/logged-nodes.queries.js';
import { Comparison } from './comparison.service.js';
import { type View } from './view.js';

/** One page: the entries, and the state of the replica after them. */
export interface Pulled {
  entries: ChangeEntry[];
  replica: Replica;
  /** Another page brings at least one entry. */
  hasMore: boolean;
}

interface Walk {
  entries: ChangeEntry[];
  pass: Pass;
  /** There is an entry for which there was no room. */
  isFull: boolean;
}

const SMALLEST_BATCH = 32;
const LARGEST_BATCH = 1_024;
/**
 * The batch size if nodes may have changed since the pass began: their current states are read whole, and may be large.
 */
const LARGEST_CHANGED_BATCH = 64;
/** Batches of one pass after which the requests about one graph take turns: long walks must not stall others. */
const FREE_BATCHES = 8;

/** Milliseconds of showing after which a page ends that has an entry, if another one follows. */
const PAGE_WORK_MS = 5_000;

/** The size and the work of a page so far. */
interface Spent {
  readonly bytes: ByteBudget;
  workedMs: number;
}

/**
 * Pages of a pass. Everything is read from the change log up to the moment of the request, which never changes there: a
 * page is the same however often it is requested, unless its time is up, and no writer can slip in between two of its
 * statements.
 */
@Injectable()
export class Pulls {
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly logged: LoggedNodesQueries,
    private readonly pastAccesses: PastAccesses,
    private readonly comparison: Comparison,
  ) {}

  /**
   * At most `limit` entries of one pass. If the pass ends and the graph has moved on meanwhile, the next pass begins;
   * the page then says only whether that one has an entry. The search goes to the end of the pass: a page that ended
   * sooner would reveal the number of hidden changes.
   * @param gone aborted when nobody waits for the answer any longer
   */
  async pull(view: View, given: Replica, limit: number, gone?: AbortSignal): Promise<Pulled> {
    const { entries, base, pass, hasMore } = await this.page(view, given, { limit, gone });
    const numbered = numberedFor(view, entries, given.counted);
    return {
      entries: numbered.entries,
      replica: { base, pass, counted: numbered.counted, reading: READING },
      hasMore,
    };
  }

  private async page(
    view: View,
    given: Replica,
    { limit, gone }: { limit: number; gone: AbortSignal | undefined },
  ): Promise<Pick<Replica, 'base' | 'pass'> & Omit<Pulled, 'replica'>> {
    const entries: ChangeEntry[] = [];
    const spent: Spent = { bytes: new ByteBudget(), workedMs: 0 };
    let { base, pass } = given;
    for (let room = limit; ; room = entries.length > 0 ? 0 : limit) {
      const difference = await this.difference(view, base);
      if (pass === null) {
        if (isCurrent(base, view)) return { entries, base, pass, hasMore: false };
        const isUnruled = !difference.isAboutAll && difference.tags.size === 0;
        pass = beginPass(base, view.now, { order: this.orderFor(view), isUnruled });
      }
      const walk: Walk = await this.walk(
        view,
        { base, pass, narrowing: narrowingOf(view, base, { pass, difference }) },
        { room, spent, gone },
      );
      entries.push(...walk.entries);
      pass = walk.pass;
      if (walk.isFull) return { entries, base, pass, hasMore: true };
      base = completed(pass);
      pass = null;
    }
  }

  /** Walks along the keys of a pass, to its end or until there is no room for an entry. */
  private async walk(
    view: View,
    { base, pass: given, narrowing }: { base: Base | null; pass: Pass; narrowing: Narrowing | null },
    { room, spent, gone }: { room: number; spent: Spent; gone: AbortSignal | undefined },
  ): Promise<Walk> {
    const entries: ChangeEntry[] = [];
    let pass = given;
    const head = view.now.changes;
    const { end } = pass;
    const { ownerId } = view.viewer;
    let batches = 0;
    for (let size = Math.max(room + 1, SMALLEST_BATCH); pass.reached < end.changes; size *= 2) {
      if (gone?.aborted) return { entries, pass, isFull: true };
      const limit = Math.min(size, head > end.changes ? LARGEST_CHANGED_BATCH : LARGEST_BATCH);
      const stretch = { ownerId, pass, head, narrowing, limit };
      const look = () => this.look(view, base, stretch);
      const { nodes, reached, found, workedMs } = await (batches++ < FREE_BATCHES
        ? look()
        : this.mutex.run(ownerId, look));
      spent.workedMs += workedMs;
      const full = endOfPage(found, room - entries.length, spent.bytes);
      const stop = spent.workedMs > PAGE_WORK_MS ? endInTime(found, full, entries.length > 0) : full;
      entries.push(...found.slice(0, stop).filter((entry) => entry !== null));
      if (stop < found.length) {
        // The next page begins at its first entry: nodes without an entry before it must not show.
        const before = (nodes[stop] as VisitedNode).key - 1;
        return { entries, pass: advance(pass, before, view.now), isFull: true };
      }
      pass = advance(pass, reached, view.now);
    }
    return { entries, pass, isFull: false };
  }

  /**
   * A hidden change must not move what is sent: only callers from whom nothing is hidden get the order of last changes.
   */
  private orderFor({ access }: View): PassOrder {
    return seesEverything(access.access) ? 'last change' : 'creation';
  }

  private async look(view: View, base: Base | null, stretch: Stretch) {
    const { nodes, reached } = await this.logged.next(stretch);
    const slices = slicesOfShowing();
    const { changes: end } = stretch.pass.end;
    const found = await this.comparison.entries(view, base, nodes, { end, slices });
    return { nodes, reached, found, workedMs: slices.spentMs };
  }

  /** The difference between the present rules and those of all moments of the base. */
  private async difference({ viewer, access }: View, base: Base | null): Promise<RuleDifference> {
    const tags = new Map<string, Date>();
    let isAboutAll = false;
    for (const moment of base === null ? [] : momentsOf(base)) {
      const past: PastAccess | null = await this.pastAccesses.at(viewer, moment);
      const difference = ruleDifference(past, access);
      difference.tags.forEach((since, id) => tags.set(id, since));
      isAboutAll ||= difference.isAboutAll || (past !== null && renumbersVersions(past, access));
    }
    return { isAboutAll, tags };
  }
}

/**
 * True if versions are counted by other rules: a deleted tag let its nodes be read, or was known on them, in past
 * versions of nodes that no longer carry it (rule 3.14e).
 */
const renumbersVersions = ({ access: past }: PastAccess, { access: now }: PastAccess): boolean =>
  !(isShownWhole(past) && isShownWhole(now)) && nameOfShowing(past) !== nameOfShowing(now);

/**
 * The entries with the numbers of rule 7.7: positions in the owner's log for callers who see all of it, else counted on
 * from the last delivered one, so that no hidden change leaves a gap.
 */
function numberedFor(
  { access }: View,
  entries: ChangeEntry[],
  counted: number,
): { entries: ChangeEntry[]; counted: number } {
  if (seesEverything(access.access))
    return { entries, counted: entries.reduce((most, { version }) => Math.max(most, version), counted) };
  const numbered = entries.map((entry, index) => ({ ...entry, version: counted + index + 1 }));
  return { entries: numbered, counted: counted + entries.length };
}

const isCurrent = (base: Base | null, { now }: View): boolean =>
  base !== null && base.seams.length === 0 && isSameMoment(base.end, now);

/** The index of the first entry without room in the page; the length if there is room for all. */
function endOfPage(found: readonly (ChangeEntry | null)[], room: number, bytes: ByteBudget): number {
  let count = 0;
  const index = found.findIndex((entry) => {
    if (entry === null) return false;
    if (count++ === room || bytes.isUsedUp) return true;
    bytes.take(entry);
    return false;
  });
  return index === -1 ? found.length : index;
}

/**
 * The index of the last entry that has room: it begins the next page, so that one is known to follow. The only entry of
 * a page stays.
 */
function endInTime(found: readonly (ChangeEntry | null)[], full: number, hasEntries: boolean): number {
  const places = found.slice(0, full).flatMap((entry, index) => (entry === null ? [] : [index]));
  const last = places.at(-1);
  return last === undefined || (!hasEntries && places.length === 1) ? full : last;
}

function narrowingOf(
  { access, scope }: View,
  base: Base | null,
  { pass, difference }: { pass: Pass; difference: RuleDifference },
): Narrowing | null {
  if (base === null)
    return { kind: 'seen', by: visibility.and(access.access.nodes.read, visibilityOf(scope)) };
  if (difference.isAboutAll || pass.start > 0) return null;
  return { kind: 'touched', since: base.end.changes, tagIds: [...difference.tags.keys()] };
}
