import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { parseJson } from '../../kernel/json/json-text.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { hashOfSecret } from '../domain/key-text.js';
import { TicketRows } from '../infrastructure/stream-tickets.repository.js';

/** The headers by which a caller identifies itself. */
const CREDENTIAL_HEADERS = ['authorization', 'x-api-key', 'x-user-id'] as const;

type Headers = Record<string, string | string[] | undefined>;

const LIFETIME_MS = 60_000;
const TICKET_BYTES = 32;
const FORM = /^[\w-]{43}$/;

/**
 * Tickets by which a browser opens a stream, whose `EventSource` sends no headers (rule 7.14). The row holds the
 * credential of the request that asked for it, sealed under the ticket: the stream is admitted by that credential, as any
 * request with it, so that whatever ends it ends the ticket. Neither the database nor the ticket opens it alone.
 */
@Injectable()
export class StreamTickets {
  constructor(
    private readonly rows: TicketRows,
    private readonly units: UnitOfWork,
    private readonly secret: EncryptionKey,
    private readonly clock: Clock,
  ) {}

  /** @param ownerId the owner of the graph whose changes it opens */
  async issue(ownerId: string, headers: Headers): Promise<{ ticket: string; expiresAt: Date }> {
    const now = this.clock.now();
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    const credential = JSON.stringify(CREDENTIAL_HEADERS.map((name) => headers[name] ?? null));
    const sealed = this.secret.seal(purposeOf(ticket), credential);
    await this.units.run(async () => {
      await this.rows.forget(now, ownerId);
      await this.rows.insert({ ownerId, digest: hashOfSecret(ticket), sealed, expiresAt });
    });
    return { ticket, expiresAt };
  }

  /** The headers of the request that asked for a ticket, which is used up; null for any other text. */
  async redeem(ticket: string): Promise<Headers | null> {
    if (!FORM.test(ticket)) return null;
    const digest = hashOfSecret(ticket);
    // A stranger's guess costs no transaction.
    if (!(await this.rows.exists(digest))) return null;
    const row = await this.units.run(() => this.rows.take(digest, this.clock.now()));
    if (row === null) return null;
    const values = parseJson(this.secret.unseal(purposeOf(ticket), row.sealed)) as (string | null)[];
    return Object.fromEntries(
      CREDENTIAL_HEADERS.map((name, place) => [name, values[place] ?? undefined] as const).filter(
        ([, value]) => value !== undefined,
      ),
    );
  }
}

const purposeOf = (ticket: string): string => `stream ticket ${ticket}`;
