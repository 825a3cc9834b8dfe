import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Room } from '../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { acquaintancesOf, hasBlocked } from '../../privacy/index.js';
import { type Invitation } from '../domain/group.js';
import { newestPage } from './newest-page.js';

const ALL = sql.raw(
  'i.owner_id, i.id, i.invited_user_id, i.invited_by, i.role, i.exposure_profile_id, i.message, i.status, i.created_at, i.responded_at',
);

/** An invitation by somebody whom the invited user has blocked does not exist for that user (rule 10.7i). */
const IS_SHOWN = sql`NOT ${hasBlocked(sql.raw('i.invited_user_id'), [sql.raw('i.invited_by')])}`;

/** An invitation with the current name of its group. */
export type NamedInvitation = Invitation & { group_name: string };

interface InvitationsPage {
  invitations: NamedInvitation[];
  total: number;
}

/** The pending invitations of one user into living groups. */
export interface InvitationLoad {
  /** The invitations by one inviter. */
  pair: number;
  /** The invitations by people whom the user neither follows nor gives a share. */
  strangers: number;
  all: number;
  /** True if the inviter is one of the strangers. */
  isStranger: boolean;
}

/** Invitations into living groups, as stored. Writes need a unit of work. */
@Injectable()
export class InvitationsRepository {
  constructor(private readonly database: Database) {}

  /** An invitation of the invited user. */
  find(userId: string, id: string): Promise<NamedInvitation | null> {
    return this.one(sql`i.invited_user_id = ${userId} AND i.id = ${id} AND ${IS_SHOWN}`);
  }

  /** An invitation of the group. */
  ofGroup(groupId: string, id: string): Promise<NamedInvitation | null> {
    return this.one(sql`i.owner_id = ${groupId} AND i.id = ${id}`);
  }

  async lock(groupId: string, id: string): Promise<Invitation | null> {
    const [invitation] = await this.database.write<Invitation>(
      sql`SELECT ${ALL} FROM group_invitations AS i WHERE i.owner_id = ${groupId} AND i.id = ${id} FOR UPDATE`,
      'invitation-lock',
    );
    return invitation ?? null;
  }

  /** A page of the invitations that wait for the user's answer, newest first. */
  incoming(userId: string, page: Room): Promise<InvitationsPage> {
    return this.page(sql`i.invited_user_id = ${userId} AND i.status = 'pending' AND ${IS_SHOWN}`, page);
  }

  /** A page of the pending invitations of the group, newest first. */
  pending(groupId: string, page: Room): Promise<InvitationsPage> {
    return this.page(sql`i.owner_id = ${groupId} AND i.status = 'pending'`, page);
  }

  /**
   * Counts the pending invitations of a user, with the unit's own, once all other writers of them have ended. Invitations
   * by people whom the user has blocked count for those people only (rule 10.7i).
   */
  async received(inviterId: string, userId: string): Promise<InvitationLoad> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`invitations to ${userId}`}, 0))`,
      'invitations-received-lock',
    );
    const [row] = await this.database.read<InvitationLoad>(
      sql`WITH acquainted AS (${acquaintancesOf(userId)})
        SELECT count(*) FILTER (WHERE i.invited_by = ${inviterId}) AS pair, count(*) AS all,
          count(*) FILTER (WHERE i.invited_by NOT IN (SELECT id FROM acquainted)) AS strangers,
          ${inviterId}::uuid NOT IN (SELECT id FROM acquainted) AS "isStranger"
        FROM group_invitations AS i JOIN groups AS g ON g.id = i.owner_id AND g.is_active
        WHERE i.invited_user_id = ${userId} AND i.status = 'pending'
          AND (i.invited_by = ${inviterId} OR ${IS_SHOWN})`,
      'invitations-received',
    );
    return row as InvitationLoad;
  }

  /**
   * Deletes the ended invitation of this user, and the oldest beyond a number; nothing refers to them.
   * @returns the number of pending invitations of the group
   */
  async makeRoom(groupId: string, userId: string, mostEnded: number): Promise<number> {
    await this.database.write(
      sql`DELETE FROM group_invitations WHERE owner_id = ${groupId} AND status <> 'pending' AND (invited_user_id = ${userId}
          OR id IN (SELECT e.id FROM group_invitations AS e WHERE e.owner_id = ${groupId} AND e.status <> 'pending'
            ORDER BY e.responded_at DESC NULLS LAST, e.id OFFSET ${mostEnded}))`,
      'invitations-make-room',
    );
    const [row] = await this.database.write<{ count: number }>(
      sql`SELECT count(*) AS count FROM group_invitations WHERE owner_id = ${groupId} AND status = 'pending'`,
      'invitations-pending',
    );
    return row?.count ?? 0;
  }

  /** Throws the unique violation of group_invitations_pending. */
  async insert(invitation: Invitation): Promise<void> {
    const { owner_id, id, invited_user_id, invited_by, role, message, status, created_at } = invitation;
    const { exposure_profile_id: profileId } = invitation;
    await this.database.write(
      sql`INSERT INTO group_invitations (owner_id, id, invited_user_id, invited_by, role, exposure_profile_id, message, status, created_at)
        VALUES (${owner_id}, ${id}, ${invited_user_id}, ${invited_by}, ${role}, ${profileId}, ${message}, ${status},
          ${created_at})`,
      'invitation-insert',
    );
  }

  async update({ owner_id, id, status, responded_at }: Invitation): Promise<void> {
    await this.database.write(
      sql`UPDATE group_invitations SET status = ${status}, responded_at = ${responded_at}
        WHERE owner_id = ${owner_id} AND id = ${id}`,
      'invitation-update',
    );
  }

  async cancelAll(groupId: string, at: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE group_invitations SET status = 'cancelled', responded_at = ${at}
        WHERE owner_id = ${groupId} AND status = 'pending'`,
      'invitations-cancel',
    );
  }

  /** Cancels the pending invitations that this admin made. */
  async cancelOf(groupId: string, invitedBy: string, at: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE group_invitations SET status = 'cancelled', responded_at = ${at}
        WHERE owner_id = ${groupId} AND invited_by = ${invitedBy} AND status = 'pending'`,
      'invitations-cancel-of',
    );
  }

  private async one(condition: Sql): Promise<NamedInvitation | null> {
    const [invitation] = await this.database.read<NamedInvitation>(named(condition), 'invitation');
    return invitation ?? null;
  }

  private async page(condition: Sql, page: Room): Promise<InvitationsPage> {
    const rows = await this.database.read<NamedInvitation & { total: number }>(
      newestPage(named(condition), page),
      'invitations-page',
    );
    return { invitations: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
  }
}

const named = (condition: Sql): Sql =>
  sql`SELECT ${ALL}, g.name AS group_name FROM group_invitations AS i
    JOIN groups AS g ON g.id = i.owner_id AND g.is_active WHERE ${condition}`;
