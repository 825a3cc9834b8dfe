import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type RequestContext } from '../../kernel/request-context.js';
import { type ShareTerms } from '../../privacy/index.js';

/** The end of a share that the logs of some people below it do not have yet. */
export interface ShareEnd {
  owner_id: string;
  share_id: string;
  /** Another one for each end of the same share. */
  id: string;
  before: ShareTerms;
  author: Pick<RequestContext, 'actor' | 'changeReason'>;
  /** The last re-share, in the order of ids, whose people have it in their logs; null before the first. */
  after: string | null;
  noted_at: Date;
}

type StoredEnd = Omit<ShareEnd, 'before'> & {
  before: Omit<ShareTerms, 'expiresAt' | 'revokedAt'> & Record<'expiresAt' | 'revokedAt', string | null>;
};

const ALL = sql.raw('owner_id, share_id, id, before, author, after, noted_at');

/** Ends of shares that are written to the logs in pages (rule 10.8g). Writes need a unit of work. */
@Injectable()
export class ShareEndsRepository {
  constructor(private readonly database: Database) {}

  /** Takes the place of an earlier end of the same share: its re-shares were in force again in between. */
  async add({ owner_id, share_id, id, before, author, noted_at }: ShareEnd): Promise<void> {
    await this.database.write(
      sql`INSERT INTO share_ends (owner_id, share_id, id, before, author, noted_at)
        VALUES (${owner_id}, ${share_id}, ${id}, ${JSON.stringify(before)}::jsonb, ${JSON.stringify(author)}::jsonb, ${noted_at})
        ON CONFLICT (owner_id, share_id) DO UPDATE SET id = EXCLUDED.id, before = EXCLUDED.before,
          author = EXCLUDED.author, after = NULL, noted_at = EXCLUDED.noted_at`,
      'share-end-add',
    );
  }

  /** The ends that are not in all logs, the oldest first; some of them, if they are many. */
  async waiting(): Promise<ShareEnd[]> {
    const ends = await this.database.read<StoredEnd>(
      sql`SELECT ${ALL} FROM share_ends ORDER BY noted_at, id LIMIT 100`,
      'share-ends-waiting',
    );
    return ends.map(read);
  }

  /** The ends of these shares that are not in all logs. */
  async of(shares: readonly Pick<ShareTerms, 'ownerId' | 'id'>[]): Promise<ShareEnd[]> {
    const ends = await this.database.read<StoredEnd>(
      sql`SELECT ${ALL} FROM share_ends WHERE (owner_id, share_id) IN (SELECT * FROM unnest(
        ${shares.map(({ ownerId }) => ownerId)}::uuid[], ${shares.map(({ id }) => id)}::uuid[]))`,
      'share-ends-of',
    );
    return ends.map(read);
  }

  /**
   * Lets no other process write ends in the graph until the unit ends, before {@link of} and {@link advance}: which of two
   * ends a re-share owes its own to is decided once. Waits take two seconds at most, because a new end of the share waits.
   */
  async lock(graphOwnerId: string): Promise<void> {
    await this.database.write(
      sql`SELECT set_config('lock_timeout', '2s', true),
        pg_advisory_xact_lock(hashtextextended(${`share ends ${graphOwnerId}`}, 0))`,
      'share-ends-lock',
    );
  }

  /** @returns false if another process has advanced, or the share has ended again since */
  async advance({ owner_id, share_id, id, after }: ShareEnd, to: string): Promise<boolean> {
    const advanced = await this.database.write(
      sql`UPDATE share_ends SET after = ${to} WHERE owner_id = ${owner_id} AND share_id = ${share_id} AND id = ${id}
        AND after IS NOT DISTINCT FROM ${after}::uuid RETURNING id`,
      'share-end-advance',
    );
    return advanced.length > 0;
  }

  /** Removes an end that all logs have, unless the share has ended again since. */
  async remove({ owner_id, share_id, id }: ShareEnd): Promise<void> {
    await this.database.write(
      sql`DELETE FROM share_ends WHERE owner_id = ${owner_id} AND share_id = ${share_id} AND id = ${id}`,
      'share-end-remove',
    );
  }
}

const read = ({ before, ...end }: StoredEnd): ShareEnd => ({
  ...end,
  before: { ...before, expiresAt: timeOf(before.expiresAt), revokedAt: timeOf(before.revokedAt) },
});

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
