import { type Config } from '../../config/config.js';
import { type Clock } from '../clock.js';
import { jsonPart } from '../database/json-part.js';
import { type LazyTransaction } from '../database/lazy-transaction.js';
import { toQuery } from '../database/transaction.js';
import { type RecordedChange } from './change.js';
import { type ChangeBuffer, type ExpectedCounter } from './change-buffer.js';
import { type ChangeFollowers } from './change-followers.js';
import { ChangeSink, type DoneUnit } from './change-sink.js';
import { changeRow, CHANGES_INSERT, CHANGES_RECORD, CHANGES_SELECT } from './changes-table.js';
import { ConcurrentChange } from './concurrent-change.js';
import { inLockingOrder } from './locking-order.js';
import { reserveOf } from './growth.js';
import {
  addedBy,
  amountsArray,
  type Counted,
  COUNTERS,
  countersOf,
  QuotaChecks,
  raisedBy,
} from './quota-statements.js';

/** Locks an expected counter. The advisory lock is only tried: its holder may already have read the graph. */
const REQUIRE_UNCHANGED = `SELECT id FROM sequences WHERE id = $1::uuid AND changes = $2::bigint
  AND pg_try_advisory_xact_lock(hashtextextended($3::text, 0)) FOR UPDATE`;

const BUMP_POLICY = `INSERT INTO sequences AS s (id, changes, policy) VALUES ($1, 0, 1)
  ON CONFLICT (id) DO UPDATE SET policy = s.policy + 1`;

const given = (parameter: string): string =>
  `jsonb_to_recordset(${parameter}::jsonb) AS r (${CHANGES_RECORD})`;

/** Raises and locks an owner's counter. Amounts without changes leave the counters of a closed account as they are. */
const raising = (checks: QuotaChecks): string => `WITH added AS (
  SELECT ${addedBy('$1::uuid', '$5::bigint[]')} FROM ${given('$6')}),
counted AS (
  INSERT INTO sequences AS s (id, changes, policy, changed_at, ${COUNTERS})
  SELECT $1::uuid, $2::bigint, $3::bigint, $4::timestamptz, ${countersOf('a')} FROM added AS a
  ON CONFLICT (id) DO UPDATE SET changes = s.changes + EXCLUDED.changes, policy = s.policy + EXCLUDED.policy,
    changed_at = greatest(s.changed_at, EXCLUDED.changed_at), ${raisedBy('EXCLUDED')}
  WHERE EXCLUDED.changes > 0 OR NOT s.is_closed
  RETURNING s.id, s.is_followed, ${countersOf('s')})
SELECT c.*, ${checks.refusal('c', 'a', '$7::numeric')} AS fits FROM counted AS c CROSS JOIN added AS a`;

const INSERT_CHANGES = `${CHANGES_INSERT}
  SELECT s.id, s.changes - $2::bigint + r.position, ${CHANGES_SELECT}, s.changed_at
  FROM sequences AS s CROSS JOIN ${given('$3')} WHERE s.id = $1::uuid`;

/** The statement of a follower by itself, with the tables that it can use. */
const following = (statement: string): string => `WITH
counted AS (SELECT id, changes, changed_at, is_followed FROM sequences WHERE id = $1::uuid),
given AS (SELECT r.* FROM ${given('$3')}),
${statement.replaceAll('$payload', '$4::jsonb')}
SELECT $2::bigint`;

/**
 * Writes one statement after another in a transaction: the deferred writes; then for each owner, in the order in
 * which counters are locked, the counter, the rows of followers and the changes. It is the specification of BatchedChangeSink and can take its
 * place (WRITE_BATCHING).
 */
export class PlainChangeSink extends ChangeSink {
  private readonly raise: string;

  constructor(
    private readonly clock: Clock,
    private readonly followers: ChangeFollowers,
    config: Pick<Config, 'quotas' | 'defaultTier'>,
  ) {
    super();
    this.raise = raising(new QuotaChecks(config));
  }

  async flush({ transaction, buffer }: DoneUnit): Promise<Counted[]> {
    const { owners, policies, amounts, expected } = buffer;
    const deferred = transaction.takeDeferred();
    if (expected !== null && owners.size > 0) await requireUnchanged(transaction, expected);
    for (const write of deferred) await transaction.send(toQuery(write));
    const counted: Counted[] = [];
    for (const id of inLockingOrder([...owners.keys(), ...policies, ...amounts.keys()])) {
      if (owners.has(id) || amounts.has(id)) counted.push(...(await this.write(transaction, id, buffer)));
      else await transaction.send({ text: BUMP_POLICY, values: [id] });
    }
    return counted;
  }

  private async write(transaction: LazyTransaction, id: string, buffer: ChangeBuffer): Promise<Counted[]> {
    const recorded = buffer.owners.get(id) ?? [];
    const followUps = recorded.length === 0 ? [] : await this.followers.of(recorded);
    const json = await jsonOf(recorded);
    const counted = await transaction.send<Counted>({
      text: this.raise,
      values: [
        id,
        recorded.length,
        buffer.policies.has(id) ? 1 : 0,
        recorded.length === 0 ? null : this.clock.now(),
        amountsArray(buffer.amounts.get(id)),
        json,
        recorded.length === 0 ? 0 : reserveOf(recorded.map(({ change }) => change)),
      ],
    });
    const changes = [id, recorded.length, json];
    for (const { statement, payload } of followUps) {
      const values = payload === null ? changes : [...changes, JSON.stringify(payload)];
      await transaction.send({ text: following(statement), values });
    }
    if (recorded.length > 0) await transaction.send({ text: INSERT_CHANGES, values: changes });
    return counted;
  }
}

async function requireUnchanged(
  transaction: LazyTransaction,
  { ownerId, changes, lock }: ExpectedCounter,
): Promise<void> {
  const held = await transaction.send({ text: REQUIRE_UNCHANGED, values: [ownerId, changes, lock] });
  if (held.length === 0) throw new ConcurrentChange();
}

/** All changes as a JSON array; others are served while it is made. */
async function jsonOf(recorded: readonly RecordedChange[]): Promise<string> {
  const formOf = (entry: RecordedChange, position: number) => changeRow(entry, position + 1);
  const { json } = await jsonPart(recorded, { from: 0, formOf, atLeast: recorded.length });
  return json;
}
