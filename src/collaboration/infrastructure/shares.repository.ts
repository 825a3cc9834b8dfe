import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Room } from '../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { isFromBlocked, livingReshares } from '../../privacy/index.js';
import { type Share, type StoredOutline } from '../domain/share.js';
import { newestPage } from './newest-page.js';
import { shareLock } from './share-lock.js';

const COLUMNS = {
  owner_id: 'uuid',
  id: 'uuid',
  graph_owner_id: 'uuid',
  shared_with_user_id: 'uuid',
  scope: 'text',
  tag_ids: 'uuid[]',
  node_ids: 'uuid[]',
  can_read: 'boolean',
  can_write: 'boolean',
  can_delete: 'boolean',
  can_share: 'boolean',
  source: 'text',
  follow_id: 'uuid',
  parent_owner_id: 'uuid',
  parent_share_id: 'uuid',
  version: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  expires_at: 'timestamptz',
  revoked_at: 'timestamptz',
} satisfies Record<keyof Share, string>;
const NAMES = Object.keys(COLUMNS) as (keyof Share)[];
const ALL = sql.raw(NAMES.join(', '));
/** Graph, recipient and parent never change: chains are judged by them (rule 10.8d). */
const FIXED = [
  'owner_id',
  'id',
  'graph_owner_id',
  'shared_with_user_id',
  'parent_owner_id',
  'parent_share_id',
];
const CHANGING = NAMES.filter((name) => ![...FIXED, 'created_at'].includes(name));
const value = (share: Share, name: keyof Share): Sql => sql`${share[name]}::${sql.raw(COLUMNS[name])}`;
export const OUTLINE = sql.raw(NAMES.filter((name) => name !== 'tag_ids' && name !== 'node_ids').join(', '));

export type ShareKey = Pick<Share, 'owner_id' | 'id'>;

/** The most shares that one statement reads with the ids that they name. */
const PAGE = 100;
const ANY_NUMBER = 2 ** 31 - 1;

/** Shares as stored. Writes need a unit of work. */
@Injectable()
export class SharesRepository {
  constructor(private readonly database: Database) {}

  /** A share that the user gave, or received from people whom they have not blocked. */
  async find(userId: string, id: string): Promise<Share | null> {
    const [share] = await this.database.read<Share>(
      sql`SELECT ${ALL} FROM shares WHERE owner_id = ${userId} AND id = ${id}
        UNION ALL SELECT ${ALL} FROM shares AS s
          WHERE shared_with_user_id = ${userId} AND id = ${id} AND revoked_at IS NULL AND NOT ${isFromBlocked(userId)}`,
      'share',
    );
    return share ?? null;
  }

  /**
   * Locks a share that is about to be changed. Re-shares below it that are being written are awaited, and no further one
   * begins meanwhile. FOR UPDATE would wait for the foreign keys of re-shares, too, which overtake it.
   */
  async lock(ownerId: string, id: string): Promise<Share | null> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${shareLock(sql`${id}::uuid`)}, 0))`,
      'share-await-reshares',
    );
    const [share] = await this.database.write<Share>(
      sql`SELECT ${ALL} FROM shares WHERE owner_id = ${ownerId} AND id = ${id} FOR NO KEY UPDATE`,
      'share-lock',
    );
    return share ?? null;
  }

  /** Some of the shares that are not revoked between two people, locked as by `lock`; none if none are left. */
  async lockReceived(recipientId: string, sharerId: string): Promise<Share[]> {
    for (;;) {
      const found = await this.database.write<{ id: string }>(
        sql`SELECT id, pg_advisory_xact_lock(hashtextextended(${shareLock(sql`id`)}, 0)) FROM (
            SELECT id FROM shares
            WHERE shared_with_user_id = ${recipientId} AND owner_id = ${sharerId} AND revoked_at IS NULL
            ORDER BY id LIMIT ${PAGE}) AS found`,
        'shares-await-reshares',
      );
      if (found.length === 0) return [];
      const locked = await this.database.write<Share>(
        sql`SELECT ${ALL} FROM shares
          WHERE owner_id = ${sharerId} AND id = ANY(${found.map(({ id }) => id)}::uuid[]) AND revoked_at IS NULL
          ORDER BY id FOR NO KEY UPDATE`,
        'shares-lock-received',
      );
      if (locked.length > 0) return locked;
    }
  }

  /** The direct and indirect re-shares of shares, in the order of their ids; at most some of them. */
  below(shares: readonly ShareKey[], most = ANY_NUMBER): Promise<ShareKey[]> {
    return this.database.read<ShareKey>(
      sql`WITH RECURSIVE below AS (
          SELECT s.owner_id, s.id FROM shares AS s WHERE (s.parent_owner_id, s.parent_share_id) IN (${listed(shares)})
          UNION
          SELECT s.owner_id, s.id FROM below AS b
          JOIN shares AS s ON s.parent_owner_id = b.owner_id AND s.parent_share_id = b.id
        ) SELECT owner_id, id FROM below ORDER BY id LIMIT ${most}`,
      'shares-below',
    );
  }

  /** Shares without the ids that they name. */
  outlines(shares: readonly ShareKey[]): Promise<StoredOutline[]> {
    return this.database.read<StoredOutline>(
      sql`SELECT ${OUTLINE} FROM shares WHERE (owner_id, id) IN (${listed(shares)})`,
      'shares-outlines',
    );
  }

  async insert(share: Share): Promise<void> {
    const values = sql.join(NAMES.map((name) => value(share, name)));
    await this.database.write(sql`INSERT INTO shares (${ALL}) VALUES (${values})`, 'share-insert');
  }

  /** Saves the next version of a locked share. */
  async update(share: Share): Promise<void> {
    const assignments = sql.join(CHANGING.map((name) => sql`${sql.raw(name)} = ${value(share, name)}`));
    await this.database.write(
      sql`UPDATE shares SET ${assignments} WHERE owner_id = ${share.owner_id} AND id = ${share.id}`,
      'share-update',
    );
  }

  /** Revokes locked shares, each with its next version. */
  async revoke(shares: readonly ShareKey[], at: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE shares SET revoked_at = ${at}, updated_at = ${at}, version = version + 1
        WHERE (owner_id, id) IN (${listed(shares)})`,
      'shares-revoke',
    );
  }

  /** Shares that the user gave, revoked ones included, newest first. */
  outgoing(userId: string, page: Room): Promise<{ shares: Share[]; total: number }> {
    return this.page(sql`SELECT s.* FROM shares AS s WHERE s.owner_id = ${userId}`, page);
  }

  /**
   * Shares that the user received, newest first, without those that are revoked, also through a parent, or from
   * people whom the user has blocked (rules 10.7, 10.8).
   */
  incoming(userId: string, page: Room): Promise<{ shares: Share[]; total: number }> {
    return this.page(
      sql`SELECT s.* FROM shares AS s
        WHERE s.shared_with_user_id = ${userId} AND s.revoked_at IS NULL AND NOT ${isFromBlocked(userId)}
          AND (s.parent_share_id IS NULL AND s.owner_id = s.graph_owner_id OR s.id IN (${livingReshares(userId)}))`,
      page,
    );
  }

  private async page(listed: Sql, page: Room): Promise<{ shares: Share[]; total: number }> {
    const rows = await this.database.read<Share & { total: number }>(newestPage(listed, page), 'shares-page');
    return { shares: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
  }
}

export const listed = (shares: readonly ShareKey[]): Sql =>
  sql`SELECT * FROM unnest(${shares.map((one) => one.owner_id)}::uuid[], ${shares.map(({ id }) => id)}::uuid[])`;
