import { EVERYTHING, type OthersRights } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';

export const DELETION_POLICIES = ['disband', 'transfer'] as const;
export type DeletionPolicy = (typeof DELETION_POLICIES)[number];
export const ROLES = ['admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

export interface Group {
  id: string;
  name: string;
  description: string | null;
  deletion_policy: DeletionPolicy;
  created_by: string;
  is_active: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export interface Member {
  owner_id: string;
  user_id: string;
  role: Role;
  exposure_profile_id: string | null;
  joined_at: Date;
}

/** A group as one of its members sees it. */
export interface Membership {
  group: Group;
  member: Member;
  memberCount: number;
}

/** The consequence for a group when a member leaves (rule 10.2). */
export type Departure = { kind: 'stays' } | { kind: 'disbands' } | { kind: 'passes on'; successor: Member };

/**
 * Decides what happens when a member leaves. The last admin disbands the group, or passes it on to the
 * longest-standing member.
 * @param members all members, including the one who leaves
 */
export function departure({ deletion_policy }: Group, members: readonly Member[], userId: string): Departure {
  const others = members.filter(({ user_id }) => user_id !== userId);
  const isLastAdmin = !others.some(({ role }) => role === 'admin');
  if (!isLastAdmin) return { kind: 'stays' };
  const [successor] = others.sort(byTenure);
  return deletion_policy === 'disband' || successor === undefined
    ? { kind: 'disbands' }
    : { kind: 'passes on', successor };
}

const byTenure = (a: Member, b: Member): number =>
  a.joined_at.getTime() - b.joined_at.getTime() || (a.user_id < b.user_id ? -1 : 1);

/** @throws LAST_ADMIN (rule 10.2) */
export function refuseLastDemotion(members: readonly Member[], userId: string): void {
  if (members.some(({ user_id, role }) => role === 'admin' && user_id !== userId)) return;
  throw new DomainError('LAST_ADMIN', 'A group needs an admin; make another member admin first');
}

export type InvitationStatus = 'pending' | 'accepted' | 'declined' | 'cancelled';

export interface Invitation {
  owner_id: string;
  id: string;
  invited_user_id: string;
  invited_by: string;
  role: Role;
  /** The profile of the future member. */
  exposure_profile_id: string | null;
  message: string | null;
  status: InvitationStatus;
  created_at: Date;
  responded_at: Date | null;
}

export type ConnectionStatus = 'pending' | 'accepted' | 'declined' | 'revoked';

export interface Connection {
  owner_id: string;
  id: string;
  target_group_id: string;
  status: ConnectionStatus;
  message: string | null;
  requested_by: string;
  responded_by: string | null;
  created_at: Date;
  responded_at: Date | null;
}

/** A member's share with a group: `owner_id` is the member. */
export interface GroupShare {
  owner_id: string;
  group_id: string;
  exposure_profile_id: string;
  created_at: Date;
  updated_at: Date;
}

/** The members' rights to the sharer's graph (rule 1.16). */
export const groupsRights = ({ exposure_profile_id }: GroupShare): OthersRights => ({
  rights: [{ kind: 'read', over: `profile ${exposure_profile_id}` }],
});

/**
 * The rights of a member in the group: an admin has all, other members have those of their profile (rules
 * 1.16, 10.5).
 */
export const membersRights = ({ role, exposure_profile_id }: Member): OthersRights => ({
  rights: [{ kind: 'act', over: role === 'admin' ? EVERYTHING : `profile ${exposure_profile_id}` }],
});

export const notAMember = (): DomainError =>
  new DomainError('NOT_A_MEMBER', 'You are not a member of this group');

const NEXT: Record<string, readonly string[]> = {
  pending: ['accepted', 'declined', 'cancelled', 'revoked'],
  accepted: ['revoked'],
};

/**
 * Invitations and connections can be answered, cancelled and revoked only once (rules 10.3, 10.4).
 * @throws INVALID_STATE_TRANSITION
 */
export function answered<T extends { status: string; responded_at: Date | null }>(
  record: T,
  status: T['status'],
  at: Date,
): T {
  if (!NEXT[record.status]?.includes(status)) {
    throw new DomainError(
      'INVALID_STATE_TRANSITION',
      `A request that is ${record.status} cannot be ${status}`,
    );
  }
  return { ...record, status, responded_at: at };
}
