import { Injectable } from '@nestjs/common';
import { accountLock } from '../../identity/index.js';
import { Database } from '../../kernel/database/database.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type StoredOutline } from '../domain/share.js';
import { shareLock } from './share-lock.js';
import { listed, OUTLINE, type ShareKey } from './shares.repository.js';

/** The most follows or shares that one transaction removes: it holds the counters of their other people. */
const PAGE = 100;

interface Held {
  has_people: boolean;
  has_shares: boolean | null;
  has_import: boolean;
}

/** A share that was removed, as it was after its end. */
export interface EndedShare extends StoredOutline {
  /** Its sharer and its recipient, without those whose accounts are erased. */
  people: string[];
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
   * Ends every follow on either side, and every share that the user gave or received or whose nodes the user owns, with
   * its re-shares. The rows are removed in pages, once the others' logs have the end.
   */
  async endAll(userId: string, at: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE follows SET status = 'revoked'
        WHERE status IN ('pending', 'accepted') AND (owner_id = ${userId} OR follower_id = ${userId}
          OR (owner_id, share_id) IN (${doomedShares(userId)}))`,
    );
    await this.database.write(
      sql`UPDATE shares SET ends_with = ${userId}, is_end_in_logs = is_end_in_logs AND revoked_at IS NOT NULL,
          version = version + (revoked_at IS NULL)::integer, updated_at = ${at}, revoked_at = coalesce(revoked_at, ${at})
        WHERE (owner_id, id) IN (${doomedShares(userId)})`,
    );
  }

  /**
   * Removes a page of the follows on either side, and the content of their changes in other users' logs.
   * @returns the bytes that no longer count, by the user for whom they counted: their own rows about the follows of the
   *   user who leaves, and their follows; nobody if no follows are left
   */
  takeFollows(userId: string): Promise<Map<string, number>> {
    return this.withoutFollows(userId, sql`f.owner_id = ${userId} OR f.follower_id = ${userId}`);
  }

  /** Some of the shares to remove, once no follows are left; those below before those above. */
  async sharesToTake(userId: string): Promise<ShareKey[]> {
    return this.database.write<ShareKey>(
      sql`SELECT s.owner_id, s.id FROM shares AS s WHERE s.ends_with = ${userId} AND NOT EXISTS (
          SELECT FROM shares AS c WHERE c.parent_owner_id = s.owner_id AND c.parent_share_id = s.id)
        LIMIT ${PAGE} FOR UPDATE`,
    );
  }

  /** Removes these shares. @returns those whose end is in no log yet, with the people who have a log */
  async takeShares(shares: readonly ShareKey[]): Promise<EndedShare[]> {
    return this.database.write<EndedShare>(
      sql`WITH gone AS (
          DELETE FROM shares WHERE (owner_id, id) IN (${listed(shares)}) RETURNING ${OUTLINE}, is_end_in_logs)
        SELECT g.*, ARRAY(SELECT q.id FROM sequences AS q
          WHERE q.id IN (g.owner_id, g.shared_with_user_id) AND NOT q.is_closed) AS people
        FROM gone AS g WHERE NOT g.is_end_in_logs`,
    );
  }

  /** Removes the follows by which these shares were given. @returns the same as {@link takeFollows} */
  takeFollowsOf(userId: string, shares: readonly ShareKey[]): Promise<Map<string, number>> {
    return this.withoutFollows(userId, sql`(f.owner_id, f.share_id) IN (${listed(shares)})`);
  }

  private async withoutFollows(userId: string, condition: Sql): Promise<Map<string, number>> {
    const sums = await this.database.write<{ owner_id: string; bytes: number }>(
      sql`WITH page AS MATERIALIZED (
          SELECT f.owner_id, f.id, f.follower_id FROM follows AS f WHERE ${condition} LIMIT ${PAGE}),
        emptied AS (
          SELECT c.owner_id, c.sequence, CASE WHEN c.changed_by_user_id = c.owner_id
            THEN plain_bytes(c.snapshot) + plain_bytes(c.changed_fields) ELSE 0 END AS bytes
          FROM changes AS c JOIN page AS f ON c.owner_id = f.owner_id AND c.entity_id = f.id AND c.entity = 'follow'
          WHERE f.follower_id = ${userId}),
        cleared AS (
          UPDATE changes AS c SET snapshot = NULL, changed_fields = NULL FROM emptied AS e
          WHERE c.owner_id = e.owner_id AND c.sequence = e.sequence RETURNING e.owner_id, e.bytes),
        ended AS (
          DELETE FROM follows AS f USING page AS p WHERE f.owner_id = p.owner_id AND f.id = p.id
          RETURNING f.follower_id AS owner_id, follow_bytes(f.message) AS bytes)
        SELECT owner_id, sum(bytes)::bigint AS bytes FROM (TABLE cleared UNION ALL TABLE ended) AS freed GROUP BY owner_id`,
    );
    return new Map(sums.map(({ owner_id, bytes }) => [owner_id, bytes]));
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

export const beingImported = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'An archive is being imported into one of the accounts concerned; try again later',
  );

const beingErased = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'One of the accounts concerned is being erased; try again later');

/** The shares that the user gave or received or whose nodes the user owns, with all re-shares below them. */
const doomedShares = (userId: string): Sql =>
  sql`WITH RECURSIVE doomed AS (
      SELECT s.owner_id, s.id FROM shares AS s
      WHERE s.owner_id = ${userId} OR s.graph_owner_id = ${userId} OR s.shared_with_user_id = ${userId}
      UNION
      SELECT s.owner_id, s.id FROM doomed AS d
      JOIN shares AS s ON s.parent_owner_id = d.owner_id AND s.parent_share_id = d.id
    ) SELECT owner_id, id FROM doomed`;
