import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { Config } from '../../config/config.js';
import { type LaterWrite } from '../persistence/database.js';
import { Clock } from '../clock.js';
import { type Sql } from '../persistence/sql.js';
import { jsonPart } from '../persistence/json-part.js';
import { isOwnerGone } from '../persistence/violations.js';
import { type ChangeBuffer, type Expected } from './change-buffer.js';
import {
  agentOf,
  ChangeFollowers,
  type FollowUp,
  type RecordedChange as Recorded,
} from './change-followers.js';
import { CHANGES_INSERT, CHANGES_RECORD, CHANGES_SELECT, changesParameters } from './changes-table.js';
import { GraphMoved } from './graph-moved.js';
import { reserveOf } from './growth.js';
import { GroupCommit, type SendAlone, type SharedUnit } from './group-commit.js';
import { quotaExceeded } from './quota-exceeded.js';
import {
  addedBy,
  addedByArray,
  amountsArray,
  type Counted,
  COUNTERS,
  countersOf,
  QuotaChecks,
  raisedBy,
} from './quota-statements.js';
import { accountGone } from '../errors/account-gone.js';

// Writers read the clock before they wait for the counter here, so a change takes the later of its own time and that of
// the change before it.
const counted = (
  condition: string,
): string => `added AS (SELECT ${addedBy('$1::uuid', '$5::bigint[]')} FROM given AS r),
counted AS (
  INSERT INTO sequences AS s (id, changes, policy, changed_at, ${COUNTERS})
  SELECT $1::uuid, $2::bigint, $3::bigint, $4::timestamptz, ${countersOf('a')} FROM added AS a WHERE ${condition}
  ON CONFLICT (id) DO UPDATE SET changes = s.changes + EXCLUDED.changes, policy = s.policy + EXCLUDED.policy,
    changed_at = greatest(s.changed_at, EXCLUDED.changed_at), ${raisedBy('EXCLUDED')}
  RETURNING s.id, s.changes, s.changed_at, s.is_followed, ${countersOf('s')})`;

const GIVEN_ONE = `(SELECT 1::bigint AS position, ${changesParameters(7)}) AS r`;
const GIVEN_MANY = `jsonb_to_recordset($7::jsonb) AS r (${CHANGES_RECORD})`;

const CHANGED = `changed AS (${CHANGES_INSERT}
  SELECT $1::uuid, counted.changes - $2::bigint + r.position, ${CHANGES_SELECT}, counted.changed_at FROM counted, given AS r)`;

/** Counts amounts that come without a change. Counters of a closed account stay as they are. */
const counting = (checks: QuotaChecks): string => `WITH added AS (SELECT ${addedByArray('$3::bigint[]')}),
counted AS (
  INSERT INTO sequences AS s (id, policy, ${COUNTERS}) SELECT $1::uuid, $2::bigint, ${countersOf('a')} FROM added AS a
  ON CONFLICT (id) DO UPDATE SET policy = s.policy + EXCLUDED.policy, ${raisedBy('EXCLUDED')} WHERE NOT s.is_closed
  RETURNING s.id, s.is_followed, ${countersOf('s')})
${answered(checks, '0')}`;

/** The quota check is in the answer of the statement, so that a refusal rolls back everything the statement wrote. */
const answered = (checks: QuotaChecks, reserve: string): string =>
  `SELECT c.id, c.is_followed, ${countersOf('c')}, ${checks.refusal('c', 'a', reserve)} AS fits
FROM counted AS c CROSS JOIN added AS a`;

/** Locks the counters of a unit that writes several statements for one owner, in the order of their ids. */
const LOCK_COUNTERS = 'SELECT FROM sequences WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE';

const TOUCH = `INSERT INTO sequences AS s (id, changes, policy) VALUES ($1, 0, 1)
  ON CONFLICT (id) DO UPDATE SET policy = s.policy + 1`;

/** A deferred write as a statement of its own. */
export const asIs = ({ name, statement: { text, values } }: LaterWrite): pg.QueryConfig => ({
  name,
  text,
  values,
});

/** The end of a unit of work: these statements are sent in their order, or none is. */
export interface LastStatements {
  /** Takes the deferred writes of the unit; the caller must put them among the statements that it sends. */
  takeLeft(): LaterWrite[];
  /** Sends a statement that is followed by others. */
  sendEarlier(statement: pg.QueryConfig): Promise<void>;
  /** @returns the rows of all statements together */
  send<Row extends object>(statements: readonly pg.QueryConfig[]): Promise<Row[]>;
  /** Ends the unit for a caller that sends its only statement by itself. Null if the unit has sent others before. */
  handOver(): SendAlone | null;
}

