import { Injectable } from '@nestjs/common';
import { isComparable, NodePresenter } from '../../graph/index.js';
import { isSame } from '../../kernel/json-values.js';
import { type Access, type NodeFacts, sees, type ShownChanges } from '../../privacy/index.js';
import { type Subscription } from '../domain/subscription.js';
import { type Happening, statesOf } from '../infrastructure/happenings.queries.js';

/** As what a receiver is told of a change. */
export interface ToldEvent {
  event: string;
  /** Of node.deleted. */
  reason?: 'deleted' | 'access_removed';
  /** Of node.updated. */
  changes?: ShownChanges;
  /** Whether the receiver has the node once it was told. Absent: whether it has one is as before. */
  isHeld?: boolean;
}

const SHARE_ACTIONS = new Set(['created', 'revoked']);
const BIRTHS = new Set(['created', 'restored']);
const CREATED: ToldEvent = { event: 'node.created', isHeld: true };
/** Into view again. What it was while it was hidden, and with that what has changed since, is not told. */
const RETURNED: ToldEvent = { event: 'node.updated', changes: {}, isHeld: true };

/**
 * Whether, and as what, a receiver is told of a change, by what its app may read now (rule 9.4). A state counts as
 * readable when it passes today's rules and the node lives and does so today, too (as versions in history do, decisions
 * 3.20). A change of which nothing is shown is told without saying what, as GET and sync tell it, where another version or
 * time is shown for it; else it is not: the event alone would tell that something hidden changed.
 */
@Injectable()
export class ToldEvents {
  constructor(private readonly presenter: NodePresenter) {}

  /**
   * @param access what the app may; null: nothing, it is not authorized (any more)
   * @returns null when the change concerns nothing that the receiver may know
   */
  async of(
    subscription: Pick<Subscription, 'appId' | 'isUsers'>,
    access: Access | null,
    happening: Happening,
  ): Promise<ToldEvent | null> {
    if (access === null) return null;
    const { entity, action, appId } = happening;
    switch (entity) {
      case 'node':
        return this.ofNode(access, happening);
      case 'embedding':
        // As vector search: where a node is not shown whole, nothing tells that it has an embedding (rule 3.16).
        return isReadable(access, happening) && isComparable(access, ...statesOf(happening))
          ? { event: 'node.embedding.updated' }
          : null;
      case 'proposal':
        return appId === subscription.appId ? { event: `proposal.${action}` } : null;
      case 'share':
        return subscription.isUsers && SHARE_ACTIONS.has(action) ? { event: `share.${action}` } : null;
      default:
        return null;
    }
  }

  private async ofNode(access: Access, happening: Happening): Promise<ToldEvent | null> {
    const { action, before, present, isAnswered } = happening;
    if (action === 'deleted') return ofDeletion(access, happening);
    // Of a node that is deleted its deletion tells, and nothing that was before.
    if (present === null) return null;
    if (!isReadable(access, happening)) return ofLoss(access, happening);
    if (BIRTHS.has(action)) return CREATED;
    if (before !== null && !isSeen(access, before)) return isAnswered ? RETURNED : CREATED;
    const changes = await this.changesOf(access, happening);
    const isTold = Object.keys(changes).length > 0 || (await this.isShownAnew(access, happening));
    return isTold ? { event: 'node.updated', changes, isHeld: true } : null;
  }

  /** Tells whether another version or time is shown for it, though nothing that changed can be named. */
  private async isShownAnew(access: Access, happening: Happening): Promise<boolean> {
    const { entityId, stamps, stampsBefore } = happening;
    if (stampsBefore === null || !showsOtherStamps(access, happening)) return false;
    return this.presenter.isShownAnew(access, entityId, [stampsBefore.version, stamps.version]);
  }

  private changesOf(
    access: Access,
    { changedFields, before, facts, present }: Happening,
  ): Promise<ShownChanges> {
    const after = facts as NodeFacts;
    const step = {
      changedFields: changedFields ?? {},
      before: before ?? after,
      after,
      now: present ?? after,
    };
    return this.presenter.presentChanges(access, step);
  }
}

const STAMPS = ['version', 'updated_at'] as const;

/** A step of which something is shown moves the version and the time, as far as those are shown. */
function showsOtherStamps(
  { exposure }: Access,
  { facts, before, present, stamps, stampsBefore }: Happening,
): boolean {
  if (facts === null || before === null || stampsBefore === null) return false;
  const states = [before, facts, ...(present ? [present] : [])];
  return STAMPS.some(
    (field) =>
      !isSame(
        exposure.exposeValue(field, stampsBefore[field], states) ?? null,
        exposure.exposeValue(field, stamps[field], states) ?? null,
      ),
  );
}

/** Judged by the last state in which the node lived, and by today's if it lives again: then it is not gone. */
function ofDeletion(access: Access, happening: Happening): ToldEvent | null {
  const { facts, present } = happening;
  const told: ToldEvent = { event: 'node.deleted', reason: 'deleted' };
  if (present === null && isSeen(access, facts)) return { ...told, isHeld: false };
  return isReadable(access, happening) ? told : ofLoss(access, happening);
}

/** What the app can read today it has not lost, wherever the node was meanwhile. */
function ofLoss(access: Access, { present, wasTold }: Happening): ToldEvent | null {
  if (!wasTold || isSeen(access, present)) return null;
  return { event: 'node.deleted', reason: 'access_removed', isHeld: false };
}

const isReadable = (access: Access, { facts, present }: Happening): boolean =>
  isSeen(access, facts) && isSeen(access, present);

const isSeen = ({ nodes }: Access, state: NodeFacts | null): boolean =>
  state !== null && sees(nodes.read, state);
