import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

export interface TicketRow {
  /** The owner of the graph whose changes the ticket opens. */
  ownerId: string;
  digest: string;
  sealed: string;
  expiresAt: Date;
}

/** Tickets, found by the hash of their text. Writes need a unit of work. */
@Injectable()
export class TicketRows {
  constructor(private readonly database: Database) {}

  async insert({ ownerId, digest, sealed, expiresAt }: TicketRow): Promise<void> {
    await this.database.write(
      sql`INSERT INTO stream_tickets (owner_id, digest, sealed, expires_at)
        VALUES (${ownerId}, ${digest}, ${sealed}, ${expiresAt})`,
    );
  }

  async exists(digest: string): Promise<boolean> {
    const rows = await this.database.read(
      sql`SELECT FROM stream_tickets WHERE digest = ${digest}`,
      'stream-ticket',
    );
    return rows.length > 0;
  }

  /** Takes a living ticket away: of two requests with it, one gets it. */
  async take(digest: string, now: Date): Promise<Pick<TicketRow, 'sealed'> | null> {
    const [row] = await this.database.write<Pick<TicketRow, 'sealed'>>(
      sql`DELETE FROM stream_tickets WHERE digest = ${digest} AND expires_at > ${now} RETURNING sealed`,
    );
    return row ?? null;
  }

  /** Deletes the tickets of an owner, or of all, that expired before the given time. */
  async forget(before: Date, ownerId?: string): Promise<void> {
    const ofOwner = ownerId === undefined ? sql.raw('TRUE') : sql`owner_id = ${ownerId}`;
    await this.database.write(sql`DELETE FROM stream_tickets WHERE ${ofOwner} AND expires_at < ${before}`);
  }
}
