import { Injectable } from '@nestjs/common';
import {
  type PastAccess,
  PastAccesses,
  type RuleDifference,
  ruleDifference,
  visibility,
} from '../../privacy/index.js';
import { ByteBudget } from '../../kernel/persistence/page-bytes.js';
import { type ChangeEntry } from '../domain/change-entry.js';
import { type LoggedNode } from '../domain/logged-node.js';
import {
  advance,
  type Base,
  beginPass,
  completed,
  isSameMoment,
  momentsOf,
  type Pass,
  type Replica,
} from '../domain/replica.js';
import { visibilityOf } from '../domain/scope.js';
import { LoggedNodesQueries, type Narrowing } from '../infrastructure/logged-nodes.queries.js';
import { Comparison } from './comparison.service.js';
import { type View } from './view.js';

/** What a client is to do next, and what it holds when it has done so. */
export interface Pulled {
  entries: ChangeEntry[];
  replica: Replica;
  /** Another page brings at least one entry; or so much was looked at in vain that the client may ask again. */
  hasMore: boolean;
}

/** What one page may cost. */
interface Budget {
  batches: number;
  bytes: ByteBudget;
}

interface Walk {
  entries: ChangeEntry[];
  pass: Pass;
  /** There is an entry for which there was no room. */
  isFull: boolean;
}

const SMALLEST_BATCH = 32;
const LARGEST_BATCH = 1_024;
/** Batches looked at for one page; keeps a page short where next to nothing of a large graph concerns the caller. */
const MOST_BATCHES = 8;

/**
 * Pages of a pass. Everything is read from the change log up to the moment of the request, where it never changes: so a
 * page is the same however often it is asked for, and no writer can slip between two of its statements.
 */
@Injectable()
export class Pulls {
  constructor(
    private readonly logged: LoggedNodesQueries,
    private readonly pastAccesses: PastAccesses,
    private readonly comparison: Comparison,
  ) {}

  /**
   * At most `limit` entries of one pass. When it ends and the graph has moved on meanwhile, the next pass begins; the
   * page then says only whether that one has an entry.
   */
  async pull(view: View, given: Replica, limit: number): Promise<Pulled> {
    const entries: ChangeEntry[] = [];
    const budget = { batches: MOST_BATCHES, bytes: new ByteBudget() };
    let { base, pass } = given;
    for (let room = limit; ; room = entries.length > 0 ? 0 : limit) {
      const difference = await this.difference(view, base);
      if (pass === null) {
        if (isCurrent(base, view)) return { entries, replica: { base, pass }, hasMore: false };
        pass = beginPass(base, view.now, !difference.isAboutAll && difference.tags.size === 0);
      }
      const walk: Walk = await this.walk(
        view,
        { base, pass, narrowing: narrowingOf(view, base, { pass, difference }) },
        { room, budget },
      );
      entries.push(...walk.entries);
      pass = walk.pass;
      if (walk.isFull || budget.batches === 0) {
        return { entries, replica: { base, pass }, hasMore: true };
      }
      base = completed(pass);
      pass = null;
    }
  }

  /** Along the keys of a pass, to its end or until there is no room for an entry. */
  private async walk(
    view: View,
    { base, pass: given, narrowing }: { base: Base | null; pass: Pass; narrowing: Narrowing | null },
    { room, budget }: { room: number; budget: Budget },
  ): Promise<Walk> {
    const entries: ChangeEntry[] = [];
    let pass = given;
    const head = view.now.changes;
    const { end } = pass;
    for (
      let size = Math.max(room + 1, SMALLEST_BATCH);
      pass.reached < end.changes && budget.batches > 0;
      size *= 2
    ) {
      const limit = Math.min(size, LARGEST_BATCH);
      const { nodes, reached, isCut } = await this.logged.next({
        ownerId: view.viewer.ownerId,
        after: pass.reached,
        upTo: end.changes,
        end: end.changes,
        head,
        narrowing,
        limit,
      });
      // Large nodes are looked at in more batches: how large hidden ones are must not show in where a page ends.
      if (!isCut) budget.batches--;
      const found = await this.comparison.entries(view, base, nodes, end.changes);
      const stop = endOfPage(found, room - entries.length, budget.bytes);
      entries.push(...found.slice(0, stop).filter((entry) => entry !== null));
      if (stop < found.length) {
        const before = stop === 0 ? pass.reached : (nodes[stop - 1] as LoggedNode).sequence;
        return { entries, pass: advance(pass, before, view.now), isFull: true };
      }
      pass = advance(pass, reached, view.now);
    }
    return { entries, pass, isFull: false };
  }

  /** Between now and whatever moments the base was seen at. */
  private async difference({ viewer, access }: View, base: Base | null): Promise<RuleDifference> {
    const tags = new Map<string, Date>();
    let isAboutAll = false;
    for (const moment of base === null ? [] : momentsOf(base)) {
      const past: PastAccess | null = await this.pastAccesses.at(viewer, moment);
      const difference = ruleDifference(past, access);
      difference.tags.forEach((since, id) => tags.set(id, since));
      isAboutAll ||= difference.isAboutAll;
    }
    return { isAboutAll, tags };
  }
}

const isCurrent = (base: Base | null, { now }: View): boolean =>
  base !== null && base.seams.length === 0 && isSameMoment(base.end, now);

/** Of the entries, the first for which there is no room in the page; the length when there is room for all. */
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