/**
 * Writes a unit's changes with one statement for each owner: raise the counter, number the rows, insert them and the
 * rows of followers. Counters are locked in the order of their ids, so that two units with the same owners cannot
 * deadlock. A single deferred write goes into the first of these statements; the counter is locked after it, so that
 * the owner's other writers wait only for the commit, unless the unit expects a value of the counter. A unit that is
 * one new row and its change shares a statement with others (see GroupCommit). Changes of several MiB are written in
 * parts, so that neither the event loop nor the memory bears them all at once.
 */
@Injectable()
export class ChangeWriter {
  private readonly texts = new Map<string, string>();
  private readonly checks: QuotaChecks;
  private readonly together: GroupCommit;
  private readonly countingText: string;

  constructor(
    private readonly clock: Clock,
    private readonly followers: ChangeFollowers,
    config: Config,
  ) {
    this.checks = new QuotaChecks(config);
    this.together = new GroupCommit(this.checks);
    this.countingText = counting(this.checks);
  }

  /** @throws QUOTA_EXCEEDED, NOT_FOUND for an owner whose account is closed; then nothing of the unit is written */
  async write(unit: LastStatements, buffer: ChangeBuffer): Promise<Counted[]> {
    try {
      return await this.writeAll(unit, buffer);
    } catch (error) {
      if (isOwnerGone(error)) throw accountGone();
      throw quotaExceeded(error) ?? error;
    }
  }

  private async writeAll(unit: LastStatements, buffer: ChangeBuffer): Promise<Counted[]> {
    const { owners, policies, amounts, expected } = buffer;
    const ids = [...new Set([...owners.keys(), ...policies, ...amounts.keys()])].sort();
    const now = this.clock.now();
    const left = unit.takeLeft();
    const lasts = isOfMany(owners) ? await this.sendParts(unit, buffer, { ids, now, left }) : NO_LASTS;
    const following = new Map([...owners].map(([id, recorded]) => [id, this.followers.of(recorded)]));
    const isAlone = ids.length === 1 && left.length === 1;
    if (isAlone && policies.size === 0 && amounts.size === 0 && expected === null) {
      const [[id, recorded]] = [...owners] as [[string, Recorded[]]];
      const shared = sharedUnit(left[0] as LaterWrite, recorded, {
        at: now,
        following: following.get(id) ?? [],
      });
      const send = shared && unit.handOver();
      const counted = send && (await this.together.write(shared, send));
      if (counted !== null) return [counted];
    }
    const statements = this.statements(buffer, { ids, now, left, following, lasts });
    const hasChanges = owners.size > 0;
    // The statements hold everything as text now. Kept until the statements end, the objects would burden every garbage
    // collection.
    owners.clear();
    following.clear();
    const answers = await unit.send<Counted>(statements);
    if (hasChanges && expected !== null && !answers.some(({ id }) => id === expected.ownerId))
      throw new GraphMoved();
    return answers;
  }

  /**
   * Serializes the changes of each owner who has several, and sends all but the last part of them, after the deferred
   * writes: rows of followers may refer to those.
   * @returns the last parts, which are the changes that remain in the buffer
   */
  private async sendParts(
    unit: LastStatements,
    { owners, expected }: ChangeBuffer,
    { ids, now, left }: { ids: readonly string[]; now: Date; left: LaterWrite[] },
  ): Promise<Map<string, LastPart>> {
    const lasts = new Map<string, LastPart>();
    let isBegun = false;
    for (const id of ids) {
      const all = owners.get(id);
      if (all === undefined || all.length < 2) continue;
      const reserve = reserveOf(all.map(({ change }) => change));
      const atLeast = expected === null ? endOfTied(all) : all.length;
      const formOf = (entry: Recorded, position: number) => record(entry, position + 1);
      for (let from = 0; !lasts.has(id);) {
        const { json, end } = await jsonPart(all, { from, formOf, atLeast });
        const part = all.slice(from, end);
        if (end === all.length) {
          lasts.set(id, { json, reserve });
          owners.set(id, part);
        } else {
          if (!isBegun)
            for (const first of [...left.splice(0).map(asIs), { text: LOCK_COUNTERS, values: [ids] }])
              await unit.sendEarlier(first);
          isBegun = true;
          const counter = [id, part.length, 0, now, amountsArray(undefined), reserve];
          const following = this.followers.of(part);
          await unit.sendEarlier(
            this.statement(part, { json, counter, following, along: null, expected: null }),
          );
        }
        from = end;
      }
    }
    return lasts;
  }

