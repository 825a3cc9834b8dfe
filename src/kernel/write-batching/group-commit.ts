import { Logger } from '@nestjs/common';
import { AsyncResource } from 'node:async_hooks';
import { CHANGES_INSERT, CHANGES_RECORD, CHANGES_SELECT } from '../change-log/changes-table.js';
import {
  addedBy,
  type Counted,
  COUNTERS,
  countersOf,
  type QuotaChecks,
  raisedBy,
} from '../change-log/quota-statements.js';
import { type Statement } from '../database/cached-row-description.js';
import { type SendAlone } from '../database/lazy-transaction.js';
import { isRefused } from '../database/violations.js';
import { type BatchableFollowUp, type SharedInsert } from './batchable-write.js';

/** The writes of one unit of work: a new row, its change, and the rows of followers. */
export interface SharedUnit {
  readonly ownerId: string;
  /** The time of the change. */
  readonly at: Date;
  /** Name of the statement: units with the same name write the same kinds of rows. */
  readonly name: string;
  readonly row: SharedInsert;
  readonly change: object;
  readonly following: readonly BatchableFollowUp[];
}

interface Waiting {
  readonly unit: SharedUnit;
  readonly json: string;
  readonly send: SendAlone;
  readonly resolve: (counted: Counted | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The number of statements at a time; while they run, the next units gather. Two, so that one slow statement does not
 * stop all.
 */
const MAX_OPEN = 2;
const MAX_UNITS = 32;
/** Most units that wait. Further ones are written alone, and refused if there is no connection for them. */
const MAX_WAITING = 1_000;
/** Longer rows, in characters, go alone, so that a statement of many stays small. */
const MAX_ROW = 16_384;
/** The time for which the owners of a refused statement are written alone: the obstacle may last. */
const APART_MS = 60_000;
/** Longer than the server's statement timeout: a host that has vanished must not keep its slot forever. */
const QUERY_TIMEOUT_MS = 75_000;

/**
 * Joins units of work that are one new row and its change: those that arrive while a statement runs share the next
 * statement, its cost and its commit. Each owner's changes are numbered as if they had been written one after the
 * other. Another holder of an owner's counter delays only this owner: such units are written alone, and so are those of
 * an owner who would exceed a quota, and all units of a statement that the database refused, because any of them may be
 * the cause. If the outcome of a statement is unknown, all of its units fail.
 */
export class GroupCommit {
  private waiting: Waiting[] = [];
  private readonly writing = new Set<string>();
  private readonly apart = new Map<string, number>();
  /** Texts of statements by the names of their units; they contain the limits of quotas. */
  private readonly texts = new Map<string, string>();
  private readonly logger = new Logger('group-commit');
  private open = 0;
  private isDue = false;
  /**
   * Bound to no request: the first unit's context must not leak into the units that follow, nor its person's place for
   * writes be taken for all of them.
   */
  private readonly sendAll = AsyncResource.bind(() => this.sendWhatFits());

  constructor(private readonly checks: QuotaChecks) {}

  /** @returns the owner's counters; null when nothing was written and the unit must be written alone */
  write(unit: SharedUnit, send: SendAlone): Promise<Counted | null> {
    const json = JSON.stringify(unit.row.row);
    if (json.length > MAX_ROW || this.waiting.length >= MAX_WAITING || this.isApart(unit.ownerId))
      return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.waiting.push({ unit, json, send, resolve, reject });
      if (this.isDue) return;
      this.isDue = true;
      // Runs after all units of this tick are queued, and before the next turn of the event loop.
      process.nextTick(() => this.sendAll());
    });
  }

  private sendWhatFits(): void {
    this.isDue = false;
    while (this.open < MAX_OPEN) {
      const group = this.next();
      if (group.length === 0) return;
      void this.commit(group);
    }
  }

  /** The oldest waiting units of one shape, without owners whose counters a statement of ours holds. */
  private next(): Waiting[] {
    const group: Waiting[] = [];
    const others: Waiting[] = [];
    for (const waiting of this.waiting) {
      const { ownerId, name } = waiting.unit;
      const fits =
        group.length < MAX_UNITS &&
        !this.writing.has(ownerId) &&
        (group.length === 0 || group[0]?.unit.name === name);
      (fits ? group : others).push(waiting);
    }
    this.waiting = others;
    return group;
  }

