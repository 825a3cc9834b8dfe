import { DomainError } from '../../kernel/errors/domain-error.js';
import { EVERYTHING, type OthersRights, type Right } from '../../identity/index.js';
import { type ShareScope, type ShareTerms, type EffectiveShare } from '../../privacy/index.js';

export type ShareSource = 'manual' | 'follow';

/** A share as it is stored. One set of names for table row, change log and wire. */
export interface Share {
  owner_id: string;
  id: string;
  graph_owner_id: string;
  shared_with_user_id: string;
  scope: ShareScope;
  tag_ids: string[];
  node_ids: string[];
  can_read: boolean;
  can_write: boolean;
  can_delete: boolean;
  can_share: boolean;
  source: ShareSource;
  follow_id: string | null;
  parent_owner_id: string | null;
  parent_share_id: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

/** A share without the ids that it names, of which there may be 1,000. */
export type StoredOutline = Omit<Share, 'tag_ids' | 'node_ids'>;

export type Rights = Pick<Share, 'can_read' | 'can_write' | 'can_delete' | 'can_share'>;
export const RIGHTS = ['can_read', 'can_write', 'can_delete', 'can_share'] as const;

/** The subject of a share, found from the request. */
export type Subject = Pick<
  Share,
  'graph_owner_id' | 'scope' | 'tag_ids' | 'node_ids' | 'parent_owner_id' | 'parent_share_id'
>;

/** The rights that a share gives its recipient, and the things they apply to (rule 1.16). */
export function recipientsRights(
  share: Rights & Pick<Share, 'scope' | 'tag_ids' | 'node_ids' | 'expires_at'>,
): OthersRights {
  const things: Omit<Right, 'kind'>[] = {
    all: [{ over: EVERYTHING }],
    specific_tags: share.tag_ids.map((id) => ({ over: `tag ${id}` })),
    specific_nodes: share.node_ids.map((id) => ({ over: `node ${id}`, isSingle: true })),
  }[share.scope];
  const kinds = RIGHTS.filter((right) => share[right]);
  return {
    rights: kinds.flatMap((kind) => things.map((thing) => ({ kind, ...thing }))),
    until: share.expires_at,
  };
}

/** True if a change takes something away from a share and adds nothing. */
export function isNarrowing(before: Share, after: Share): boolean {
  const isSubject =
    before.scope === after.scope &&
    before.graph_owner_id === after.graph_owner_id &&
    before.parent_share_id === after.parent_share_id;
  const [tags, nodes] = [new Set(before.tag_ids), new Set(before.node_ids)];
  const isWithin =
    after.tag_ids.every((id) => tags.has(id)) &&
    after.node_ids.every((id) => nodes.has(id)) &&
    RIGHTS.every((right) => before[right] || !after[right]) &&
    endOf(after) <= endOf(before);
  const isLess =
    after.tag_ids.length < tags.size ||
    after.node_ids.length < nodes.size ||
    RIGHTS.some((right) => before[right] && !after[right]) ||
    endOf(after) < endOf(before);
  return isSubject && isWithin && isLess;
}

/** A share before and after it is written. */
export interface ShareStep {
  before: Share;
  after: Share;
}

/** True if the re-shares below a share end by a change of it. */
export const endsReshares = ({ before, after }: ShareStep): boolean => passesOn(before) && !passesOn(after);

const passesOn = ({ revoked_at, can_share }: Share): boolean => revoked_at === null && can_share;

const endOf = ({ expires_at }: Share): number => expires_at?.getTime() ?? Infinity;

export type ShareStatus = 'active' | 'revoked' | 'expired';

/**
 * The status of a share. A re-share whose parent is revoked or may no longer be re-shared reads as revoked;
 * its record stays unchanged and becomes active again with its parent (rule 10.8).
 */
function statusOf({ revoked_at }: StoredOutline, worth: EffectiveShare<ShareTerms>, now: Date): ShareStatus {
  if (revoked_at !== null || !worth.isLiving) return 'revoked';
  return worth.expiresAt !== null && worth.expiresAt <= now ? 'expired' : 'active';
}

/** Each of the others implies read. @throws VALIDATION_ERROR when nothing is granted */
export function rightsOf({ can_read, can_write, can_delete, can_share }: Rights): Rights {
  if (!can_read && !can_write && !can_delete && !can_share) {
    throw DomainError.validation(
      'can_read',
      'at least one of can_read, can_write, can_delete and can_share must be true',
    );
  }
  return { can_read: true, can_write, can_delete, can_share };
}

/** The rights and times of a share in the form of permission decisions. */
export const shareTerms = (share: StoredOutline): ShareTerms => ({
  id: share.id,
  ownerId: share.owner_id,
  graphOwnerId: share.graph_owner_id,
  sharedWithUserId: share.shared_with_user_id,
  parentShareId: share.parent_share_id,
  scope: share.scope,
  canRead: share.can_read,
  canWrite: share.can_write,
  canDelete: share.can_delete,
  canShare: share.can_share,
  expiresAt: share.expires_at,
  revokedAt: share.revoked_at,
});

export type ShownOutline = ReturnType<typeof shareOutline>;
export type ShownShare = ReturnType<typeof shownShare>;

/** A share in wire form. */
export const shownShare = (share: Share, worth: EffectiveShare<ShareTerms>, now: Date) => ({
  ...shareOutline(share, worth, now),
  tag_ids: share.tag_ids,
  node_ids: share.node_ids,
});

/**
 * A share in wire form, without the ids that it names. A re-share is cut to the rights and the time that its
 * parents leave (rules 10.7, 10.8).
 */
export function shareOutline(share: StoredOutline, worth: EffectiveShare<ShareTerms>, now: Date) {
  return {
    id: share.id,
    owner_id: share.owner_id,
    shared_with_user_id: share.shared_with_user_id,
    scope: share.scope,
    can_read: worth.canRead,
    can_write: worth.canWrite,
    can_delete: worth.canDelete,
    can_share: worth.canShare,
    status: statusOf(share, worth, now),
    expires_at: worth.expiresAt,
    source: share.source,
    follow_id: share.follow_id,
    parent_share_id: share.parent_share_id,
    created_at: share.created_at,
    updated_at: share.updated_at,
    revoked_at: share.revoked_at,
  };
}