  private statements(
    { owners, policies, amounts, expected }: ChangeBuffer,
    {
      ids,
      now,
      left,
      following,
      lasts,
    }: {
      ids: readonly string[];
      now: Date;
      left: LaterWrite[];
      following: ReadonlyMap<string, readonly FollowUp[]>;
      lasts: ReadonlyMap<string, LastPart>;
    },
  ): pg.QueryConfig[] {
    const along = this.along(left, { recorded: owners.get(ids[0] as string), expected });
    const counters = ids.map((id, index) => {
      const recorded = owners.get(id);
      const policy = policies.has(id) ? 1 : 0;
      const added = amountsArray(amounts.get(id));
      if (recorded === undefined && amounts.has(id))
        return { name: 'changes:counting', text: this.countingText, values: [id, policy, added] };
      if (recorded === undefined) return { name: 'changes:touch', text: TOUCH, values: [id] };
      const last = lasts.get(id);
      const reserve = last ? last.reserve : reserveOf(recorded.map(({ change }) => change));
      const counter = [id, recorded.length, policy, now, added, reserve];
      return this.statement(recorded, {
        json: last?.json ?? null,
        counter,
        following: following.get(id) ?? [],
        along: index === 0 ? along : null,
        expected: expected?.ownerId === id ? expected : null,
      });
    });
    return [...left.splice(0).map(asIs), ...counters];
  }

  /**
   * Takes the deferred write that goes into the first statement. With an expected counter, only a write whose rows are
   * in the changes can go there: any other would be written whatever the counter is.
   */
  private along(
    left: LaterWrite[],
    { recorded, expected }: { recorded: readonly Recorded[] | undefined; expected: Expected | null },
  ): Along | null {
    const [only] = left;
    if (only === undefined || left.length > 1 || recorded === undefined) return null;
    const fromChanges = readFromChanges(recorded, only);
    if (fromChanges === null && expected !== null) return null;
    left.pop();
    return fromChanges === null
      ? { name: only.name, statement: only.statement }
      : { name: `${only.name}-told`, statement: fromChanges };
  }

  private statement(
    recorded: readonly Recorded[],
    {
      json,
      counter,
      following,
      along,
      expected,
    }: {
      /** The changes as JSON, if there are several. */
      json: string | null;
      counter: unknown[];
      following: readonly FollowUp[];
      along: Along | null;
      expected: Expected | null;
    },
  ): pg.QueryConfig {
    const isOne = recorded.length === 1;
    const changes = isOne ? single(recorded[0] as Recorded) : [json];
    const own = [...counter, ...changes];
    const parts = [
      isOne ? 'one' : 'many',
      ...(expected === null ? [] : ['expected']),
      ...following.map(({ name }) => name),
      ...(along ? [along.name] : []),
    ];
    const name = statementName(parts);
    const said = following.flatMap((part) => (part.said === null ? [] : [JSON.stringify(part.said)]));
    const values = [...own, ...said, ...(expected === null ? [] : [expected.changes, expected.lock])];
    let text = this.texts.get(name);
    if (text === undefined) {
      let place = own.length;
      const followed = following.map(({ statement, said }) =>
        said === null ? statement : statement.replaceAll('$said', `$${++place}::jsonb`),
      );
      text = textOf({
        given: isOne ? GIVEN_ONE : GIVEN_MANY,
        following: followed,
        written: along?.statement.textFrom(values.length + 1),
        expected: expected === null ? null : { changes: `$${values.length - 1}`, lock: `$${values.length}` },
        answer: answered(this.checks, '$6::numeric'),
      });
      this.texts.set(name, text);
    }
    return { name, text, values: along ? [...values, ...along.statement.params] : values };
  }
}

/** The changes of an owner that are written by the last statement. */
interface LastPart {
  json: string;
  /** The {@link reserveOf} all changes of the owner. */
  reserve: number | null;
}

const NO_LASTS: ReadonlyMap<string, LastPart> = new Map();

const isOfMany = (owners: ChangeBuffer['owners']): boolean => {
  for (const recorded of owners.values()) if (recorded.length > 1) return true;
  return false;
};

/** The index behind the changes that followers must see in one statement: merges of nodes, and their undo. */
const endOfTied = (recorded: readonly Recorded[]): number =>
  recorded.findLastIndex(
    ({ change }) => change.livesOnIn !== undefined || typeof change.takesBack === 'number',
  ) + 1;

/** A deferred write inside the statement that writes the changes. */
type Along = Pick<LaterWrite, 'name' | 'statement'>;

