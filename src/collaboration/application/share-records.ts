import { Injectable } from '@nestjs/common';
import { type Change } from '../../kernel/change-log/change.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { changedFields, changedItems } from '../../kernel/change-log/changed-fields.js';
import { Clock } from '../../kernel/clock.js';
import { requestContext } from '../../kernel/request-context.js';
import { SharedAccesses, SharesQueries, type ShareTerms, effectiveShare } from '../../privacy/index.js';
import {
  isNarrowing,
  type Share,
  shareOutline,
  shareTerms,
  type ShownOutline,
  type ShownShare,
  shownShare,
  type StoredOutline,
} from '../domain/share.js';
import { DeparturesQueries } from '../infrastructure/departures.queries.js';
import { SharesRepository } from '../infrastructure/shares.repository.js';
import { ShareBounds } from './share-bounds.service.js';
import { notShareable } from './share-subjects.js';

/** A share before and after it is written. */
interface Step {
  before: Share;
  after: Share;
}

/** A share with its wire form now and before. */
interface RecordedStep {
  share: StoredOutline;
  is: ShownOutline | ShownShare;
  was?: ShownOutline | ShownShare;
  /** True if the step takes something away and adds nothing. */
  isNarrowing?: boolean;
}

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
    private readonly received: SharedAccesses,
    private readonly bounds: ShareBounds,
    private readonly departures: DeparturesQueries,
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
    const [is] = (await this.shown([share])) as [ShownShare];
    await this.append('created', [{ share, is }]);
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

  /** Shares in wire form, in their current state; only re-shares need a query. */
  async shown(shares: readonly Share[]): Promise<ShownShare[]> {
    const chains = await this.chains(shares);
    const now = this.clock.now();
    return shares.map((one) => shownShare(one, effectiveShare(chains(one)), now));
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
      this.changes.bumpPolicyVersion(ownerId);
      if (share.revoked_at !== null) continue;
      this.changes.append({
        ownerId,
        entity: 'share',
        entityId: share.id,
        action: 'revoked',
        version: ended.version,
        snapshot: shareOutline(ended, effectiveShare([shareTerms(ended)]), now),
        isNeverRefused: true,
      });
    }
  }

  private async record(action: string, steps: readonly Step[], write: () => Promise<void>): Promise<void> {
    const were = await this.shown(steps.map(({ before }) => before));
    await write();
    const changed = steps.map(({ after }) => after);
    const are = await this.shown(changed);
    const changes = steps.map(({ before, after: share }, index) => {
      const [is, was] = [are[index], were[index]] as [ShownShare, ShownShare];
      return { share, is, was, isNarrowing: isNarrowing(before, share) };
    });
    await this.append(action, changes);
    this.touch(changed);
    await this.tellOfEndsBelow(steps);
  }

  /**
   * Records the end of re-shares that depended on the changed shares and were not written themselves (rule
   * 10.8), without the ids that they name: together, these can be any number.
   */
  private async tellOfEndsBelow(steps: readonly Step[]): Promise<void> {
    const before = new Map(steps.map((step) => [step.before.id, shareTerms(step.before)]));
    const now = this.clock.now();
    for await (const below of this.shares.below(steps.map(({ after }) => after))) {
      this.touch(below);
      const unwritten = below.filter(({ id }) => !before.has(id));
      const chains = await this.chains(unwritten);
      const changes = unwritten.map((share) => {
        const was = chains(share).map((one) => before.get(one.id) ?? one);
        return {
          share,
          is: shareOutline(share, effectiveShare(chains(share)), now),
          was: shareOutline(share, effectiveShare(was), now),
        };
      });
      await this.append(
        'revoked',
        changes.filter(({ is, was }) => was.status !== 'revoked' && is.status === 'revoked'),
      );
    }
  }

  /** The shares with their parents, by share; a share without parents is a chain of one. */
  private async chains(shares: readonly StoredOutline[]): Promise<(share: StoredOutline) => ShareTerms[]> {
    const children = shares.filter(({ parent_share_id }) => parent_share_id !== null);
    const found = children.length === 0 ? [] : await this.grants.terms(children.map(keyOf));
    const byId = new Map(found.map((chain) => [(chain[0] as ShareTerms).id, chain]));
    return (share) => byId.get(share.id) ?? [shareTerms(share)];
  }

  /** Ends what is cached of the recipients' views and of the views of the graph. */
  private touch(shares: readonly StoredOutline[]): void {
    for (const { shared_with_user_id, graph_owner_id } of shares)
      for (const id of [shared_with_user_id, graph_owner_id]) this.changes.bumpPolicyVersion(id);
  }

  /**
   * Appends to both logs, because the events of a share go to the sharer and the recipient (rule 9.4); to the
   * sharer's only if the recipient has blocked whom the share is from (rule 10.7i). The row of a person who does not
   * act counts for the one who does, and is never the reason of a refusal (rule 9.8h).
   */
  private async append(action: string, changes: readonly RecordedStep[]): Promise<void> {
    if (changes.length === 0) return;
    const { userId } = requestContext.current().actor;
    const blocked = await this.grants.blocked(changes.map(({ share }) => keyOf(share)));
    for (const { share, isNarrowing = false, ...step } of changes) {
      const recipients = blocked.has(share.id) ? [] : [share.shared_with_user_id];
      for (const ownerId of [share.owner_id, ...recipients]) {
        this.changes.append({
          ownerId,
          entity: 'share',
          entityId: share.id,
          action,
          version: share.version,
          ...(ownerId === share.owner_id ? sharersRow(step) : othersRow(step)),
          isNeverRefused: isNarrowing || ownerId !== userId,
        });
      }
    }
  }
}

type LoggedStep = Pick<RecordedStep, 'is' | 'was'>;
type LoggedRow = Pick<Change, 'snapshot' | 'changedFields'>;

/**
 * The sharer's row: a new share whole, later the ids that were added (`new`) and removed (`old`) only, of which there
 * may be 1,000.
 */
function sharersRow({ is, was }: LoggedStep): LoggedRow {
  if (was === undefined) return { snapshot: is, changedFields: null };
  return { snapshot: outlineOf(is), changedFields: changedItems(changedFields(was, is)) };
}

/** The recipient's row, without the ids that the share names. */
const othersRow = ({ is, was }: LoggedStep): LoggedRow => ({
  snapshot: outlineOf(is),
  changedFields: was === undefined ? null : changedFields(outlineOf(was), outlineOf(is)),
});

function outlineOf(share: ShownOutline | ShownShare): ShownOutline {
  const { tag_ids: _tags, node_ids: _nodes, ...outline } = share as ShownShare;
  return outline;
}

const keyOf = ({ owner_id: ownerId, id }: StoredOutline): Pick<ShareTerms, 'ownerId' | 'id'> => ({
  ownerId,
  id,
});