  private async commit(group: readonly Waiting[]): Promise<void> {
    const [first] = group as [Waiting];
    const owners = [...new Set(group.map(({ unit }) => unit.ownerId))];
    this.open++;
    for (const id of owners) this.writing.add(id);
    try {
      const rows = await first.send<Counted>(this.statementOf(group, owners));
      const counted = new Map(rows.map((row) => [row.id, row]));
      for (const { unit, resolve } of group) resolve(counted.get(unit.ownerId) ?? null);
    } catch (error) {
      if (isRefused(error)) this.keepApart(owners, error);
      for (const { resolve, reject } of group) {
        if (isRefused(error)) resolve(null);
        else reject(error);
      }
    } finally {
      this.open--;
      for (const id of owners) this.writing.delete(id);
      this.sendAll();
    }
  }

  private keepApart(owners: readonly string[], error: unknown): void {
    const { code } = error as { code?: string };
    this.logger.warn(`a statement of several owners was refused (${code}); each is written alone`);
    const now = performance.now();
    for (const [id, until] of this.apart) if (until <= now) this.apart.delete(id);
    for (const id of owners) this.apart.set(id, now + APART_MS);
  }

  private statementOf(group: readonly Waiting[], owners: readonly string[]): Statement {
    const { name, following, row } = (group[0] as Waiting).unit;
    const payloads = following.flatMap((part, index) =>
      part.payload === null ? [] : [JSON.stringify(group.map(({ unit }) => unit.following[index]?.payload))],
    );
    let text = this.texts.get(name);
    if (text === undefined) {
      text = textOf(row.text, { following, fits: this.checks.fits('g') });
      this.texts.set(name, text);
    }
    const rows = `[${group.map(({ json }) => json).join(',')}]`;
    const values = [owners, rows, JSON.stringify(numbered(group)), ...payloads];
    return { name, text, values, query_timeout: QUERY_TIMEOUT_MS };
  }

  private isApart(ownerId: string): boolean {
    const until = this.apart.get(ownerId);
    return until !== undefined && until > performance.now();
  }
}

/** Changes with their positions among those of their owner; none is older than the change before it. */
function numbered(group: readonly Waiting[]): object[] {
  const last = new Map<string, { position: number; at: Date }>();
  return group.map(({ unit: { ownerId, at, change } }) => {
    const before = last.get(ownerId) ?? { position: 0, at };
    const own = { position: before.position + 1, at: at < before.at ? before.at : at };
    last.set(ownerId, own);
    return { ...change, ...own, owner_id: ownerId };
  });
}

/**
 * Locks the counters first, and only those that are free, open and within their quotas: no owner waits for another's
 * counter or is refused because of another's quota or import.
 */
function textOf(
  row: string,
  { following, fits }: { following: readonly BatchableFollowUp[]; fits: string },
): string {
  let place = 3;
  const followed = following.map(({ shared = '', payload }) =>
    payload === null ? shared : shared.replaceAll('$payload', `$${++place}::jsonb`),
  );
  const parts = [
    `given AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (owner_id uuid, at timestamptz, ${CHANGES_RECORD}))`,
    `held AS MATERIALIZED (
  SELECT id, changed_at FROM sequences WHERE id = ANY ($1::uuid[]) AND NOT (is_closed OR is_importing) ORDER BY id FOR UPDATE SKIP LOCKED)`,
    `counted AS (
  UPDATE sequences AS s SET changes = s.changes + g.changes, changed_at = greatest(s.changed_at, g.at), ${raisedBy('g')}
  FROM held AS h JOIN (
    SELECT r.owner_id, count(*) AS changes, max(r.at) AS at, ${addedBy('r.owner_id')} FROM given AS r GROUP BY r.owner_id
  ) AS g ON g.owner_id = h.id
  WHERE s.id = h.id AND ${fits}
  RETURNING s.id AS owner_id, s.changes - g.changes AS before, h.changed_at AS since, s.changed_at, s.is_followed,
    ${countersOf('s')})`,
    `written AS (${row.replaceAll('$rows', '$2::jsonb')})`,
    `numbered AS (
  SELECT r.*, c.before + r.position AS sequence, greatest(c.since, r.at) AS changed_at
  FROM given AS r JOIN counted AS c ON c.owner_id = r.owner_id)`,
    `changed AS (${CHANGES_INSERT} SELECT r.owner_id, r.sequence, ${CHANGES_SELECT}, r.changed_at FROM numbered AS r)`,
    ...followed,
  ];
  return `WITH ${parts.join(',\n')}\nSELECT owner_id AS id, is_followed, ${COUNTERS} FROM counted`;
}
