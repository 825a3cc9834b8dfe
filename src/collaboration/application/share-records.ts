import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { SharedAccesses } from '../../privacy/index.js';
import { isNarrowing, type Share, type ShareStep, type ShownShare } from '../domain/share.js';
import { DeparturesQueries } from '../infrastructure/departures.queries.js';
import { SharesRepository } from '../infrastructure/shares.repository.js';
import { ShareBounds } from './share-bounds.service.js';
import { ShareEnds } from './share-ends.service.js';
import { ShareLog } from './share-log.js';
import { notShareable } from './share-subjects.js';

/**
 * Writes each step in the life of a share: the row, its entry in the sharer's and the recipient's change
 * log, and the end of what is cached for the recipient. Needs a unit of work, and the row locked.
 */
@Injectable()
export class ShareRecords {
  constructor(
    private readonly shares: SharesRepository,
    private readonly received: SharedAccesses,
    private readonly bounds: ShareBounds,
    private readonly departures: DeparturesQueries,
    private readonly log: ShareLog,
    private readonly ends: ShareEnds,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws QUOTA_EXCEEDED; VALIDATION_ERROR if the parent of a re-share has ended; SERVICE_UNAVAILABLE while somebody whom
   *   the share depends on erases the account (rule 12.4a), or a share above it is being changed (rule 10.8f)
   */
  async add(share: Share): Promise<void> {
    const { owner_id, shared_with_user_id, graph_owner_id, parent_owner_id, parent_share_id } = share;
    const refuseBeyondBounds = await this.bounds.prepare(share, null);
    const isReshare = parent_owner_id !== null && parent_share_id !== null;
    const parent = isReshare ? { owner_id: parent_owner_id, id: parent_share_id } : null;
    // After the waits above, because erasures and changes of the parents wait for this unit from here on.
    await this.departures.hold([owner_id, shared_with_user_id, graph_owner_id], parent);
    if (isReshare && !(await this.received.mayReshare({ ownerId: parent_owner_id, id: parent_share_id })))
      throw notShareable();
    await this.shares.insert(share);
    await refuseBeyondBounds();
    const [is] = (await this.log.shown([share])) as [ShownShare];
    await this.log.append('created', [{ share, is }]);
    this.touch([share]);
  }

  /** @throws QUOTA_EXCEEDED */
  async revise(before: Share, changes: Partial<Share>): Promise<Share> {
    const after = { ...before, ...changes, version: before.version + 1, updated_at: this.clock.now() };
    await this.record('updated', [{ before, after }], async () => {
      const refuseBeyondBounds = await this.bounds.prepare(after, before);
      await this.shares.update(after);
      await refuseBeyondBounds();
    });
    return after;
  }

  /** Revokes a share; one that is already revoked stays unchanged. */
  async revoke(share: Share): Promise<Share> {
    if (share.revoked_at !== null) return share;
    const [revoked] = (await this.revokeAll([share])) as [Share];
    return revoked;
  }

  /** Revokes shares that are not revoked. */
  async revokeAll(shares: readonly Share[]): Promise<Share[]> {
    const at = this.clock.now();
    const steps = shares.map((before) => ({
      before,
      after: { ...before, revoked_at: at, updated_at: at, version: before.version + 1 },
    }));
    await this.record('revoked', steps, () => this.shares.revoke(shares, at));
    return steps.map(({ after }) => after);
  }

  private async record(
    action: string,
    steps: readonly ShareStep[],
    write: () => Promise<void>,
  ): Promise<void> {
    const were = await this.log.shown(steps.map(({ before }) => before));
    await write();
    const changed = steps.map(({ after }) => after);
    const are = await this.log.shown(changed);
    const changes = steps.map(({ before, after: share }, index) => {
      const [is, was] = [are[index], were[index]] as [ShownShare, ShownShare];
      return { share, is, was, isNarrowing: isNarrowing(before, share) };
    });
    await this.log.append(action, changes);
    this.touch(changed);
    await this.ends.below(steps);
  }

  /**
   * Ends what is cached of the recipients' views, of the views of the graph, and of the sharers' acquaintances. People
   * below compare the shares above them when the counter of the graph's owner has moved (ADR 75).
   */
  private touch(shares: readonly Share[]): void {
    for (const { shared_with_user_id, graph_owner_id, owner_id } of shares)
      for (const id of [shared_with_user_id, graph_owner_id, owner_id]) this.changes.bumpPolicyVersion(id);
  }
}