/**
 * Replaces a deferred write whose rows are all in the changes, one each, by a statement that reads them from there, so
 * that they are not sent twice.
 */
function readFromChanges(recorded: readonly Recorded[], { told }: LaterWrite): Sql | null {
  const isInChanges = ({ change: { entity, action, entityId } }: Recorded) =>
    entity === told?.entity && action === 'created' && told.ids.has(entityId);
  return told?.ids.size === recorded.length && recorded.every(isInChanges) ? told.statement : null;
}

/** PostgreSQL compares only the first 63 bytes of names: a longer one ends in a digest of all of its parts. */
const MOST_BYTES = 63;

function statementName(parts: readonly string[]): string {
  const name = `changes:${parts.join(':')}`;
  if (name.length <= MOST_BYTES) return name;
  const digest = createHash('sha256').update(name).digest('base64url').slice(0, 16);
  return `${name.slice(0, MOST_BYTES - 1 - digest.length)}:${digest}`;
}

interface Parts {
  given: string;
  following: readonly string[];
  written: string | undefined;
  /** The parameters of the expected counter and its lock. */
  expected: { changes: string; lock: string } | null;
  answer: string;
}

/**
 * Locks an expected counter before everything else; if its value differs, there are no changes. The advisory lock is
 * only tried: its holder may already have read the graph. A holder that released it after the statement began has moved
 * the counter, whose row is read again once it is locked.
 */
const heldIf = ({ changes, lock }: NonNullable<Parts['expected']>): string => `held AS MATERIALIZED (
  SELECT id FROM sequences WHERE id = $1::uuid AND changes = ${changes}::bigint
    AND pg_try_advisory_xact_lock(hashtextextended(${lock}::text, 0)) FOR UPDATE)`;

function textOf({ given, following, written, expected, answer }: Parts): string {
  const source = written === undefined ? 'given' : 'written';
  const parts = [
    ...(expected === null ? [] : [heldIf(expected)]),
    `given AS MATERIALIZED (SELECT r.* FROM ${expected === null ? '' : 'held CROSS JOIN '}${given})`,
    ...(written === undefined ? [] : [`written AS (${written} RETURNING 1)`]),
    counted(`(SELECT count(*) FROM ${source}) > 0`),
    CHANGED,
    ...following,
  ];
  return `WITH ${parts.join(',\n')}\n${answer}`;
}

const actorType = (entry: Recorded): string => (agentOf(entry) === null ? entry.actor.type : 'agent');
const json = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null);

function single(entry: Recorded): unknown[] {
  const { change, actor } = entry;
  return [
    change.entity,
    change.entityId,
    change.action,
    change.version,
    json(change.changedFields),
    json(change.snapshot),
    change.facts?.tagIds ?? null,
    change.facts?.schemaId ?? null,
    change.facts?.nodeType ?? null,
    change.facts?.createdAt ?? null,
    actorType(entry),
    actor.userId,
    actor.appId,
    agentOf(entry),
    actor.proposalId ?? null,
    change.reason ?? null,
  ];
}

/** Null values are left out: the column of a missing key is null. */
function record(entry: Recorded, position: number): object {
  const { change, actor } = entry;
  return {
    position,
    entity: change.entity,
    entity_id: change.entityId,
    action: change.action,
    version: change.version,
    changed_fields: change.changedFields ?? undefined,
    snapshot: change.snapshot ?? undefined,
    tag_ids: change.facts?.tagIds,
    schema_id: change.facts?.schemaId ?? undefined,
    node_type: change.facts?.nodeType,
    node_created_at: change.facts?.createdAt,
    changed_by_type: actorType(entry),
    changed_by_user_id: actor.userId ?? undefined,
    changed_by_app_id: actor.appId ?? undefined,
    changed_by_agent_id: agentOf(entry) ?? undefined,
    proposal_id: actor.proposalId ?? undefined,
    reason: change.reason ?? undefined,
  };
}

/** The part of a unit in a statement that several units share; null if it cannot share one. */
function sharedUnit(
  left: LaterWrite,
  recorded: readonly Recorded[],
  { at, following }: { at: Date; following: readonly FollowUp[] },
): SharedUnit | null {
  const [only] = recorded;
  if (only === undefined || recorded.length > 1 || left.shared === undefined) return null;
  if (following.some(({ shared }) => shared === undefined)) return null;
  const name = ['changes:shared', left.name, ...following.map((part) => part.name)].join(':');
  return { ownerId: only.change.ownerId, at, name, row: left.shared, change: record(only, 1), following };
}
