import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Share } from '../domain/share.js';
import { ShareBoundsQueries, type ShareLoad } from '../infrastructure/share-bounds.queries.js';

/** The most that one person can share with another. */
const PAIR_BOUND: ShareLoad = { shares: 200, ids: 20_000 };
/** The same for a stranger to the recipient, so that strangers need many accounts to fill their room. */
const STRANGER_BOUND: ShareLoad = { shares: 20, ids: 2_000 };
/** The most that one person receives from people whom they neither follow nor share with, together. */
const STRANGERS_BOUND: ShareLoad = { shares: 2_000, ids: 60_000 };
/** The most that one person receives. Strangers cannot fill it. */
const RECIPIENT_BOUND: ShareLoad = { shares: 10_000, ids: 100_000 };
/** The most tags by which one person shares, lists of equal tags counted once. */
const TAGS_BOUND = 100_000;

/** Holds shares against the bounds of sharer and recipient (rule 10.7h, ADR 47). */
@Injectable()
export class ShareBounds {
  constructor(
    private readonly queries: ShareBoundsQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * Waits for others who write what a share is counted with. Shares from before the bounds may become smaller and end.
   * @param before the share as it was; null for a new one
   * @returns judges the share once this unit of work has written it; throws QUOTA_EXCEEDED
   */
  async prepare(share: Share, before: Share | null): Promise<() => Promise<void>> {
    const was = before !== null && this.isInForce(before) ? before : null;
    const { owner_id: sharerId, shared_with_user_id: recipientId } = share;
    const hasNewTags = share.scope === 'specific_tags' && String(was?.tag_ids) !== String(share.tag_ids);
    const isLarger = was === null || idsOf(share) > idsOf(was);
    if (hasNewTags) await this.queries.lockTags(sharerId);
    if (isLarger) await this.queries.lockReceived(sharerId, recipientId);
    return async () => {
      if (hasNewTags) await this.refuseTags(sharerId);
      if (isLarger) await this.refuseReceived(share);
    };
  }

  private async refuseTags(sharerId: string): Promise<void> {
    if ((await this.queries.tagsShared(sharerId, this.clock.now())) > TAGS_BOUND)
      throw exceeded('shared_tags', TAGS_BOUND, 'Your shares can name $ tags in all; revoke some of them');
  }

  private async refuseReceived(share: Share): Promise<void> {
    const { owner_id: sharerId, shared_with_user_id: recipientId } = share;
    const { pair, strangers, all, isStranger } = await this.queries.received(
      sharerId,
      recipientId,
      this.clock.now(),
    );
    refuseBeyond(pair, PAIR_BOUND, PAIR_TEXTS);
    // The follow of a new follower is not written yet.
    if (isStranger && share.source === 'manual') {
      refuseBeyond(pair, STRANGER_BOUND, STRANGER_TEXTS);
      refuseBeyond(strangers, STRANGERS_BOUND, STRANGERS_TEXTS);
    }
    refuseBeyond(all, RECIPIENT_BOUND, RECIPIENT_TEXTS);
  }

  private isInForce({ expires_at }: Share): boolean {
    return expires_at === null || expires_at > this.clock.now();
  }
}

const idsOf = ({ tag_ids, node_ids }: Share): number => tag_ids.length + node_ids.length;

type Texts = Record<keyof ShareLoad, readonly [quota: string, text: string]>;

const ASK = 'they can follow you, or remove shares that they receive';
const PAIR_TEXTS: Texts = {
  shares: [
    'shares_to_user',
    'You can have $ shares with one user; revoke some of them, or put more into one',
  ],
  ids: [
    'share_ids_to_user',
    'Your shares with one user can name $ nodes and tags; revoke some, or share by a tag',
  ],
};
const STRANGER_TEXTS: Texts = {
  shares: ['shares_to_user', `You can have $ shares with a user who does not follow you; ${ASK}`],
  ids: [
    'share_ids_to_user',
    `Your shares with a user who does not follow you can name $ nodes and tags; ${ASK}`,
  ],
};
const STRANGERS_TEXTS: Texts = {
  shares: ['received_shares', `Users receive $ shares from people whom they do not follow; ${ASK}`],
  ids: [
    'received_share_ids',
    `Users receive $ single nodes and tags from people whom they do not follow; ${ASK}`,
  ],
};
const RECIPIENT_TEXTS: Texts = {
  shares: ['received_shares', 'Users receive $ shares in all; they can remove some of them'],
  ids: ['received_share_ids', 'Users receive $ single nodes and tags in all; they can remove shares'],
};

function refuseBeyond(load: ShareLoad, bound: ShareLoad, texts: Texts): void {
  for (const part of ['shares', 'ids'] as const) {
    const [quota, text] = texts[part];
    if (load[part] > bound[part]) throw exceeded(quota, bound[part], text);
  }
}

/** The numbers of others stay hidden, as with quotas (rule 9.8e). @param text with `$` for the limit */
export const exceeded = (quota: string, limit: number, text: string): DomainError =>
  new DomainError('QUOTA_EXCEEDED', text.replace('$', limit.toLocaleString('en')), { quota, limit });
