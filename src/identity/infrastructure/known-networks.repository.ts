import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { networkOf } from '../domain/rate-limits.js';

/** A network from which an account logged in. */
interface SeenNetwork {
  userId: string;
  address: string;
}

/** Networks from which a person logged in. Only digests are stored. */
@Injectable()
export class KnownNetworks {
  constructor(
    private readonly database: Database,
    private readonly secret: EncryptionKey,
  ) {}

  async has(place: SeenNetwork): Promise<boolean> {
    const found = await this.database.read(
      sql`SELECT 1 FROM known_networks WHERE user_id = ${place.userId} AND digest = ${this.digestOf(place)}`,
      'known-network',
    );
    return found.length > 0;
  }

  /** Needs a unit of work. */
  async remember(place: SeenNetwork, now: Date): Promise<void> {
    await this.database.write(
      sql`INSERT INTO known_networks (user_id, digest, last_seen_at)
        VALUES (${place.userId}, ${this.digestOf(place)}, ${now})
        ON CONFLICT (user_id, digest) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
    );
  }

  /** Deletes networks that no log-in has used since. */
  async forget(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM known_networks WHERE last_seen_at < ${before}`);
  }

  private digestOf({ userId, address }: SeenNetwork): string {
    return this.secret.digest('known-network', `${userId} ${networkOf(address)}`);
  }
}
