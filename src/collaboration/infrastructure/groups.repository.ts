import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type Group, type GroupShare, type Member, type Membership } from '../domain/group.js';

const GROUP = sql.raw(
  'g.id, g.name, g.description, g.deletion_policy, g.created_by, g.is_active, g.version, g.created_at, g.updated_at',
);
const MEMBER = sql.raw('m.owner_id, m.user_id, m.role, m.exposure_profile_id, m.joined_at');
const COUNT = sql.raw('(SELECT count(*) FROM group_members AS c WHERE c.owner_id = g.id) AS member_count');

type MembershipRow = Group &
  Pick<Member, 'role' | 'user_id' | 'exposure_profile_id' | 'joined_at'> & { member_count: number };

/** Groups, their members, and members' shares with them, as stored. Writes need a unit of work. */
@Injectable()
export class GroupsRepository {
  constructor(private readonly database: Database) {}

  /** The names of living groups by id; without ids it sends no statement. */
  async names(ids: readonly string[]): Promise<ReadonlyMap<string, Pick<Group, 'id' | 'name'>>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.read<Pick<Group, 'id' | 'name'>>(
      sql`SELECT id, name FROM groups WHERE id = ANY(${[...new Set(ids)]}::uuid[]) AND is_active`,
      'group-names',
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** A living group and the user's membership; null for an unknown or disbanded group. */
  async find(
    groupId: string,
    userId: string,
  ): Promise<{ group: Group; membership: Membership | null } | null> {
    const [row] = await this.database.read<MembershipRow>(
      sql`SELECT ${GROUP}, m.user_id, m.role, m.exposure_profile_id, m.joined_at, ${COUNT}
        FROM groups AS g LEFT JOIN group_members AS m ON m.owner_id = g.id AND m.user_id = ${userId}
        WHERE g.id = ${groupId} AND g.is_active`,
      'group',
    );
    if (row === undefined) return null;
    const membership = row.user_id === null ? null : membershipOf(row);
    return { group: groupOf(row), membership };
  }

  /** The living groups of a user, oldest membership first. */
  async ofUser(userId: string): Promise<Membership[]> {
    const rows = await this.database.read<MembershipRow>(
      sql`SELECT ${GROUP}, m.user_id, m.role, m.exposure_profile_id, m.joined_at, ${COUNT}
        FROM group_members AS m JOIN groups AS g ON g.id = m.owner_id AND g.is_active
        WHERE m.user_id = ${userId} ORDER BY m.joined_at, g.id`,
      'groups-of-user',
    );
    return rows.map(membershipOf);
  }

  /** Locks a living group; changes of a group or its members take this lock first. */
  async lock(groupId: string): Promise<Group | null> {
    const [group] = await this.database.write<Group>(
      sql`SELECT ${GROUP} FROM groups AS g WHERE g.id = ${groupId} AND g.is_active FOR UPDATE`,
      'group-lock',
    );
    return group ?? null;
  }

  async insert(group: Group): Promise<void> {
    const { id, name, description, deletion_policy, created_by, is_active, version, created_at, updated_at } =
      group;
    await this.database.write(
      sql`INSERT INTO groups (id, name, description, deletion_policy, created_by, is_active, version, created_at, updated_at)
        VALUES (${id}, ${name}, ${description}, ${deletion_policy}, ${created_by}, ${is_active}, ${version}, ${created_at}, ${updated_at})`,
      'group-insert',
    );
  }

  async update({
    id,
    name,
    description,
    deletion_policy,
    is_active,
    version,
    updated_at,
  }: Group): Promise<void> {
    await this.database.write(
      sql`UPDATE groups SET name = ${name}, description = ${description}, deletion_policy = ${deletion_policy},
        is_active = ${is_active}, version = ${version}, updated_at = ${updated_at} WHERE id = ${id}`,
      'group-update',
    );
  }

  /** Members, earliest first. */
  members(groupId: string): Promise<Member[]> {
    return this.database.read<Member>(
      sql`SELECT ${MEMBER} FROM group_members AS m WHERE m.owner_id = ${groupId} ORDER BY m.joined_at, m.user_id`,
      'group-members',
    );
  }

  /**
   * The last profile of a former member; null for a user who never was one, and for a former member without
   * a profile.
   */
  async formerProfile(groupId: string, userId: string): Promise<string | null> {
    const [row] = await this.database.read<{ id: string | null }>(
      sql`SELECT c.snapshot ->> 'exposure_profile_id' AS id FROM changes AS c
        WHERE c.owner_id = ${groupId} AND c.entity_id = ${userId} AND c.entity = 'group_member' AND c.action = 'deleted'
        ORDER BY c.sequence DESC LIMIT 1`,
      'group-former-profile',
    );
    return row?.id ?? null;
  }

  async addMember(member: Member): Promise<void> {
    await this.database.write(
      sql`INSERT INTO group_members (owner_id, user_id, role, exposure_profile_id, joined_at)
        VALUES (${member.owner_id}, ${member.user_id}, ${member.role}, ${member.exposure_profile_id}, ${member.joined_at})`,
      'group-member-insert',
    );
  }

  async updateMember({ owner_id, user_id, role, exposure_profile_id }: Member): Promise<void> {
    await this.database.write(
      sql`UPDATE group_members SET role = ${role}, exposure_profile_id = ${exposure_profile_id}
        WHERE owner_id = ${owner_id} AND user_id = ${user_id}`,
      'group-member-update',
    );
  }

  /** Removes a member and their share with the group. */
  async removeMember(groupId: string, userId: string): Promise<void> {
    await this.database.write(
      sql`DELETE FROM group_shares WHERE owner_id = ${userId} AND group_id = ${groupId}`,
      'group-share-delete',
    );
    await this.database.write(
      sql`DELETE FROM group_members WHERE owner_id = ${groupId} AND user_id = ${userId}`,
      'group-member-delete',
    );
  }

  async removeShares(groupId: string): Promise<void> {
    await this.database.write(
      sql`DELETE FROM group_shares WHERE group_id = ${groupId}`,
      'group-shares-delete',
    );
  }

  async share(groupId: string, userId: string): Promise<GroupShare | null> {
    const [share] = await this.database.read<GroupShare>(
      sql`SELECT owner_id, group_id, exposure_profile_id, created_at, updated_at FROM group_shares
        WHERE owner_id = ${userId} AND group_id = ${groupId}`,
      'group-share',
    );
    return share ?? null;
  }

  /** Throws the unique violation of group_shares_pkey when a share exists. */
  async addShare(share: GroupShare): Promise<void> {
    await this.database.write(
      sql`INSERT INTO group_shares (owner_id, group_id, exposure_profile_id, created_at, updated_at)
        VALUES (${share.owner_id}, ${share.group_id}, ${share.exposure_profile_id}, ${share.created_at}, ${share.updated_at})`,
      'group-share-insert',
    );
  }

  async updateShare({ owner_id, group_id, exposure_profile_id, updated_at }: GroupShare): Promise<void> {
    await this.database.write(
      sql`UPDATE group_shares SET exposure_profile_id = ${exposure_profile_id}, updated_at = ${updated_at}
        WHERE owner_id = ${owner_id} AND group_id = ${group_id}`,
      'group-share-update',
    );
  }

  async removeShare({ owner_id, group_id }: GroupShare): Promise<void> {
    await this.database.write(
      sql`DELETE FROM group_shares WHERE owner_id = ${owner_id} AND group_id = ${group_id}`,
      'group-share-delete',
    );
  }
}

function groupOf({ id, name, description, deletion_policy, ...row }: MembershipRow): Group {
  const { created_by, is_active, version, created_at, updated_at } = row;
  return { id, name, description, deletion_policy, created_by, is_active, version, created_at, updated_at };
}

function membershipOf(row: MembershipRow): Membership {
  const { id, user_id, role, exposure_profile_id, joined_at, member_count } = row;
  const member = { owner_id: id, user_id, role, exposure_profile_id, joined_at };
  return { group: groupOf(row), member, memberCount: member_count };
}
