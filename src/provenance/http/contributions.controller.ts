import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Node, ShownVersions, slicesOfShowing } from '../../graph/index.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import {
  pageWithinBytes,
  type RowsOfList,
  shownInTurn,
} from '../../kernel/http/answers/page-within-bytes.js';
import { isId } from '../../kernel/ids.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access, CurrentAccess, AccessReports } from '../../privacy/index.js';
import {
  type AgentRow,
  type ContributionRow,
  ContributionsQueries,
} from '../infrastructure/contributions.queries.js';
import { AgentsQuery } from './analytics.dto.js';
import {
  type AgentContributionDto,
  AgentContributionsDto,
  type ContributionDto,
  AgentContributionsQuery,
  type LedgerAgentDto,
  LedgerDto,
  NodeContributionsDto,
  NodeContributionsQuery,
} from './contributions.dto.js';
import { shownAgentContribution, shownContribution, shownLedgerAgent } from './contributions.presenter.js';

const SHOWN =
  'Includes fields that the caller is shown, from versions that the caller can read. A rejected contribution is listed beside the active one; contributions that came with a merge are `merged`.';

const node: Requirement = { callers: 'any', resource: { kind: 'node', param: 'node_id', verb: 'history' } };
const given = <T>(choice: T | 'all'): T | undefined => (choice === 'all' ? undefined : choice);

/** Contributions to nodes, by field and author (rule 7.3). */
@ApiTags('Contributions')
@Controller()
export class ContributionsController {
  constructor(
    private readonly queries: ContributionsQueries,
    private readonly accessReports: AccessReports,
    private readonly versions: ShownVersions,
  ) {}

  @Get('nodes/:node_id/contributions')
  @Endpoint({
    summary: 'List contributions to a node',
    holdsNoSecret: true,
    description: `One is active for each field and path; a newer write supersedes it. ${SHOWN}`,
    requires: node,
    answers: NodeContributionsDto,
  })
  async ofNode(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Query() query: NodeContributionsQuery,
  ): Promise<NodeContributionsDto> {
    const { limit, offset } = query;
    const filter = {
      nodeId: located.id,
      status: given(query.status),
      contributorType: given(query.contributor_type),
    };
    const slices = slicesOfShowing();
    const { items: contributions, ...page } = await pageWithinBytes<ContributionRow, ContributionDto>({
      limit,
      offset,
      read: async (room) => this.numbered(access, await this.queries.list(access, { filter, ...room })),
      show: (rows) => shownInTurn(rows, (row) => shownContribution(access, row, slices)),
      isWhole: () => access.isOwner,
      slices,
    });
    return { node_id: located.id, contributions, ...page };
  }

  @Get('nodes/:node_id/ledger')
  @Endpoint({
    summary: 'List agents that contributed to a node',
    holdsNoSecret: true,
    description: SHOWN,
    requires: node,
    answers: LedgerDto,
  })
  async ledger(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Query() { limit, offset }: AgentsQuery,
  ): Promise<LedgerDto> {
    const slices = slicesOfShowing();
    const { items: agents, ...page } = await pageWithinBytes<AgentRow, LedgerAgentDto>({
      limit,
      offset,
      read: (room) => this.queries.agents(access, { nodeId: located.id, ...room }),
      show: (rows) => shownInTurn(rows, (row) => shownLedgerAgent(access, row, slices)),
      isWhole: () => access.isOwner,
      slices,
    });
    return { node_id: located.id, agents, total_agents: page.total, ...page };
  }

  @Get('agents/:agent_id/contributions')
  @Endpoint({
    summary: 'List contributions of an agent',
    holdsNoSecret: true,
    description: `Covers all nodes that the caller can read. An unknown agent has no contributions. ${SHOWN}`,
    requires: { callers: 'any' },
    answers: AgentContributionsDto,
  })
  async ofAgent(
    @CurrentAccess() access: Access,
    @Param('agent_id') agentId: string,
    @Query() query: AgentContributionsQuery,
  ): Promise<AgentContributionsDto> {
    const { limit, offset } = query;
    if (!isId(agentId)) return { agent_id: agentId, contributions: [], total: 0, limit, offset };
    const filter = { agentId: agentId.toLowerCase(), status: given(query.status) };
    const slices = slicesOfShowing();
    const { items: contributions, ...page } = await pageWithinBytes<ContributionRow, AgentContributionDto>({
      limit,
      offset,
      read: async (room) => this.numbered(access, await this.queries.list(access, { filter, ...room })),
      show: (rows) => shownInTurn(rows, (row) => this.shownOfAgent(access, row, slices)),
      isWhole: () => access.isOwner,
      slices,
    });
    return { agent_id: agentId, contributions, ...page };
  }

  /** Replaces version numbers with those under which the caller is shown the versions (rule 3.14e). */
  private async numbered(
    access: Access,
    { rows, total }: RowsOfList<ContributionRow>,
  ): Promise<RowsOfList<ContributionRow>> {
    const steps = await this.versions.countedSteps(access);
    if (steps === null) return { rows, total };
    const numberOf = ({ made_to, version }: ContributionRow) => steps.counts.numberOf(made_to, version);
    return { rows: rows.map((row) => ({ ...row, version: numberOf(row) })), total };
  }

  private shownOfAgent(access: Access, row: ContributionRow, slices: Slices): Promise<AgentContributionDto> {
    this.accessReports.shown(access, { owner_id: access.ownerId, id: row.node_id });
    return shownAgentContribution(access, row, slices);
  }
}
