import { Injectable } from '@nestjs/common';
import { NodePresenter } from '../../graph/index.js';
import { type Access, type NodeFacts, sees, type ShownChanges } from '../../privacy/index.js';
import { type Subscription } from '../domain/subscription.js';
import { type Happening } from '../infrastructure/happenings.queries.js';

/** As what a receiver is told of a change. */
export interface ToldEvent {
  event: string;
  /** Of node.deleted. */
  reason?: 'deleted' | 'access_removed';
  /** Of node.updated. */
  changes?: ShownChanges;
}

const SHARE_ACTIONS = new Set(['created', 'revoked']);
const BIRTHS = new Set(['created', 'restored']);

/**
 * Whether, and as what, a receiver is told of a change, by what its app may read now (decisions 9.4). A state counts as
 * readable when it passes today's rules and the node as it is today does, too (as versions in history do, decisions
 * 3.20). A change of which nothing is shown is not told: the event alone would tell that something hidden changed.
 */
@Injectable()
export class ToldEvents {
  constructor(private readonly presenter: NodePresenter) {}

  /**
   * @param access what the app may; null: nothing, it is not authorized (any more)
   * @returns null when the change concerns nothing that the receiver may know
   */
  of(
    subscription: Pick<Subscription, 'appId' | 'isUsers'>,
    access: Access | null,
    happening: Happening,
  ): ToldEvent | null {
    if (access === null) return null;
    const { entity, action, appId } = happening;
    switch (entity) {
      case 'node':
        return this.ofNode(access, happening);
      case 'embedding':
        return isReadable(access, happening) && access.exposure.detail === 'full'
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

  private ofNode(access: Access, happening: Happening): ToldEvent | null {
    const { action, before, wasTold } = happening;
    if (!isReadable(access, happening)) {
      return wasTold ? { event: 'node.deleted', reason: 'access_removed' } : null;
    }
    if (action === 'deleted') return { event: 'node.deleted', reason: 'deleted' };
    if (BIRTHS.has(action)) return { event: 'node.created' };
    const cameIntoView = !wasTold && before !== null && !sees(access.nodes.read, before);
    if (cameIntoView) return { event: 'node.created' };
    const changes = this.changesOf(access, happening);
    return Object.keys(changes).length === 0 ? null : { event: 'node.updated', changes };
  }

  private changesOf(access: Access, { changedFields, before, facts }: Happening): ShownChanges {
    const after = facts as NodeFacts;
    const step = { changedFields: changedFields ?? {}, before: before ?? after, after };
    return this.presenter.presentChanges(access, step);
  }
}

function isReadable({ nodes }: Access, { facts, present }: Happening): boolean {
  return facts !== null && sees(nodes.read, facts) && (present === null || sees(nodes.read, present));
}
