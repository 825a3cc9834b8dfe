import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { requestContext } from '../../kernel/request-context.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { acquaintancesOf, isFromBlocked, recipientLock } from '../../privacy/index.js';

/** A number of shares, and of the ids that they and their parents name. */
export interface ShareLoad {
  shares: number;
  ids: number;
}

/** The shares in force to one recipient. */
export interface ReceivedLoad {
  /** The shares by one sharer. */
  pair: ShareLoad;
  /** The shares by sharers whom the recipient neither follows nor gives a share. */
  strangers: ShareLoad;
  all: ShareLoad;
  /** True if the sharer is one of the strangers. */
  isStranger: boolean;
}

type LoadRow = Record<`${'pair' | 'stranger' | 'all'}${'Shares' | 'Ids'}`, number> & { isStranger: boolean };

const loadOf = (prefix: string, condition: Sql): Sql =>
  sql`count(*) FILTER (WHERE ${condition})::integer AS ${sql.raw(`"${prefix}Shares"`)},
    coalesce(sum(ids) FILTER (WHERE ${condition}), 0)::integer AS ${sql.raw(`"${prefix}Ids"`)}`;

/** Counts shares against their bounds, one writer after the other. Needs a unit of work. */
@Injectable()
export class ShareBoundsQueries {
  constructor(private readonly database: Database) {}

  /**
   * Counts with the unit's own writes; needs `lockReceived` before, without which others count at once. Shares
   * by people whom the recipient has blocked count for those people only, so that they make room for others and
   * the answers to a blocked sharer stay as they were (rule 10.7i).
   */
  async received(sharerId: string, recipientId: string, now: Date): Promise<ReceivedLoad> {
    const [row] = await this.database.read<LoadRow>(
      sql`WITH RECURSIVE chain AS (
          SELECT s.owner_id, s.id, s.parent_owner_id, s.parent_share_id,
            cardinality(s.tag_ids) + cardinality(s.node_ids) AS ids
          FROM shares AS s
          WHERE s.shared_with_user_id = ${recipientId} AND s.revoked_at IS NULL
            AND (s.expires_at IS NULL OR s.expires_at > ${now}::timestamptz)
            AND (s.owner_id = ${sharerId} OR NOT ${isFromBlocked(recipientId)})
          UNION
          SELECT c.owner_id, c.id, p.parent_owner_id, p.parent_share_id,
            cardinality(p.tag_ids) + cardinality(p.node_ids)
          FROM chain AS c JOIN shares AS p ON p.owner_id = c.parent_owner_id AND p.id = c.parent_share_id
        ), counted AS (
          SELECT owner_id, sum(ids) AS ids FROM chain GROUP BY owner_id, id
        ), acquainted AS (${acquaintancesOf(recipientId)})
        SELECT ${loadOf('pair', sql`owner_id = ${sharerId}`)},
          ${loadOf('stranger', sql`owner_id NOT IN (SELECT id FROM acquainted)`)},
          ${loadOf('all', sql`TRUE`)}, ${sharerId}::uuid NOT IN (SELECT id FROM acquainted) AS "isStranger"
        FROM counted`,
      'share-bounds-received',
    );
    const { pairShares, pairIds, strangerShares, strangerIds, allShares, allIds, isStranger } =
      row as LoadRow;
    return {
      pair: { shares: pairShares, ids: pairIds },
      strangers: { shares: strangerShares, ids: strangerIds },
      all: { shares: allShares, ids: allIds },
      isStranger,
    };
  }

  /** The tags in all lists of tags that a sharer shares by, each list counted once; needs `lockTags` before. */
  async tagsShared(sharerId: string, now: Date): Promise<number> {
    const [row] = await this.database.read<{ tags: number }>(
      sql`SELECT coalesce(sum(cardinality(tag_ids)), 0)::integer AS tags FROM (
          SELECT DISTINCT tag_ids FROM shares
          WHERE owner_id = ${sharerId} AND scope = 'specific_tags' AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)
        ) AS lists`,
      'share-bounds-tags',
    );
    return row?.tags ?? 0;
  }

  /** Waits until all other writers of lists of tags of the sharer have ended. */
  async lockTags(sharerId: string): Promise<void> {
    await this.lock(`shares by ${sharerId}`);
  }

  /**
   * Waits until all other writers of shares to the recipient have ended. They, and the beginning of an
   * import into the recipient's account, hold the recipient's lock for moments. A sharer takes their own counter first: if
   * they waited for it with the recipient's lock, nobody else could share with that person (rule 9.8i). Others who act wait
   * with nobody's counter.
   */
  async lockReceived(sharerId: string, recipientId: string): Promise<void> {
    await this.database.write(sql`SET LOCAL lock_timeout = '2s'`, 'share-bounds-wait');
    if (requestContext.current().actor.userId === sharerId)
      await this.database.write(
        sql`INSERT INTO sequences AS s (id, policy) VALUES (${sharerId}, 0)
          ON CONFLICT (id) DO UPDATE SET policy = s.policy`,
        'share-bounds-counter',
      );
    await this.lock(recipientLock(recipientId));
    await this.database.write(sql`SET LOCAL lock_timeout = '10s'`, 'share-bounds-waited');
  }

  private async lock(name: string): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`,
      'share-bounds-lock',
    );
  }
}
