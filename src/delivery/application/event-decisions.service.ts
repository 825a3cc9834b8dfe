import { Injectable } from '@nestjs/common';
import { isComparable, NodePresenter } from '../../graph/index.js';
import { isSame } from '../../kernel/json/json-values.js';
import { type Access, type NodeFacts, sees, type ShownChanges } from '../../privacy/index.js';
import { type EventDecision } from '../domain/event-decision.js';
import { type EventEntity, eventOf } from '../domain/events.js';
import { type Subscription } from '../domain/subscription.js';
import { type LoggedChange, decidingFacts } from '../infrastructure/logged-changes.queries.js';

const BIRTHS = new Set(['created', 'restored']);
const CREATED: EventDecision = { event: 'node.created', hasNodeAfter: true };
/** The node is visible again. Its hidden state, and with it what has changed since, is not revealed. */
const RETURNED: EventDecision = { event: 'node.updated', changes: {}, hasNodeAfter: true };

/**
 * Decides which event, if any, a change is for a receiver, by what its app may read now (rule 9.4). A state is readable
 * if it passes today's rules and the node exists and passes them today as well (as for versions in history, rule 3.20).
 * A change whose fields are all hidden becomes an event without changes if another version or time is shown for it, as
 * in GET and sync; otherwise there is no event, which alone would reveal a hidden change.
 */
@Injectable()
export class EventDecisions {
  constructor(private readonly presenter: NodePresenter) {}

  /**
   * @param access the app's access; null: it is not authorized (any longer)
   * @returns null if the receiver may not know of the change
   */
  async of(
    subscription: Pick<Subscription, 'appId' | 'isUsers'>,
    access: Access | null,
    change: LoggedChange,
  ): Promise<EventDecision | null> {
    if (access === null) return null;
    const { entity, action, appId } = change;
    switch (entity) {
      case 'node':
        return this.ofNode(access, change);
      case 'embedding':
        // Same rule as vector search: no event reveals an embedding of a node that is not shown whole (rule 3.16).
        return isReadable(access, change) && isComparable(access, ...decidingFacts(change))
          ? { event: 'node.embedding.updated' }
          : null;
      case 'proposal':
        return appId === subscription.appId ? named(entity, action) : null;
      case 'share':
      case 'authorization':
        return subscription.isUsers ? named(entity, action) : null;
      // Decided by their states: ThingDecisions.
      case 'relationship':
      case 'tag':
        return null;
    }
  }

  private async ofNode(access: Access, change: LoggedChange): Promise<EventDecision | null> {
    const { action, before, present, hasNode } = change;
    if (action === 'deleted') return ofDeletion(access, change);
    // A deleted node has only its loss or its deletion to report.
    if (present === null) return ofLoss(access, change);
    if (!isReadable(access, change)) return ofLoss(access, change);
    if (BIRTHS.has(action)) return CREATED;
    if (before !== null && !isSeen(access, before)) return hasNode ? RETURNED : CREATED;
    const changes = await this.changesOf(access, change);
    const isEvent = Object.keys(changes).length > 0 || (await this.changesShownVersion(access, change));
    return isEvent ? { event: 'node.updated', changes, hasNodeAfter: true } : null;
  }

  /** True if another version or time is shown for the change, even though no changed field can be named. */
  private async changesShownVersion(access: Access, change: LoggedChange): Promise<boolean> {
    const { entityId, stamps, stampsBefore } = change;
    if (stampsBefore === null || !showsOtherStamps(access, change)) return false;
    return this.presenter.changesShownVersion(access, entityId, [stampsBefore.version, stamps.version]);
  }

  private changesOf(
    access: Access,
    { changedFields, before, facts, present }: LoggedChange,
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

/** The event of an entity's action, where there is one. */
function named(entity: EventEntity, action: string): EventDecision | null {
  const event = eventOf(entity, action);
  return event === null ? null : { event };
}

const STAMPS = ['version', 'updated_at'] as const;

/** A shown step changes the version and the time, as far as those are shown. */
function showsOtherStamps(
  { exposure }: Access,
  { facts, before, present, stamps, stampsBefore }: LoggedChange,
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

/** Judged by the last state in which the node lived, and by today's if it lives again: then it is not deleted. */
function ofDeletion(access: Access, change: LoggedChange): EventDecision | null {
  const { facts, present } = change;
  const decision: EventDecision = { event: 'node.deleted', reason: 'deleted' };
  if (present === null && isSeen(access, facts)) return { ...decision, hasNodeAfter: false };
  return isReadable(access, change) ? decision : ofLoss(access, change);
}

/**
 * A node is lost by the change that takes it out of today's view, and by no later one: an event for that one would reveal
 * a change of a hidden node.
 */
function ofLoss(access: Access, { before, facts, present, mayHaveNode }: LoggedChange): EventDecision | null {
  const isLost = isSeen(access, before) && !isSeen(access, facts) && !isSeen(access, present);
  if (!mayHaveNode || !isLost) return null;
  return { event: 'node.deleted', reason: 'access_removed', hasNodeAfter: false };
}

const isReadable = (access: Access, { facts, present }: LoggedChange): boolean =>
  isSeen(access, facts) && isSeen(access, present);

const isSeen = ({ nodes }: Access, state: NodeFacts | null): boolean =>
  state !== null && sees(nodes.read, state);
