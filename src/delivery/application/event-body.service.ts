import { Injectable } from '@nestjs/common';
import { NodePresenter } from '../../graph/index.js';
import { type Slices } from '../../kernel/slices.js';
import {
  type Access,
  effectiveShare,
  grants,
  LoggedAuthorizations,
  SharesQueries,
} from '../../privacy/index.js';
import { type EventDecision } from '../domain/event-decision.js';
import { type Subscription } from '../domain/subscription.js';
import {
  LoggedChanges,
  decidingFacts,
  type LoggedChangeWithContent,
} from '../infrastructure/logged-changes.queries.js';

/** Bodies of events: the state that a change made, cut to what the app may see today (rule 9.4). */
@Injectable()
export class EventBodies {
  constructor(
    private readonly presenter: NodePresenter,
    private readonly loggedChanges: LoggedChanges,
    private readonly shares: SharesQueries,
    private readonly authorizations: LoggedAuthorizations,
  ) {}

  /** The JSON of one delivery. Null: its subject no longer exists. */
  async of(
    subscription: Subscription,
    access: Access,
    event: { decision: EventDecision; change: LoggedChangeWithContent; slices: Slices },
  ): Promise<string | null> {
    const data = await this.dataOf(access, event.decision, event);
    if (data === null) return null;
    const { change, decision } = event;
    const isProposal = change.entity === 'proposal';
    const text = JSON.stringify({
      event: decision.event,
      timestamp: timeOf(access, change),
      user_id: subscription.ownerId,
      data,
    });
    if (!isProposal) return text;
    // The two objects end with the text.
    const nodes = await this.nodesMadeBy(access, change, event.slices);
    return `${text.slice(0, -2)},"created_nodes":[${nodes}]}}`;
  }

  /** Ids of the nodes that the body names besides the changed entity. */
  namedIn({ snapshot }: LoggedChangeWithContent): string[] {
    return [...idsIn(snapshot['node_ids']), ...madeBy(snapshot)];
  }

  private async dataOf(
    access: Access,
    { event, reason, changes }: EventDecision,
    { change, slices }: { change: LoggedChangeWithContent; slices: Slices },
  ): Promise<object | null> {
    const { entityId: id, snapshot } = change;
    const now = change.present ?? undefined;
    switch (event) {
      case 'node.created':
        await this.presenter.preparePast(access, snapshot, { now, slices });
        return this.presenter.present(access, snapshot, now);
      case 'node.updated':
        await this.presenter.preparePast(access, snapshot, { now, slices });
        return { ...this.presenter.present(access, snapshot, now), changes };
      case 'node.deleted':
        return { id, node_id: id, reason };
      case 'node.embedding.updated':
        return {
          id,
          node_id: id,
          model: snapshot['model'] ?? null,
          dimensions: snapshot['dimensions'] ?? null,
        };
      case 'share.created':
        return this.shareOf(access, change);
      case 'share.revoked':
        return { id, share_id: id };
      case 'authorization.created':
      case 'authorization.changed':
      case 'authorization.revoked':
        return this.authorizations.of(snapshot);
      case 'proposal.created':
      case 'proposal.ready':
      case 'proposal.approved':
      case 'proposal.rejected':
      case 'proposal.applied':
      case 'proposal.failed':
        return snapshot;
      // Made of their states: ThingDecisions.
      case 'relationship.created':
      case 'relationship.updated':
      case 'relationship.deleted':
      case 'tag.created':
      case 'tag.updated':
      case 'tag.deleted':
        return null;
    }
  }

  /** A share as the receiver's app may know it: nothing of another sharer's nodes and tags. */
  private async shareOf(
    access: Access,
    { entityId, snapshot: share, sequence }: LoggedChangeWithContent,
  ): Promise<object | null> {
    const key = { ownerId: String(share['owner_id']), id: entityId };
    const [chain] = await this.shares.terms([key]);
    if (chain === undefined || !effectiveShare(chain).isLiving) return null;
    const isOwn = share['owner_id'] === access.ownerId;
    if (!isOwn && (await this.shares.blocked([key])).has(entityId)) return null;
    const named = isOwn ? idsIn(share['node_ids']) : [];
    const tags = isOwn ? idsIn(share['tag_ids']) : [];
    return {
      ...share,
      node_ids: await this.loggedChanges.readableIds(access, named, sequence),
      tag_ids: tags.filter((id) => grants(access.tags.discover, id)),
    };
  }

  /** The JSON of the nodes that an applied proposal has created, in the state it gave them; few are held at a time. */
  private async nodesMadeBy(
    access: Access,
    { snapshot, sequence }: LoggedChangeWithContent,
    slices: Slices,
  ): Promise<string> {
    const texts: string[] = [];
    for await (const part of this.loggedChanges.readable(access, madeBy(snapshot), sequence)) {
      for (const { state, now } of part) {
        await this.presenter.preparePast(access, state, { now, slices });
        texts.push(JSON.stringify(this.presenter.present(access, state, now)));
      }
    }
    return texts.join(',');
  }
}

const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];

function madeBy(snapshot: LoggedChangeWithContent['snapshot']): string[] {
  const { created } = (snapshot['result'] ?? {}) as { created?: { node_ids?: unknown } };
  return idsIn(created?.node_ids);
}

/** The time of the change, as exact as the node's own time is shown to the app. */
function timeOf({ exposure }: Access, change: LoggedChangeWithContent): string {
  const exact = change.changedAt.toISOString();
  if (change.facts === null) return exact;
  const shown = exposure.transformValue('updated_at', exact, decidingFacts(change));
  return typeof shown === 'string' ? shown : new Date(0).toISOString();
}
