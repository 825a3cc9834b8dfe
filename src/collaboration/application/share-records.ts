import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/changes/change-log.js';
import { changedFields } from '../../kernel/changes/changed-fields.js';
import { Clock } from '../../kernel/clock.js';
import { SharesQueries, type ShareTerms, worthOf } from '../../privacy/index.js';
import { type Share, shareTerms, type ShownShare, shownShare } from '../domain/share.js';
import { ShareBounds } from './share-bounds.service.js';
import { SharesRepository } from '../infrastructure/shares.repository.js';

/**
 * Writes each step in the life of a share: the row, its entry in the sharer's and the recipient's change
 * log, and the end of what is cached for recipients of it and of its re-shares. Needs a unit of work, and
 * the row locked.
 */
@Injectable()
export class ShareRecords {
  constructor(
    private readonly shares: SharesRepository,
    private readonly grants: SharesQueries,
    private readonly bounds: ShareBounds,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** @throws QUOTA_EXCEEDED */
  async add(share: Share): Promise<void> {
    await this.shares.insert(share);
    await this.bounds.refuse(share, null);
    await this.record(share, 'created');
    this.touch([share]);
  }

  /** @throws QUOTA_EXCEEDED for an update */
  async revise(before: Share, changes: Partial<Share>, action: 'updated' | 'revoked'): Promise<Share> {
    const at = this.clock.now();
    const after = { ...before, ...changes, version: before.version + 1, updated_at: at };
    const below = await this.shares.below(before.owner_id, before.id);
    const [was, ...wereBelow] = await this.shown([before, ...below]);
    await this.shares.update(after);
    if (action === 'updated') await this.bounds.refuse(after, before);
    await this.record(after, action, was);
    await this.tellOfEndsBelow(below, wereBelow);
    this.touch([after, ...below]);
    return after;
  }

  /** Revokes a share; one that is already revoked stays unchanged. */
  async revoke(share: Share): Promise<Share> {
    if (share.revoked_at !== null) return share;
    return this.revise(share, { revoked_at: this.clock.now() }, 'revoked');
  }

  /** Shares in wire form, in their current state; only re-shares need a query. */
  async shown(shares: readonly Share[]): Promise<ShownShare[]> {
    const children = shares.filter(({ parent_share_id }) => parent_share_id !== null);
    const keys = children.map(({ owner_id: ownerId, id }) => ({ ownerId, id }));
    const chains = keys.length === 0 ? [] : await this.grants.terms(keys);
    const byId = new Map(chains.map((chain) => [(chain[0] as ShareTerms).id, chain]));
    const now = this.clock.now();
    return shares.map((one) => shownShare(one, worthOf(byId.get(one.id) ?? [shareTerms(one)]), now));
  }

  /**
   * Records the end of a share that is deleted because one of its users has left, in the log of the other
   * user.
   */
  tellOfEnd(share: Share, goneUserId: string): void {
    const now = this.clock.now();
    const ended = {
      ...share,
      version: share.version + 1,
      updated_at: now,
      revoked_at: share.revoked_at ?? now,
    };
    const { owner_id, shared_with_user_id } = share;
    for (const ownerId of [owner_id, shared_with_user_id].filter((id) => id !== goneUserId)) {
      this.changes.touchPolicy(ownerId);
      if (share.revoked_at !== null) continue;
      this.changes.append({
        ownerId,
        entity: 'share',
        entityId: share.id,
        action: 'revoked',
        version: ended.version,
        snapshot: shownShare(ended, worthOf([shareTerms(ended)]), now),
      });
    }
  }

  /**
   * Records the end of re-shares that depended on the changed share and were not written themselves (rule
   * 10.8).
   */
  private async tellOfEndsBelow(below: readonly Share[], were: readonly ShownShare[]): Promise<void> {
    const are = await this.shown(below);
    below.forEach((share, index) => {
      const [was, is] = [were[index], are[index]] as [ShownShare, ShownShare];
      if (was.status !== 'revoked' && is.status === 'revoked') this.append(share, 'revoked', is, was);
    });
  }

  private async record(share: Share, action: string, was?: ShownShare): Promise<void> {
    const [snapshot] = (await this.shown([share])) as [ShownShare];
    this.append(share, action, snapshot, was);
  }

  /** Ends what is cached of the recipients' views and of the views of the graph. */
  private touch(shares: readonly Share[]): void {
    for (const { shared_with_user_id, graph_owner_id } of shares)
      for (const id of [shared_with_user_id, graph_owner_id]) this.changes.touchPolicy(id);
  }

  /** Appends to both logs, because the events of a share go to the sharer and the recipient (rule 9.4). */
  private append(share: Share, action: string, snapshot: ShownShare, was?: ShownShare): void {
    for (const ownerId of [share.owner_id, share.shared_with_user_id]) {
      this.changes.append({
        ownerId,
        entity: 'share',
        entityId: share.id,
        action,
        version: share.version,
        changedFields: was ? changedFields(was, snapshot) : null,
        snapshot,
      });
    }
  }
}
