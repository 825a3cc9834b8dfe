import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type Passkey } from '../domain/passkey.js';

type Named = Pick<Passkey, 'userId' | 'id'>;

const COLUMNS = sql.raw(`user_id AS "userId", id, credential_id AS "credentialId", public_key AS "publicKey",
  counter::float8 AS counter, transports, name, created_at AS "createdAt", last_used_at AS "lastUsedAt",
  regressed_at AS "regressedAt"`);

/** Passkeys of people. Everything that writes needs a unit of work in which the user is locked. */
@Injectable()
export class PasskeyRows {
  constructor(private readonly database: Database) {}

  async find({ userId, id }: Named): Promise<Passkey | null> {
    const [row] = await this.database.read<Passkey>(
      sql`SELECT ${COLUMNS} FROM passkeys WHERE user_id = ${userId} AND id = ${id}`,
    );
    return row ?? null;
  }

  async findByCredential(credentialId: string): Promise<Passkey | null> {
    const [row] = await this.database.read<Passkey>(
      sql`SELECT ${COLUMNS} FROM passkeys WHERE credential_id = ${credentialId}`,
      'passkey',
    );
    return row ?? null;
  }

  /** The oldest first. */
  listOf(userId: string): Promise<Passkey[]> {
    return this.database.read<Passkey>(
      sql`SELECT ${COLUMNS} FROM passkeys WHERE user_id = ${userId} ORDER BY created_at, id`,
    );
  }

  /** @returns false when the credential already exists, as this person's or another's */
  async insert({ userId, id, credentialId, publicKey, counter, ...more }: Passkey): Promise<boolean> {
    const { transports, name, createdAt } = more;
    const inserted = await this.database.write(
      sql`INSERT INTO passkeys (user_id, id, credential_id, public_key, counter, transports, name, created_at)
        VALUES (${userId}, ${id}, ${credentialId}, ${publicKey}, ${counter}, ${transports}::text[], ${name}, ${createdAt})
        ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
    );
    return inserted.length > 0;
  }

  async use({ userId, id }: Named, { counter, now }: { counter: number; now: Date }): Promise<void> {
    await this.database.write(
      sql`UPDATE passkeys SET counter = ${counter}, last_used_at = ${now} WHERE user_id = ${userId} AND id = ${id}`,
    );
  }

  async markRegressed({ userId, id }: Named, now: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE passkeys SET regressed_at = ${now} WHERE user_id = ${userId} AND id = ${id}`,
    );
  }

  /** @returns the passkey with its new name; null when it does not exist */
  async rename({ userId, id }: Named, name: string): Promise<Passkey | null> {
    const [row] = await this.database.write<Passkey>(
      sql`UPDATE passkeys SET name = ${name} WHERE user_id = ${userId} AND id = ${id} RETURNING ${COLUMNS}`,
    );
    return row ?? null;
  }

  /** @returns true if it existed */
  async remove({ userId, id }: Named): Promise<boolean> {
    const removed = await this.database.write(
      sql`DELETE FROM passkeys WHERE user_id = ${userId} AND id = ${id} RETURNING id`,
    );
    return removed.length > 0;
  }

  async removeAllOf(userId: string): Promise<void> {
    await this.database.write(sql`DELETE FROM passkeys WHERE user_id = ${userId}`);
  }
}
