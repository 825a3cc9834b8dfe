import { shownValue } from '../../graph/index.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access, type NodeFacts, type ShownFacts } from '../../privacy/index.js';
import { contributionId } from '../domain/contribution.js';
import { shownAgentId, shownAgentText, shownOfAgent } from '../domain/shown-agents.js';
import { changedAtShown } from '../domain/shown-times.js';
import { type NodeFactsRow } from '../domain/contribution-visibility.js';
import {
  type AgentRow,
  type ContributionRow,
  type DatedVersion,
} from '../infrastructure/contributions.queries.js';
import { type AgentContributionDto, type ContributionDto, type LedgerAgentDto } from './contributions.dto.js';
import { type AgentStatsDto } from './analytics.dto.js';

/** The version that a contribution came with, its node now, and the node to which it was made. */
function decidingFacts(row: ContributionRow): NodeFacts[] {
  const { contributed_at: createdAt } = row;
  // A dotted path does not tell which keys contain dots, so no other contribution has the same hash.
  const id = contributionId(row.made_to, row.version, row.path);
  return [row, row.node_now, row.made_to_now].map(({ tag_ids, node_type, schema_id }: NodeFactsRow) => ({
    id,
    tagIds: tag_ids,
    schemaId: schema_id,
    nodeType: node_type,
    createdAt,
  }));
}

/** A contributed value is shown as the field of its version is (rules 3.14, 3.15, 3.20). */
async function valueOf(access: Access, row: ContributionRow, slices: Slices) {
  const states = decidingFacts(row);
  return {
    id: contributionId(row.made_to, row.version, row.path),
    node_id: row.node_id,
    // Only the owner sees the id of a node that nobody else can read.
    ...(access.isOwner && row.made_to !== row.node_id ? { merged_from: row.made_to } : {}),
    version: row.version,
    field_name: row.path,
    field_path: row.path,
    contributed_value: (await shownValue(access, row, { states, slices })) ?? null,
    confidence_score: await shownOfAgent(
      access,
      { key: 'confidence_score', value: row.confidence, type: 'number' },
      { states, slices },
    ),
    contributed_at: changedAtShown(access, { changed_at: row.contributed_at }, states).toISOString(),
    status: row.status,
  };
}

export async function shownContribution(
  access: Access,
  row: ContributionRow,
  slices: Slices,
): Promise<ContributionDto> {
  const isAgent = row.contributor_type === 'agent';
  return {
    ...(await valueOf(access, row, slices)),
    contributor_id: isAgent
      ? shownAgentId(access, row.contributor_id, decidingFacts(row))
      : row.contributor_id,
    contributor_type: row.contributor_type,
  };
}

export async function shownAgentContribution(
  access: Access,
  row: ContributionRow,
  slices: Slices,
): Promise<AgentContributionDto> {
  const states = stateOf(row.node_id, row.node_now);
  const shown = await access.exposure.exposeValueInSlices(
    { path: 'title', value: row.title },
    states,
    slices,
  );
  const title = shown ?? null;
  return { ...(await valueOf(access, row, slices)), node_title: title as string | null };
}

export async function shownLedgerAgent(
  access: Access,
  row: AgentRow,
  slices: Slices,
): Promise<LedgerAgentDto> {
  return {
    agent_id: row.agent_id,
    agent_name: await agentText(access, row, { key: 'agent_name', slices }),
    agent_type: await agentText(access, row, { key: 'agent_type', slices }),
    contribution_count: row.contributions,
    last_contribution: timeOf(access, row, 'last'),
  };
}

export async function shownAgentStats(access: Access, row: AgentRow, slices: Slices): Promise<AgentStatsDto> {
  // The average is hidden if any of its values would be shown changed.
  const hidesConfidence = access.exposure.touches('agent_metadata.confidence_score');
  return {
    agent_id: row.agent_id,
    agent_name: await agentText(access, row, { key: 'agent_name', slices }),
    total_contributions: row.contributions,
    nodes_affected: row.nodes,
    avg_confidence: hidesConfidence ? null : row.confidence,
    active_contributions: row.active,
    superseded_contributions: row.superseded,
    first_contribution: timeOf(access, row, 'first'),
    last_contribution: timeOf(access, row, 'last'),
  };
}

async function agentText(
  access: Access,
  row: AgentRow,
  { key, slices }: { key: 'agent_name' | 'agent_type'; slices: Slices },
): Promise<string | null> {
  const { agent_id, named: version, [key]: value } = row;
  if (version === null) return null;
  return shownAgentText(access, { key, value }, { states: decidingFactsOfDated(agent_id, version), slices });
}

function timeOf(access: Access, row: AgentRow, which: 'first' | 'last'): string {
  const { [which]: version, agent_id } = row;
  const changed_at = new Date(version.changed_at);
  return changedAtShown(access, { changed_at }, decidingFactsOfDated(agent_id, version)).toISOString();
}

const stateOf = (
  id: string,
  { tag_ids, node_type }: Pick<NodeFactsRow, 'tag_ids' | 'node_type'>,
): ShownFacts => ({
  id,
  tagIds: tag_ids,
  nodeType: node_type,
});

const decidingFactsOfDated = (id: string, version: DatedVersion): ShownFacts[] =>
  [version, version.node_now].map((state) => stateOf(id, state));
