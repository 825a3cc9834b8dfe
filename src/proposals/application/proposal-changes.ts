import { type Change } from '../../kernel/change-log/change.js';
import { type ProposalStep, proposalLogged } from '../domain/proposal.js';

/** The change log's row for a step of a proposal: the event that its app receives (rule 8.8). */
export function changeOfProposal({ proposal, event }: ProposalStep): Change {
  const { owner_id: ownerId, id: entityId, version } = proposal.record;
  const snapshot = proposalLogged(proposal);
  return { ownerId, entity: 'proposal', entityId, action: event, version, snapshot };
}
