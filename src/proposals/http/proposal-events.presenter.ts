import { Injectable } from '@nestjs/common';
import { type JsonObject, type WireNode } from '../../graph/index.js';
import { type Access } from '../../privacy/index.js';
import { type ApplyResult } from '../domain/apply-result.js';
import { EventPositions } from '../infrastructure/event-positions.js';
import { type LoggedEvent } from '../infrastructure/proposal-events.queries.js';
import { ProposalPresenter } from './proposal.presenter.js';

/** Events as they are polled; their data equals a webhook's (rules 8.8, 9.4). */
@Injectable()
export class ProposalEventsPresenter {
  constructor(
    private readonly proposals: ProposalPresenter,
    private readonly positions: EventPositions,
  ) {}

  async present(access: Access, reader: string, events: readonly LoggedEvent[]): Promise<JsonObject[]> {
    const shown = await this.proposals.presentAll(
      access,
      events.map(({ snapshot }) => snapshot),
    );
    const applied = events.filter(({ action }) => action === 'applied');
    const nodes = await this.proposals.nodesMade(access, applied.flatMap(createdIn));
    return events.map((event, index) => ({
      id: this.positions.seal(reader, event.sequence),
      event: `proposal.${event.action}`,
      event_type: event.action,
      timestamp: event.changed_at.toISOString(),
      proposal_id: event.entity_id,
      data: { ...shown[index], created_nodes: createdNodes(event, nodes) },
    }));
  }
}

const createdIn = ({ snapshot }: LoggedEvent): string[] =>
  (snapshot['result'] as ApplyResult | null)?.created.node_ids ?? [];

function createdNodes(event: LoggedEvent, nodes: ReadonlyMap<string, WireNode>): WireNode[] {
  const ids = event.action === 'applied' ? createdIn(event) : [];
  return ids.map((id) => nodes.get(id)).filter((node) => node !== undefined);
}
