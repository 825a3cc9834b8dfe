import { Logger } from '@nestjs/common';
import { AsyncResource } from 'node:async_hooks';
import { type Statement } from '../persistence/described-once.js';
import { type SharedWrite } from '../persistence/database.js';
import { isRefused } from '../persistence/violations.js';
import { type FollowUp } from './change-followers.js';
import { CHANGES_INSERT, CHANGES_RECORD, CHANGES_SELECT } from './changes-table.js';
import {
  addedBy,
  type Counted,
  COUNTERS,
  countersOf,
  type QuotaChecks,
  raisedBy,
} from './quota-statements.js';

/** What one unit of work writes: a new row, its change, and what follows from it. */
export interface SharedUnit {
  readonly ownerId: string;
  /** When it happened. */
  readonly at: Date;
  /** Units with the same name write the same kinds of things. */
  readonly name: string;
  readonly row: SharedWrite;
  readonly change: object;
  readonly following: readonly FollowUp[];
}

/** Sends a statement that is a transaction of its own. */
export type SendAlone = <Row extends object>(statement: Statement) => Promise<Row[]>;

interface Waiting {
  readonly unit: SharedUnit;
  readonly json: string;
  readonly send: SendAlone;
  readonly resolve: (counted: Counted | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements at once: while they run the next ones gather. Two, so that one that is slow does not stop all. */
const MAX_OPEN = 2;
const MAX_UNITS = 32;
/** So many wait at most; who comes then goes alone, and is refused when there is no connection for it. */
const MAX_WAITING = 1_000;
/** Longer rows, in characters, go alone, so that a statement of many stays small. */
const MAX_ROW = 16_384;
/** For so long the owners of a statement that was refused go alone: what was in its way may be there for a while. */
const APART_MS = 60_000;
/** Longer than the server lets a statement take: a host that has vanished must not keep a place for ever. */
const QUERY_TIMEOUT_MS = 75_000;

/**
 * Units of work that are one new row and its change share a statement, and so its price and its commit, with those
 * that come while the last one runs. Each owner's changes are numbered as if they had come one after the other.
 * Whoever else holds an owner's counter keeps only this owner waiting: such units are written alone, and so are those of
 * an owner who would go beyond a quota, and all of a statement that the database has refused, for one of them may be to
 * blame. A statement whose end is not known fails all.
 */
export class GroupCommit {
  private waiting: Waiting[] = [];
  private readonly writing = new Set<string>();
  private readonly apart = new Map<string, number>();
  /** Statements by the names of the units; the limits of quotas are in them. */
  private readonly texts = new Map<string, string>();
  private readonly logger = new Logger('group-commit');
  private open = 0;
  private isDue = false;
  /** Whoever comes first must not lend his context to all who come after. */
  private readonly sendAll = AsyncResource.bind(() => this.sendWhatFits());

  constructor(private readonly checks: QuotaChecks) {}

  /** @returns the owner's counters; null when nothing was written and it has to go alone */
  write(unit: SharedUnit, send: SendAlone): Promise<Counted | null> {
    const json = JSON.stringify(unit.row.row);
    if (json.length > MAX_ROW || this.waiting.length >= MAX_WAITING || this.isApart(unit.ownerId))
      return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.waiting.push({ unit, json, send, resolve, reject });
      if (this.isDue) return;
      this.isDue = true;
      // Comes after all that goes on at once, and before the next turn.
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

  /** Those that came first, of one shape, and of owners whose counters no statement of ours holds. */
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
    const said = following.flatMap((part, index) =>
      part.said === null ? [] : [JSON.stringify(group.map(({ unit }) => unit.following[index]?.said))],
    );
    let text = this.texts.get(name);
    if (text === undefined) {
      text = textOf(row.text, { following, fits: this.checks.fits('g') });
      this.texts.set(name, text);
    }
    const rows = `[${group.map(({ json }) => json).join(',')}]`;
    const values = [owners, rows, JSON.stringify(numbered(group)), ...said];
    return { name, text, values, query_timeout: QUERY_TIMEOUT_MS };
  }

  private isApart(ownerId: string): boolean {
    const until = this.apart.get(ownerId);
    return until !== undefined && until > performance.now();
  }
}

/** Changes with their places among those of their owner; no time is before that of the change before. */
function numbered(group: readonly Waiting[]): object[] {
  const last = new Map<string, { position: number; at: Date }>();
  return group.map(({ unit: { ownerId, at, change } }) => {
    const before = last.get(ownerId) ?? { position: 0, at };
    const own = { position: before.position + 1, at: at < before.at ? before.at : at };
    last.set(ownerId, own);
    return { ...change, ...own, owner_id: ownerId };
  });
}

/** Counters first, and only those that are free and within their quotas: nobody waits for another's, nor is refused for it. */
function textOf(row: string, { following, fits }: { following: readonly FollowUp[]; fits: string }): string {
  let place = 3;
  const followed = following.map(({ shared = '', said }) =>
    said === null ? shared : shared.replaceAll('$said', `$${++place}::jsonb`),
  );
  const parts = [
    `given AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (owner_id uuid, at timestamptz, ${CHANGES_RECORD}))`,
    `held AS MATERIALIZED (
  SELECT id, changed_at FROM sequences WHERE id = ANY ($1::uuid[]) AND NOT is_closed ORDER BY id FOR UPDATE SKIP LOCKED)`,
    `counted AS (
  UPDATE sequences AS s SET changes = s.changes + g.changes, changed_at = greatest(s.changed_at, g.at), ${raisedBy('g')}
  FROM held AS h JOIN (
    SELECT r.owner_id, count(*) AS changes, max(r.at) AS at, ${addedBy()} FROM given AS r GROUP BY r.owner_id
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
