import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type RecordedChange } from '../change-log/change.js';
import { type ExpectedCounter } from '../change-log/change-buffer.js';
import {
  CHANGES_INSERT,
  CHANGES_RECORD,
  CHANGES_SELECT,
  changesParameters,
  changeValues,
} from '../change-log/changes-table.js';
import {
  addedBy,
  addedByArray,
  type Amounts,
  amountsArray,
  COUNTERS,
  countersOf,
  type QuotaChecks,
  raisedBy,
} from '../change-log/quota-statements.js';
import { type DeferredWrite } from '../database/transaction.js';
import { type PreparedFollowUp } from './payload-text.js';

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

/** Locks the counters of a unit that writes several statements for one owner, in their order. */
export const lockOf = (ids: readonly string[]): pg.QueryConfig => ({
  text: 'SELECT FROM sequences WHERE id = ANY($1::uuid[]) ORDER BY array_position($1::uuid[], id) FOR UPDATE',
  values: [ids],
});

const jsonOf = (payload: object | string): string =>
  typeof payload === 'string' ? payload : JSON.stringify(payload);

/** Raises a policy version, for an owner without changes. */
export const policyStatement = (id: string): pg.QueryConfig => ({
  name: 'changes:policy',
  text: `INSERT INTO sequences AS s (id, changes, policy) VALUES ($1, 0, 1)
  ON CONFLICT (id) DO UPDATE SET policy = s.policy + 1`,
  values: [id],
});

/** A deferred write inside the statement that writes the changes. */
export type Piggyback = Pick<DeferredWrite, 'name' | 'statement'>;

/** The changes of one owner, and what goes with them. */
export interface OwnerChanges {
  readonly ownerId: string;
  readonly recorded: readonly RecordedChange[];
  /** The changes as JSON, if there are several. */
  readonly json: string | null;
  readonly at: Date;
  /** See reserveOf. */
  readonly reserve: number | null;
  /** The number by which the policy version is raised. */
  readonly policy: 0 | 1;
  readonly amounts: Amounts | undefined;
  readonly following: readonly PreparedFollowUp[];
  readonly piggyback: Piggyback | null;
  readonly expected: ExpectedCounter | null;
}

/**
 * Makes the statement that writes an owner's changes: it raises the counter, numbers the rows, and inserts them and the
 * rows of followers. Each text is made once.
 */
export class ChangeStatements {
  private readonly texts = new Map<string, string>();
  private readonly countingText: string;

  constructor(private readonly checks: QuotaChecks) {
    this.countingText = counting(checks);
  }

  ofAmounts(id: string, policy: 0 | 1, amounts: Amounts | undefined): pg.QueryConfig {
    return {
      name: 'changes:counting',
      text: this.countingText,
      values: [id, policy, amountsArray(amounts)],
    };
  }

  ofChanges(changes: OwnerChanges): pg.QueryConfig {
    const { recorded, following, piggyback, expected } = changes;
    const isOne = recorded.length === 1;
    const { ownerId, policy, at, amounts, reserve } = changes;
    const own = [
      ...[ownerId, recorded.length, policy, at, amountsArray(amounts), reserve],
      ...(isOne ? changeValues(recorded[0] as RecordedChange) : [changes.json]),
    ];
    const payloads = following.flatMap(({ payload }) => (payload === null ? [] : [jsonOf(payload)]));
    const values = [
      ...own,
      ...payloads,
      ...(expected === null ? [] : [expected.changes, expected.lock]),
      ...(piggyback?.statement.values ?? []),
    ];
    const name = nameOf(isOne, changes);
    let text = this.texts.get(name);
    if (text === undefined) {
      text = this.textOf(changes, own.length);
      this.texts.set(name, text);
    }
    return { name, text, values };
  }

  /** @param last the number of the last parameter of the changes; the payloads of followers come next */
  private textOf({ recorded, following, piggyback, expected }: OwnerChanges, last: number): string {
    const followed = following.map(({ statement, payload }) =>
      payload === null ? statement : statement.replaceAll('$payload', `$${++last}::jsonb`),
    );
    const held = expected === null ? [] : [heldIf(`$${++last}`, `$${++last}`)];
    const given = recorded.length === 1 ? GIVEN_ONE : GIVEN_MANY;
    const written =
      piggyback === null ? [] : [`written AS (${piggyback.statement.textFrom(last + 1)} RETURNING 1)`];
    const parts = [
      ...held,
      `given AS MATERIALIZED (SELECT r.* FROM ${expected === null ? '' : 'held CROSS JOIN '}${given})`,
      ...written,
      counted(`(SELECT count(*) FROM ${piggyback === null ? 'given' : 'written'}) > 0`),
      CHANGED,
      ...followed,
    ];
    return `WITH ${parts.join(',\n')}\n${answered(this.checks, '$6::numeric')}`;
  }
}

/**
 * Locks an expected counter before everything else; if its value differs, there are no changes. The advisory lock is
 * only tried: its holder may already have read the graph. A holder that released it after the statement began has moved
 * the counter, whose row is read again once it is locked.
 */
const heldIf = (changes: string, lock: string): string => `held AS MATERIALIZED (
  SELECT id FROM sequences WHERE id = $1::uuid AND changes = ${changes}::bigint
    AND pg_try_advisory_xact_lock(hashtextextended(${lock}::text, 0)) FOR UPDATE)`;

/** PostgreSQL compares only the first 63 bytes of names: a longer one ends in a digest of all of its parts. */
const MOST_BYTES = 63;

function nameOf(isOne: boolean, { following, piggyback, expected }: OwnerChanges): string {
  const parts = [
    isOne ? 'one' : 'many',
    ...(expected === null ? [] : ['expected']),
    ...following.map(({ name }) => name),
    ...(piggyback === null ? [] : [piggyback.name]),
  ];
  const name = `changes:${parts.join(':')}`;
  if (name.length <= MOST_BYTES) return name;
  const digest = createHash('sha256').update(name).digest('base64url').slice(0, 16);
  return `${name.slice(0, MOST_BYTES - 1 - digest.length)}:${digest}`;
}
