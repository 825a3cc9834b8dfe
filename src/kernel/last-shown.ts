import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from './clock.js';
import { Housekeeping } from './housekeeping.js';
import { Database } from './database/database.js';
import { sql } from './database/sql.js';
import { requestContext } from './request-context.js';
import { UnitOfWork } from './change-log/unit-of-work.js';

/** An entity that others may change, and the state of it that a user is shown. */
export interface ShownState {
  /** `disclosures`: those of a proposal. */
  entity: 'app' | 'proposal' | 'disclosures';
  id: string;
  state: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_DAYS = 90;

/**
 * Remembers which state of an entity a user was last shown, so that an approval that names no state is for that one,
 * and not for a later one that replaced it. It is stored before the answer is sent.
 */
@Injectable()
export class LastShown implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('last shown', () => this.sweep());
  }

  /** Writes states that differ, and equal ones once a day to renew their date; a HEAD request shows none. */
  async remember(personId: string, states: readonly ShownState[]): Promise<void> {
    if (requestContext.current().isBodiless) return;
    const news = await this.newOf(personId, states);
    if (news.length === 0) return;
    const rows = JSON.stringify(news.sort((a, b) => (a.id < b.id ? -1 : 1)));
    await this.units.run(() =>
      this.database.write(
        sql`INSERT INTO last_shown (owner_id, entity, entity_id, state, shown_at)
          SELECT u.id, s.entity, s.id, s.state, ${this.clock.now()}
          FROM jsonb_to_recordset(${rows}::jsonb) AS s (entity text, id uuid, state text)
            JOIN users AS u ON u.id = ${personId}
          ON CONFLICT (owner_id, entity, entity_id) DO UPDATE SET state = EXCLUDED.state, shown_at = EXCLUDED.shown_at`,
        'last-shown-remember',
      ),
    );
  }

  /** The last shown state; null if none is stored from the last 90 days. */
  async of(personId: string, entity: ShownState['entity'], id: string): Promise<string | null> {
    const [row] = await this.database.read<{ state: string }>(
      sql`SELECT state FROM last_shown WHERE owner_id = ${personId} AND entity = ${entity} AND entity_id = ${id}
        AND shown_at > ${this.daysAgo(KEPT_DAYS)}`,
      'last-shown',
    );
    return row?.state ?? null;
  }

  private async newOf(personId: string, states: readonly ShownState[]): Promise<ShownState[]> {
    const ids = states.map(({ id }) => id);
    if (ids.length === 0) return [];
    const known = await this.database.read<ShownState>(
      sql`SELECT entity, entity_id AS id, state FROM last_shown WHERE owner_id = ${personId}
        AND entity_id = ANY(${ids}::uuid[]) AND shown_at > ${this.daysAgo(1)}`,
      'last-shown-known',
    );
    const isKnown = (one: ShownState) =>
      known.some(({ entity, id, state }) => entity === one.entity && id === one.id && state === one.state);
    return states.filter((one) => !isKnown(one));
  }

  private sweep(): Promise<unknown> {
    return this.units.run(() =>
      this.database.write(sql`DELETE FROM last_shown WHERE shown_at < ${this.daysAgo(KEPT_DAYS)}`),
    );
  }

  private daysAgo(days: number): Date {
    return new Date(this.clock.now().getTime() - days * DAY_MS);
  }
}
