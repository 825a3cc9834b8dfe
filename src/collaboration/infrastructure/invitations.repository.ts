import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { hasBlocked } from '../../privacy/index.js';
import { type Invitation } from '../domain/group.js';

const ALL = sql.raw(
  'i.owner_id, i.id, i.invited_user_id, i.invited_by, i.role, i.exposure_profile_id, i.message, i.status, i.created_at, i.responded_at',
);

/** An invitation by somebody whom the invited user has blocked does not exist for that user (rule 10.7i). */
const IS_SHOWN = sql`NOT ${hasBlocked(sql.raw('i.invited_user_id'), [sql.raw('i.invited_by')])}`;

/** An invitation with the current name of its group. */
export type NamedInvitation = Invitation & { group_name: string };

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

  /** Invitations that wait for the user's answer, newest first. */
  incoming(userId: string): Promise<NamedInvitation[]> {
    return this.list(sql`i.invited_user_id = ${userId} AND i.status = 'pending' AND ${IS_SHOWN}`);
  }

  /** Pending invitations of the group, newest first. */
  pending(groupId: string): Promise<NamedInvitation[]> {
    return this.list(sql`i.owner_id = ${groupId} AND i.status = 'pending'`);
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
    const [invitation] = await this.list(condition);
    return invitation ?? null;
  }

  private list(condition: Sql): Promise<NamedInvitation[]> {
    return this.database.read<NamedInvitation>(
      sql`SELECT ${ALL}, g.name AS group_name FROM group_invitations AS i JOIN groups AS g ON g.id = i.owner_id AND g.is_active
        WHERE ${condition} ORDER BY i.created_at DESC, i.id DESC`,
      'invitations',
    );
  }
}
