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
} from '../../privacy/index.js';
import { ByteBudget } from '../../kernel/database/page-bytes.js';
import { type ChangeEntry } from '../domain/change-entry.js';
import {
  advance,
  type Base,
  completed,
  isSameMoment,
  lastMomentOf,
  momentsOf,
  NO_PROGRESS,
  type PartName,
  type Pass,
  type Progress,
  READING,
  type Replica,
  wholeAt,
} from '../domain/replica.js';
import { type AnyFeed, type Stage } from './feed.js';
import { Feeds } from './feeds.service.js';
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

interface Looked {
  things: readonly { key: number }[];
  reached: number;
  found: (ChangeEntry | null)[];
  full: number;
}

/** The entries of one feed, and the progress after them. */
interface FeedPage {
  entries: ChangeEntry[];
  progress: Progress;
  hasMore: boolean;
}

interface PageWork {
  room: PageRoom;
  gone: AbortSignal | undefined;
}

const SMALLEST_BATCH = 32;
const LARGEST_BATCH = 1_024;
/** Batches of one pass after which the requests about one graph take turns: long walks must not stall others. */
const FREE_BATCHES = 8;

/** Milliseconds of showing after which a page ends that has an entry, if another one follows (rule 7.10b). */
const PAGE_WORK_MS = 5_000;

/** The room of a page, and the work that it has taken. */
class PageRoom {
  workedMs = 0;
  private readonly bytes = new ByteBudget();

  /** @param left the number of entries that still have room */
  constructor(public left: number) {}

  get isFull(): boolean {
    return this.left === 0 || this.bytes.isUsedUp || this.workedMs > PAGE_WORK_MS;
  }

