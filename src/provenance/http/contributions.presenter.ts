import { type Access } from '../../privacy/index.js';
import { contributionId } from '../domain/contribution.js';
import { shownAgentId, shownOfAgent } from '../domain/shown-agents.js';
import { changedAtShown } from '../domain/shown-times.js';
import { type AgentRow, type ContributionRow, type ToldBy } from '../infrastructure/contributions.queries.js';
import { type AgentContributionDto, type ContributionDto, type LedgerAgentDto } from './contributions.dto.js';
import { type AgentStatsDto } from './analytics.dto.js';

/** A contributed value is shown as the field of the version that it came with (decisions 3.14, 3.15, 3.20). */
function valueOf(access: Access, row: ContributionRow) {
  const facts = { tagIds: row.tag_ids, nodeType: row.node_type };
  return {
    id: contributionId(row.made_to, row.version, row.path),
    node_id: row.node_id,
    // The id of a node that nobody else can read is for the owner only.
    ...(access.isOwner && row.made_to !== row.node_id ? { merged_from: row.made_to } : {}),
    version: row.version,
    field_name: row.path,
    field_path: row.path,
    contributed_value: access.exposure.exposeValue(row.path, row.value, facts) ?? null,
    confidence_score: shownOfAgent(
      access,
      { key: 'confidence_score', value: row.confidence, type: 'number' },
      facts,
    ),
    contributed_at: changedAtShown(access, { ...row, changed_at: row.contributed_at }).toISOString(),
    status: row.status,
  };
}

export function shownContribution(access: Access, row: ContributionRow): ContributionDto {
  const facts = { tagIds: row.tag_ids, nodeType: row.node_type };
  const isAgent = row.contributor_type === 'agent';
  return {
    ...valueOf(access, row),
    contributor_id: isAgent ? shownAgentId(access, row.contributor_id, facts) : row.contributor_id,
    contributor_type: row.contributor_type,
  };
}

export function shownAgentContribution(access: Access, row: ContributionRow): AgentContributionDto {
  const now = { tagIds: row.node_now.tag_ids, nodeType: row.node_now.node_type };
  const title = access.exposure.exposeValue('title', row.title, now) ?? null;
  return { ...valueOf(access, row), node_title: title as string | null };
}

export function shownLedgerAgent(access: Access, row: AgentRow): LedgerAgentDto {
  return {
    agent_id: row.agent_id,
    agent_name: calledBy(access, row.named, 'agent_name'),
    agent_type: calledBy(access, row.named, 'agent_type'),
    contribution_count: row.contributions,
    last_contribution: timeOf(access, row.last),
  };
}

export function shownAgentStats(access: Access, row: AgentRow): AgentStatsDto {
  // An average over values of which the caller is not shown each as it is.
  const hidesConfidence = access.exposure.touches('agent_metadata.confidence_score');
  return {
    agent_id: row.agent_id,
    agent_name: calledBy(access, row.named, 'agent_name'),
    total_contributions: row.contributions,
    nodes_affected: row.nodes,
    avg_confidence: hidesConfidence ? null : row.confidence,
    active_contributions: row.active,
    superseded_contributions: row.superseded,
    first_contribution: timeOf(access, row.first),
    last_contribution: timeOf(access, row.last),
  };
}

function calledBy(access: Access, told: ToldBy | null, key: string): string | null {
  if (told === null) return null;
  const facts = { tagIds: told.tag_ids, nodeType: told.node_type };
  return shownOfAgent(access, { key, value: told.agent_metadata?.[key], type: 'string' }, facts);
}

const timeOf = (access: Access, told: ToldBy): string =>
  changedAtShown(access, { ...told, changed_at: new Date(told.changed_at) }).toISOString();
