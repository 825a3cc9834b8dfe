import { Injectable } from '@nestjs/common';
import { type Change } from '../../kernel/change-log/change.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { changedFields, changedItems } from '../../kernel/change-log/changed-fields.js';
import { Clock } from '../../kernel/clock.js';
import { requestContext } from '../../kernel/request-context.js';
import { effectiveShare, SharesQueries, type ShareTerms } from '../../privacy/index.js';
import {
  type Share,
  shareTerms,
  type ShownOutline,
  type ShownShare,
  shownShare,
  type StoredOutline,
} from '../domain/share.js';
import { ClosedLogs } from '../infrastructure/closed-logs.queries.js';
import { beingImported } from '../infrastructure/departures.queries.js';

/** A share with its wire form now and before. */
export interface RecordedStep {
  share: StoredOutline;
  is: ShownOutline | ShownShare;
  was?: ShownOutline | ShownShare;
  /** True if the step takes something away and adds nothing. */
  isNarrowing?: boolean;
}

/** The entries of shares in the change logs of their two people. Needs a unit of work to append. */
@Injectable()
export class ShareLog {
  constructor(
    private readonly grants: SharesQueries,
    private readonly closed: ClosedLogs,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** Shares in wire form, in their current state; only re-shares need a query. */
  async shown(shares: readonly Share[]): Promise<ShownShare[]> {
    const chains = await this.chains(shares);
    const now = this.clock.now();
    return shares.map((one) => shownShare(one, effectiveShare(chains(one)), now));
  }

  /** The shares with their parents, by share; a share without parents is a chain of one. */
  async chains(shares: readonly StoredOutline[]): Promise<(share: StoredOutline) => ShareTerms[]> {
    const children = shares.filter(({ parent_share_id }) => parent_share_id !== null);
    const found = children.length === 0 ? [] : await this.grants.terms(children.map(keyOf));
    const byId = new Map(found.map((chain) => [(chain[0] as ShareTerms).id, chain]));
    return (share) => byId.get(share.id) ?? [shareTerms(share)];
  }

  /**
   * Appends to both logs, because the events of a share go to the sharer and the recipient (rule 9.4); to the
   * sharer's only if the recipient has blocked whom the share is from (rule 10.7i), or imports an archive (rule 12.3n).
   * The row of a person who does not act counts for the one who does, and is never the reason of a refusal (rule 9.8h).
   * @throws SERVICE_UNAVAILABLE for a new share to a person into whose account an import begins
   */
  async append(action: string, changes: readonly RecordedStep[]): Promise<void> {
    if (changes.length === 0) return;
    const { userId } = requestContext.current().actor;
    const blocked = await this.grants.blocked(changes.map(({ share }) => keyOf(share)));
    const closed = await this.closed.among(changes.map(({ share }) => share.shared_with_user_id));
    if (action === 'created' && closed.size > 0) throw beingImported();
    for (const { share, isNarrowing = false, ...step } of changes) {
      const { shared_with_user_id: recipient } = share;
      const recipients = blocked.has(share.id) || closed.has(recipient) ? [] : [recipient];
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
