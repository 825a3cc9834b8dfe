import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Database } from '../../kernel/database/database.js';
import { contentBytes, withinPageBytes } from '../../kernel/database/page-bytes.js';
import { sql } from '../../kernel/database/sql.js';
import { type JsonObject } from '../../graph/index.js';

/** An event of a proposal, with the proposal as it was then. */
export interface LoggedEvent {
  sequence: number;
  entity_id: string;
  action: string;
  changed_at: Date;
  snapshot: JsonObject;
}

const TOLD_EVENTS = ['created', 'ready', 'approved', 'rejected', 'applied', 'failed'] as const;

/** The time for which events can be read (rule 8.8). */
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Reads the events of proposals from the change log, in the order of their commits. */
@Injectable()
export class ProposalEventsQueries {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * The next events, until they fill a page.
   * @param appId null: of all apps
   */
  async after(
    { ownerId, appId }: { ownerId: string; appId: string | null },
    sequence: number,
    limit: number,
  ): Promise<{ events: LoggedEvent[]; hasMore: boolean }> {
    const since = new Date(this.clock.now().getTime() - LIFETIME_MS);
    const rows = await this.database.read<LoggedEvent & { found: number }>(
      withinPageBytes({
        from: sql`(SELECT sequence, entity_id, action, changed_at, snapshot FROM changes
        WHERE owner_id = ${ownerId} AND entity = 'proposal' AND sequence > ${sequence} AND changed_at > ${since}
          AND action = ANY(${TOLD_EVENTS}::text[])
          AND ${appId === null ? sql.raw('TRUE') : sql`snapshot ->> 'app_id' = ${appId}`}
        ORDER BY sequence LIMIT ${limit + 1}) AS c`,
        columns: sql`c.*, count(*) OVER () AS found`,
        order: sql`c.sequence`,
        bytes: contentBytes('c', { documents: ['snapshot'] }),
        names: sql`page.*`,
      }),
      'proposal-events',
    );
    const events = rows.slice(0, limit).map(({ found, ...event }) => event);
    return { events, hasMore: events.length < (rows[0]?.found ?? 0) };
  }
}
