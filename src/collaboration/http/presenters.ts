import { type User } from '../../identity/index.js';
import { type Follow } from '../domain/follow.js';
import { type Connection, type GroupShare, type Member, type Membership } from '../domain/group.js';
import { type FollowDto } from './follows.dto.js';
import { type ConnectionDto, type GroupDto, type GroupShareDto, type MemberDto } from './groups.dto.js';

type Users = ReadonlyMap<string, User>;

export function presentFollow(follow: Follow, users: Users): FollowDto {
  const { id, follower_id, owner_id, status, message, share_id, created_at, responded_at } = follow;
  const person = (userId: string) => ({ id: userId, username: users.get(userId)?.username ?? null });
  return {
    id,
    follower_id,
    target_user_id: owner_id,
    status,
    message,
    share_id,
    created_at,
    responded_at,
    follower: person(follower_id),
    target: person(owner_id),
  };
}

export function presentGroup({ group, member, memberCount }: Membership): GroupDto {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    deletion_policy: group.deletion_policy,
    created_by: group.created_by,
    created_at: group.created_at,
    updated_at: group.updated_at,
    is_active: group.is_active,
    member_count: memberCount,
    my_role: member.role,
  };
}

/** A member. Which profile somebody else has is for admins (rule 10.6c). */
export const presentMember = (
  { user_id, role, exposure_profile_id, joined_at }: Member,
  { users, reader }: { users: Users; reader: Pick<Member, 'role' | 'user_id'> },
): MemberDto => ({
  user_id,
  username: users.get(user_id)?.username ?? null,
  role,
  exposure_profile_id: reader.role === 'admin' || reader.user_id === user_id ? exposure_profile_id : null,
  joined_at,
});

export const presentConnection = ({ owner_id, ...connection }: Connection): ConnectionDto => ({
  id: connection.id,
  group_id: owner_id,
  target_group_id: connection.target_group_id,
  status: connection.status,
  message: connection.message,
  requested_by: connection.requested_by,
  responded_by: connection.responded_by,
  created_at: connection.created_at,
  responded_at: connection.responded_at,
});

export const presentGroupShare = (share: GroupShare): GroupShareDto => ({
  group_id: share.group_id,
  user_id: share.owner_id,
  exposure_profile_id: share.exposure_profile_id,
  is_active: true,
  created_at: share.created_at,
  updated_at: share.updated_at,
});
