import { type User } from '../../identity/index.js';
import { type Follow } from '../domain/follow.js';
import { type Membership } from '../domain/group.js';
import { type FollowDto } from './follows.dto.js';
import { type GroupDto } from './groups.dto.js';

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
