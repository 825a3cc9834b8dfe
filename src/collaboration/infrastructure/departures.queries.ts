import { Injectable } from '@nestjs/common';
import { accountLock } from '../../identity/index.js';
import { Database } from '../../kernel/database/database.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Share } from '../domain/share.js';
import { shareLock } from './share-lock.js';

type ShareKey = Pick<Share, 'owner_id' | 'id'>;

interface Held {
  has_people: boolean;
  has_shares: boolean | null;
  has_import: boolean;
}

/** A group that the user is a member of, or has created. */
export interface GroupLeft {
  id: string;
  created_by: string;
  is_active: boolean;
  is_member: boolean;
  /** Members other than that user. */
  others: number;
}

/**
 * The traces of one user on other users' side, and their removal when the account is erased. Writes need a
 * unit of work, and the removal `LivingAccounts.end` before: what it finds then refers to nothing that it does not find.
 */
@Injectable()
export class DeparturesQueries {
  constructor(private readonly database: Database) {}

  /**
   * Keeps users, and those whom a re-share depends on, from erasing their accounts until the unit ends, as each unit
   * that adds a share, a follow or a block must; and the shares above a re-share from changes, which must find the
   * re-share. It never waits, because an erasure or a change may wait for what the unit has locked; later waits of the
   * unit take two seconds at most, because others wait for the unit. Comes before the row is inserted, whose foreign keys an erasure would wait for.
   * @param parent the share that a re-share passes on
   * @throws SERVICE_UNAVAILABLE while an account is being erased or a share is being changed, or one of both waits, and
   *   while an archive is imported into an account: its log is closed, also for the end of what would be added
   */
  async hold(userIds: readonly string[], parent: ShareKey | null = null): Promise<void> {
    if (await this.held(userIds, parent)) throw beingImported();
  }

  /** The same for a user whom another blocks, also during an import, which a block does not concern. */
  async holdBlocked(userId: string): Promise<void> {
    await this.held([userId], null);
  }

  /** @returns true if an archive is being imported into one of the accounts */
  private async held(userIds: readonly string[], parent: ShareKey | null): Promise<boolean> {
    const [row] = await this.database.write<Held>(
      sql`WITH RECURSIVE chain AS (
          SELECT s.id, s.owner_id, s.shared_with_user_id, s.parent_owner_id, s.parent_share_id FROM shares AS s
          WHERE s.owner_id = ${parent?.owner_id ?? null}::uuid AND s.id = ${parent?.id ?? null}::uuid
          UNION
          SELECT p.id, p.owner_id, p.shared_with_user_id, p.parent_owner_id, p.parent_share_id
          FROM chain AS c JOIN shares AS p ON p.owner_id = c.parent_owner_id AND p.id = c.parent_share_id
        ), people AS (
          SELECT unnest(${userIds}::uuid[]) AS id
          UNION SELECT owner_id FROM chain UNION SELECT shared_with_user_id FROM chain
        )
        SELECT (SELECT bool_and(${isHeld(accountLock(sql`id`))}) FROM people) AS has_people,
          (SELECT bool_and(${isHeld(shareLock(sql`id`))}) FROM chain) AS has_shares,
          EXISTS (SELECT FROM sequences AS q WHERE q.id IN (SELECT id FROM people)
            AND (q.is_filling OR CASE WHEN q.is_importing THEN is_import_under_way(q.id) END)) AS has_import,
          set_config('lock_timeout', '2s', true)`,
      'departure-hold',
    );
    if (row?.has_people !== true) throw beingErased();
    if (row.has_shares === false) throw beingChanged();
    return row.has_import;
  }

