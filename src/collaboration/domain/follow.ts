import { DomainError } from '../../kernel/errors/domain-error.js';

export const FOLLOW_STATUSES = ['pending', 'accepted', 'declined', 'revoked'] as const;
export type FollowStatus = (typeof FOLLOW_STATUSES)[number];

/** A request to see another user's graph; `owner_id` is the followed user, who decides. */
export interface Follow {
  owner_id: string;
  id: string;
  follower_id: string;
  status: FollowStatus;
  message: string | null;
  /** The share that belongs to the follow. */
  share_id: string | null;
  version: number;
  created_at: Date;
  responded_at: Date | null;
}

/** @throws INVALID_STATE_TRANSITION unless the follow is pending */
export function answeredFollow(
  follow: Follow,
  status: 'accepted' | 'declined',
  { at, shareId }: { at: Date; shareId: string | null },
): Follow {
  if (follow.status !== 'pending') throw notPending(follow.status);
  return { ...follow, status, share_id: shareId, responded_at: at, version: follow.version + 1 };
}

/** Allowed in any state (specification, Follow status). */
export const endedFollow = (follow: Follow): Follow => ({
  ...follow,
  status: 'revoked',
  version: follow.version + 1,
});

export const notPending = (status: string): DomainError =>
  new DomainError('INVALID_STATE_TRANSITION', `The follow request is already ${status}`);
