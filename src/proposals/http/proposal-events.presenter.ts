import { Injectable } from '@nestjs/common';
import { type JsonObject, slicesOfShowing } from '../../graph/index.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access } from '../../privacy/index.js';
import { type ApplyResult } from '../domain/apply-result.js';
import { EventPositions } from '../infrastructure/event-positions.js';
import { type LoggedEvent } from '../infrastructure/proposal-events.queries.js';
import { type MadeNode, ProposalPresenter } from './proposal.presenter.js';

/** Events as they are polled; their data equals a webhook's (rules 8.8, 9.4). */
@Injectable()
export class ProposalEventsPresenter {
  constructor(
    private readonly proposals: ProposalPresenter,
    private readonly positions: EventPositions,
  ) {}

  /** The first of these events, as many as masks leave time for, but at least one (rule 4.7b). */
  async present(access: Access, reader: string, events: readonly LoggedEvent[]): Promise<JsonObject[]> {
    const shown = await this.proposals.presentAll(
      access,
      events.map(({ snapshot }) => snapshot),
    );
    const applied = events.filter(({ action }) => action === 'applied');
    const slices = slicesOfShowing();
    const made = await this.proposals.nodesMade(access, applied.flatMap(createdIn), slices);
    const presented: JsonObject[] = [];
    for (const [index, event] of events.entries()) {
      if (index > 0 && slices.isHalfSpent) break;
      presented.push({
        id: this.positions.seal(reader, event.sequence),
        event: `proposal.${event.action}`,
        event_type: event.action,
        timestamp: event.changed_at.toISOString(),
        proposal_id: event.entity_id,
        data: { ...shown[index], created_nodes: await this.createdNodes(access, event, { made, slices }) },
      });
    }
    return presented;
  }

  private async createdNodes(
    access: Access,
    event: LoggedEvent,
    { made, slices }: { made: ReadonlyMap<string, MadeNode>; slices: Slices },
  ): Promise<JsonObject[]> {
    const nodes: JsonObject[] = [];
    for (const id of event.action === 'applied' ? createdIn(event) : []) {
      const node = made.get(id);
      if (node !== undefined) nodes.push(await this.proposals.presentMade(access, node, slices));
    }
    return nodes;
  }
}

const createdIn = ({ snapshot }: LoggedEvent): string[] =>
  (snapshot['result'] as ApplyResult | null)?.created.node_ids ?? [];
