import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';
import { type JsonObject } from '../../graph/index.js';

/** Something that happened to a proposal, with the proposal as it was then. */
export interface LoggedEvent {
  sequence: number;
  entity_id: string;
  action: string;
  changed_at: Date;
  snapshot: JsonObject;
}

const TOLD_EVENTS = ['created', 'ready', 'approved', 'rejected', 'applied', 'failed'] as const;

/** Events are told for so long (decisions 8.8). */
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Reads what happened to proposals from the change log, in the order in which it was committed. */
@Injectable()
export class ProposalEventsQueries {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @param appId null: of all apps */
  async after(
    { ownerId, appId }: { ownerId: string; appId: string | null },
    sequence: number,
    limit: number,
  ): Promise<LoggedEvent[]> {
    const since = new Date(this.clock.now().getTime() - LIFETIME_MS);
    return this.database.read<LoggedEvent>(
      sql`SELECT sequence, entity_id, action, changed_at, snapshot FROM changes
        WHERE owner_id = ${ownerId} AND entity = 'proposal' AND sequence > ${sequence} AND changed_at > ${since}
          AND action = ANY(${TOLD_EVENTS}::text[])
          AND ${appId === null ? sql.raw('TRUE') : sql`snapshot ->> 'app_id' = ${appId}`}
        ORDER BY sequence LIMIT ${limit}`,
      'proposal-events',
    );
  }
}