  /** Locks the groups, in the order of their ids: nobody joins or leaves one until the unit ends. */
  async lockGroups(userId: string): Promise<GroupLeft[]> {
    const concerned = sql`g.created_by = ${userId}
      OR g.id IN (SELECT m.owner_id FROM group_members AS m WHERE m.user_id = ${userId})`;
    await this.database.write(sql`SELECT g.id FROM groups AS g WHERE ${concerned} ORDER BY g.id FOR UPDATE`);
    // A statement of its own, because it counts the members as they are once the groups are locked.
    return this.database.read<GroupLeft>(
      sql`SELECT g.id, g.created_by, g.is_active,
          EXISTS (SELECT FROM group_members AS m WHERE m.owner_id = g.id AND m.user_id = ${userId}) AS is_member,
          (SELECT count(*) FROM group_members AS m WHERE m.owner_id = g.id AND m.user_id <> ${userId}) AS others
        FROM groups AS g WHERE ${concerned} ORDER BY g.id`,
    );
  }

  /**
   * Removes every follow on either side, and the content of its changes in other users' logs.
   * @returns the bytes that no longer count, by the user for whom they counted: their own rows about the follows of the
   *   user who leaves, and their follows
   */
  async takeFollows(userId: string): Promise<Map<string, number>> {
    const freed = await this.database.write<{ owner_id: string; bytes: number }>(
      sql`WITH emptied AS (
          SELECT c.owner_id, c.sequence, CASE WHEN c.changed_by_user_id = c.owner_id
            THEN plain_bytes(c.snapshot) + plain_bytes(c.changed_fields) ELSE 0 END AS bytes
          FROM changes AS c JOIN follows AS f ON c.owner_id = f.owner_id AND c.entity_id = f.id AND c.entity = 'follow'
          WHERE f.follower_id = ${userId})
        UPDATE changes AS c SET snapshot = NULL, changed_fields = NULL FROM emptied AS e
        WHERE c.owner_id = e.owner_id AND c.sequence = e.sequence RETURNING e.owner_id, e.bytes`,
    );
    const ended = await this.database.write<{ owner_id: string; bytes: number }>(
      sql`DELETE FROM follows WHERE owner_id = ${userId} OR follower_id = ${userId}
        OR (owner_id, share_id) IN (${doomedShares(userId)})
        RETURNING follower_id AS owner_id, follow_bytes(message) AS bytes`,
    );
    const sums = new Map<string, number>();
    for (const { owner_id, bytes } of [...freed, ...ended])
      sums.set(owner_id, (sums.get(owner_id) ?? 0) + bytes);
    return sums;
  }

  /**
   * Removes every share that the user gave or received or whose nodes the user owns, with its re-shares;
   * after their follows.
   */
  async takeShares(userId: string): Promise<Share[]> {
    const doomed = doomedShares(userId);
    return this.database.write<Share>(
      sql`DELETE FROM shares WHERE (owner_id, id) IN (${doomed}) RETURNING *`,
    );
  }

  /** Removes messages to others, and questions that can no longer be answered. */
  async takeWords(userId: string): Promise<void> {
    await this.database.write(
      sql`UPDATE group_invitations SET message = NULL WHERE invited_by = ${userId} AND message IS NOT NULL`,
    );
    await this.database.write(sql`DELETE FROM group_invitations WHERE invited_user_id = ${userId}`);
    await this.database.write(
      sql`UPDATE group_connections SET message = NULL WHERE requested_by = ${userId} AND message IS NOT NULL`,
    );
  }
}

const isHeld = (lock: Sql): Sql => sql`pg_try_advisory_xact_lock_shared(hashtextextended(${lock}, 0))`;

const beingChanged = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'A share of these nodes is being changed; try again');

const beingImported = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'An archive is being imported into one of the accounts concerned; try again later',
  );

const beingErased = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'One of the accounts concerned is being erased; try again later');

const doomedShares = (userId: string): Sql =>
  sql`WITH RECURSIVE doomed AS (
      SELECT s.owner_id, s.id FROM shares AS s
      WHERE s.owner_id = ${userId} OR s.graph_owner_id = ${userId} OR s.shared_with_user_id = ${userId}
      UNION
      SELECT s.owner_id, s.id FROM doomed AS d
      JOIN shares AS s ON s.parent_owner_id = d.owner_id AND s.parent_share_id = d.id
    ) SELECT owner_id, id FROM doomed`;
