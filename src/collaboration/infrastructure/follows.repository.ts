import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { hasBlocked } from '../../privacy/index.js';
import { type Follow, type FollowStatus } from '../domain/follow.js';

const ALL = sql.raw(
  'owner_id, id, follower_id, status, message, share_id, version, created_at, responded_at',
);

/**
 * A request by somebody whom the followed user has blocked does not exist for that user, unless it is accepted: the
 * follower reads the graph, and the follow must be found to be ended (rule 10.7i).
 */
const IS_SHOWN = sql`(f.status = 'accepted' OR NOT ${hasBlocked(sql.raw('f.owner_id'), [sql.raw('f.follower_id')])})`;

export interface FollowListing {
  status: FollowStatus | undefined;
  limit: number;
  offset: number;
}

/** Follows as stored. Writes need a unit of work. */
@Injectable()
export class FollowsRepository {
  constructor(private readonly database: Database) {}

  /** A follow in which the user is the follower or the followed. */
  async find(userId: string, id: string): Promise<Follow | null> {
    const [follow] = await this.database.read<Follow>(
      sql`SELECT ${ALL} FROM follows AS f WHERE owner_id = ${userId} AND id = ${id} AND ${IS_SHOWN}
        UNION ALL SELECT ${ALL} FROM follows WHERE follower_id = ${userId} AND id = ${id}`,
      'follow',
    );
    return follow ?? null;
  }

  async lock(ownerId: string, id: string): Promise<Follow | null> {
    const [follow] = await this.database.write<Follow>(
      sql`SELECT ${ALL} FROM follows WHERE owner_id = ${ownerId} AND id = ${id} FOR UPDATE`,
      'follow-lock',
    );
    return follow ?? null;
  }

  /** Throws the unique violation of follows_pair when there is a pending or accepted one. */
  async insert(follow: Follow): Promise<void> {
    await this.database.write(
      sql`INSERT INTO follows (${ALL}) VALUES (${follow.owner_id}, ${follow.id}, ${follow.follower_id}, ${follow.status},
        ${follow.message}, ${follow.share_id}, ${follow.version}, ${follow.created_at}, ${follow.responded_at})`,
      'follow-insert',
    );
  }

  async update({ owner_id, id, status, share_id, version, responded_at }: Follow): Promise<void> {
    await this.database.write(
      sql`UPDATE follows SET status = ${status}, share_id = ${share_id}, version = ${version}, responded_at = ${responded_at}
        WHERE owner_id = ${owner_id} AND id = ${id}`,
      'follow-update',
    );
  }

  /** Locks the follow by which a user receives a share of another; null without one. */
  async lockShared(followerId: string, ownerId: string): Promise<Follow | null> {
    const [follow] = await this.database.write<Follow>(
      sql`SELECT ${ALL} FROM follows
        WHERE owner_id = ${ownerId} AND follower_id = ${followerId} AND status = 'accepted' FOR UPDATE`,
      'follow-lock-shared',
    );
    return follow ?? null;
  }

  /** True if the followed user has blocked the follower. */
  async isFromBlocked({ owner_id, follower_id }: Follow): Promise<boolean> {
    const [row] = await this.database.read<{ blocked: boolean }>(
      sql`SELECT ${hasBlocked(sql`${owner_id}`, [sql`${follower_id}`])} AS blocked`,
      'follow-blocked',
    );
    return row?.blocked ?? false;
  }

  /** Follows of the followed user, newest first. */
  incoming(userId: string, listing: FollowListing): Promise<{ follows: Follow[]; total: number }> {
    return this.page(sql`f.owner_id = ${userId} AND ${IS_SHOWN}`, listing);
  }

  /** Follows by the follower, newest first. */
  outgoing(userId: string, listing: FollowListing): Promise<{ follows: Follow[]; total: number }> {
    return this.page(sql`f.follower_id = ${userId}`, listing);
  }

  private async page(whose: Sql, { status, limit, offset }: FollowListing) {
    const condition = sql.and([whose, status !== undefined && sql`f.status = ${status}`]);
    const rows = await this.database.read<Follow & { total: number }>(
      sql`SELECT page.*, counted.total FROM (SELECT count(*) AS total FROM follows AS f WHERE ${condition}) AS counted
        LEFT JOIN (SELECT ${ALL} FROM follows AS f WHERE ${condition} ORDER BY created_at DESC, id DESC
          LIMIT ${limit} OFFSET ${offset}) AS page ON TRUE
        ORDER BY page.created_at DESC, page.id DESC`,
      'follows-page',
    );
    return { follows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
  }
}
