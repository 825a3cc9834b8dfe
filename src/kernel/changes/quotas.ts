import { Injectable } from '@nestjs/common';
import { Config, type Tier } from '../../config/config.js';
import { type QuotaLimits } from '../../config/quotas.js';
import { Database } from '../persistence/database.js';
import { sql } from '../persistence/sql.js';
import { quotaExceeded } from './quota-exceeded.js';
import { COUNTERS, countersOf, NO_COUNTERS, QuotaChecks, type Used } from './quota-statements.js';

/** Owners' counters, beside the writes that raise them (see ChangeWriter). */
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

  /** All zero for an owner who has not written yet. */
  async used(ownerId: string): Promise<Used> {
    const [row] = await this.database.read<Used>(
      sql`SELECT ${sql.raw(COUNTERS)} FROM sequences WHERE id = ${ownerId}`,
      'quotas-used',
    );
    return row ?? NO_COUNTERS;
  }

  /**
   * Counts anew from the rows, for a graph that came as rows. Needs a unit of work, and the owner's row of `sequences`.
   * @param isLimited false for what the operator brings in
   * @throws QUOTA_EXCEEDED
   */
  async recount(ownerId: string, isLimited: boolean): Promise<void> {
    const limited = sql.raw(isLimited ? this.checks.refusal('c', 'c', 'true') : 'true');
    try {
      await this.database.write(
        sql`WITH c AS (
            UPDATE sequences AS s SET (${sql.raw(COUNTERS)}) = (SELECT * FROM amounts_of(s.id))
            WHERE s.id = ${ownerId} RETURNING s.id, ${sql.raw(countersOf('s'))})
          SELECT ${limited} AS fits FROM c`,
      );
    } catch (error) {
      throw quotaExceeded(error) ?? error;
    }
  }
}
