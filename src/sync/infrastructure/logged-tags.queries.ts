import { Injectable } from '@nestjs/common';
import { type AskedThing, type LoggedTag, LoggedTags } from '../../graph/index.js';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type LoggedThings, nextThings, type ThingStretch } from './logged-things.js';

/** Tags in the order of a pass. */
@Injectable()
export class LoggedTagsQueries implements LoggedThings<LoggedTag> {
  constructor(
    private readonly database: Database,
    private readonly tags: LoggedTags,
  ) {}

  next(stretch: ThingStretch) {
    return nextThings(this.database, stretch, {
      entity: 'tag',
      touched: (since) => [
        sql`SELECT entity_id AS id FROM changes
          WHERE owner_id = ${stretch.ownerId} AND entity = 'tag' AND sequence > ${since}`,
      ],
    });
  }

  states(ownerId: string, asked: readonly AskedThing[]): Promise<(LoggedTag | null)[]> {
    return this.tags.states(ownerId, asked);
  }
}