  /** Takes an entry; false if there is no room for it. */
  take(entry: ChangeEntry): boolean {
    if (this.left === 0 || this.bytes.isUsedUp) return false;
    this.left--;
    this.bytes.take(entry);
    return true;
  }
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
    private readonly feeds: Feeds,
    private readonly pastAccesses: PastAccesses,
  ) {}

  /**
   * At most `limit` entries of one pass over the nodes, and one over each part that the view includes. If a pass ends and
   * the graph has moved on meanwhile, the next pass begins; the page then says only whether that one has an entry. The
   * search goes to the end of the pass: a page that ended sooner would reveal the number of hidden changes.
   * @param gone aborted when nobody waits for the answer any longer
   */
  async pull(view: View, given: Replica, limit: number, gone?: AbortSignal): Promise<Pulled> {
    const work = { room: new PageRoom(limit), gone };
    const nodes = await this.feedPage(view, this.feeds.nodes, { given, work });
    const entries = [...nodes.entries];
    let { hasMore } = nodes;
    const parts: Partial<Record<PartName, Progress>> = { ...given.parts };
    for (const name of view.include) {
      const part = parts[name] ?? NO_PROGRESS;
      parts[name] = part;
      // Another page follows in any case.
      if (hasMore && work.room.isFull) continue;
      const page = await this.feedPage(view, this.feeds.parts[name], { given: part, work });
      entries.push(...page.entries);
      parts[name] = page.progress;
      hasMore ||= page.hasMore;
    }
    // Today’s rules decide whether positions of the log may be shown.
    const numbered = numberedFor(view, entries, given.counted);
    const { base, pass } = nodes.progress;
    return {
      entries: numbered.entries,
      replica: { base, pass, parts, counted: numbered.counted, reading: READING },
      hasMore,
    };
  }

  /**
   * A pass continues as of its last page, by the rules of then, while the caller is shown everything as then: otherwise
   * its cursors would grow by each page before which something hidden was changed (rule 7.10b). By the rules of now, a
   * state of then could show what was hidden both then and now.
   */
  private async feedPage(
    view: View,
    feed: AnyFeed,
    { given, work }: { given: Progress; work: PageWork },
  ): Promise<FeedPage> {
    const { base, pass } = given;
    const isUnderWay = pass !== null && !seesEverything(view.access.access);
    if (!isUnderWay || (await this.isChanged(view, feed, { pass, gone: work.gone })))
      return this.page(view, feed, { given, work });
    const now = lastMomentOf(pass);
    const access = await this.pastAccesses.at(view.viewer, now);
    if (access === null) return this.page(view, feed, { given, work });
    const then = { ...view, now, access, asked: view.access };
    return this.page(then, feed, { given: { base, pass: { ...pass, alike: view.now } }, work });
  }

  /** True if the caller is shown anything otherwise than at the last page of a pass. */
  private async isChanged(
    view: View,
    feed: AnyFeed,
    { pass: { alike }, gone }: { pass: Pass; gone: AbortSignal | undefined },
  ): Promise<boolean> {
    if (isSameMoment(alike, view.now)) return false;
    const given = { base: wholeAt(alike), pass: null };
    return (await this.page(view, feed, { given, work: { room: new PageRoom(0), gone } })).hasMore;
  }

  private async page(
    view: View,
    feed: AnyFeed,
    { given, work }: { given: Progress; work: PageWork },
  ): Promise<FeedPage> {
    const entries: ChangeEntry[] = [];
    const limit = work.room.left;
    let { room } = work;
    let { base, pass } = given;
    for (let first = limit + 1; ; first = entries.length > 0 ? 1 : limit + 1) {
      const difference = await this.difference(view, base);
      if (pass === null) {
        if (isCurrent(base, view)) return { entries, progress: { base, pass }, hasMore: false };
        pass = feed.begin(view, base, difference);
      }
      const stage = { base, pass, difference };
      const walk: Walk = await this.walk(view, feed, { stage, first, work: { ...work, room } });
      entries.push(...walk.entries);
      // The next pass only shows whether it has an entry.
      if (entries.length > 0) room = new PageRoom(0);
      pass = walk.pass;
      if (walk.isFull) return { entries, progress: { base, pass }, hasMore: true };
      base = completed(pass);
      pass = null;
    }
  }

  /**
   * Walks along the keys of a pass, to its end or until there is no room for an entry.
   * @param options `first`: the number of things to look at first
   */
  private async walk(
    view: View,
    feed: AnyFeed,
    { stage: begun, first, work: { room, gone } }: { stage: Stage; first: number; work: PageWork },
  ): Promise<Walk> {
    const entries: ChangeEntry[] = [];
    let { pass } = begun;
    const { end } = pass;
    let batches = 0;
    for (let size = Math.max(first, SMALLEST_BATCH); pass.reached < end.changes; size *= 2) {
      if (gone?.aborted) return { entries, pass, isFull: true };
      const stage = { ...begun, pass };
      const limit = Math.min(size, LARGEST_BATCH);
      const look = () => this.look(view, feed, { stage, limit, room });
      const { things, reached, found, full } = await (batches++ < FREE_BATCHES
        ? look()
        : this.mutex.run(view.viewer.ownerId, look));
      const stop = room.workedMs > PAGE_WORK_MS ? endInTime(found, full, entries.length > 0) : full;
      entries.push(...found.slice(0, stop).filter((entry) => entry !== null));
      if (stop < found.length) {
        // The next page begins at its first entry: things without an entry before it must not show.
        const before = (things[stop] as { key: number }).key - 1;
        return { entries, pass: advance(pass, before, view.now), isFull: true };
      }
      pass = advance(pass, reached, view.now);
    }
    return { entries, pass, isFull: false };
  }

  /**
   * The entries of the next things, up to the first one without room.
   * @returns also the index of that one, or their number
   */
  private async look(
    view: View,
    feed: AnyFeed,
    { stage, limit, room }: { stage: Stage; limit: number; room: PageRoom },
  ): Promise<Looked> {
    const { things, reached } = await feed.next(view, stage, limit);
    const slices = slicesOfShowing();
    const found: (ChangeEntry | null)[] = [];
    let full = 0;
    for await (const entry of feed.entries(view, stage, { things, slices })) {
      found.push(entry);
      if (entry !== null && !room.take(entry)) break;
      full = found.length;
    }
    room.workedMs += slices.spentMs;
    return { things, reached, found, full };
  }

  /** The difference between the present rules and those of all moments of the base. */
  private async difference({ viewer, access }: View, base: Base | null): Promise<RuleDifference> {
    const tags = new Map<string, Date>();
    let isAboutAll = false;
    const moments = base === null ? [] : momentsOf(base);
    for await (const { found: past } of this.pastAccesses.atEach(viewer, moments)) {
      const difference = await ruleDifference(past, access);
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

/**
 * The index of the last entry that has room: it begins the next page, so that one is known to follow. The only entry of
 * a page stays.
 */
function endInTime(found: readonly (ChangeEntry | null)[], full: number, hasEntries: boolean): number {
  const places = found.slice(0, full).flatMap((entry, index) => (entry === null ? [] : [index]));
  const last = places.at(-1);
  return last === undefined || (!hasEntries && places.length === 1) ? full : last;
}
