import { Injectable } from '@nestjs/common';
import { Config, type Tier } from '../../config/config.js';
import { type QuotaLimits, QUOTAS } from '../../config/quotas.js';
import { Database } from '../database/database.js';
import { sql } from '../database/sql.js';
import { quotaExceeded } from './quota-exceeded.js';
import {
  addedByArray,
  type Amounts,
  amountsArray,
  COUNTERS,
  countersOf,
  NO_COUNTERS,
  QuotaChecks,
  raisedBy,
  type Used,
} from './quota-statements.js';

/** Owners' counters outside the writes that raise them (see ChangeSink). */
@Injectable()
export class Quotas {
  private readonly checks: QuotaChecks;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {
    this.checks = new QuotaChecks(config);
  }

  limitsOf(tier: Tier): QuotaLimits {
    return this.config.quotas[tier];
  }

  /** The counters of an owner; all zero before the first write. */
  async used(ownerId: string): Promise<Used> {
    const [row] = await this.database.read<Used>(
      sql`SELECT ${sql.raw(COUNTERS)} FROM sequences WHERE id = ${ownerId}`,
      'quotas-used',
    );
    return row ?? NO_COUNTERS;
  }

  /**
   * Refuses early a write of many rows that `add` would refuse at its end.
   * @throws QUOTA_EXCEEDED
   */
  async refuse(ownerId: string, amounts: Amounts): Promise<void> {
    const later = QUOTAS.map((quota) => `coalesce(s.${quota}, 0) + a.${quota} AS ${quota}`).join(', ');
    await withQuotaError(
      this.database.read(
        sql`WITH a AS (SELECT ${sql.raw(addedByArray('g.amounts'))} FROM (SELECT ${amountsArray(amounts)}::bigint[] AS amounts) AS g),
          c AS (SELECT o.id, ${sql.raw(later)} FROM (SELECT ${ownerId}::uuid AS id) AS o CROSS JOIN a LEFT JOIN sequences AS s ON s.id = o.id)
          SELECT ${sql.raw(this.checks.refusal('c', 'a', '0'))} AS fits FROM c CROSS JOIN a`,
      ),
    );
  }

  /**
   * Raises the counters for a graph that was imported as rows. Needs a unit of work, and the owner's row of
   * `sequences`.
   * @param isLimited false for imports by the operator
   * @throws QUOTA_EXCEEDED
   */
  async add(ownerId: string, amounts: Amounts, isLimited: boolean): Promise<void> {
    const limited = sql.raw(isLimited ? this.checks.refusal('c', 'a', '0') : 'true');
    await withQuotaError(
      this.database.write(
        sql`WITH a AS (SELECT ${sql.raw(addedByArray('g.amounts'))} FROM (SELECT ${amountsArray(amounts)}::bigint[] AS amounts) AS g),
          c AS (UPDATE sequences AS s SET ${sql.raw(raisedBy('a'))} FROM a WHERE s.id = ${ownerId}
            RETURNING s.id, ${sql.raw(countersOf('s'))})
          SELECT ${limited} AS fits FROM c CROSS JOIN a`,
      ),
    );
  }
}

async function withQuotaError(statement: Promise<unknown>): Promise<void> {
  try {
    await statement;
  } catch (error) {
    throw quotaExceeded(error) ?? error;
  }
}
