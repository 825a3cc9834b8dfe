import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { slicesOfShowing } from '../../graph/index.js';
import { pageWithinBytes, shownInTurn } from '../../kernel/http/answers/page-within-bytes.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { type AgentRow, ContributionsQueries } from '../infrastructure/contributions.queries.js';
import { HistoryQueries } from '../infrastructure/history.queries.js';
import { SessionsRepository } from '../infrastructure/sessions.repository.js';
import { AgentsQuery, AgentStatsAnswerDto, type AgentStatsDto, HistoryStatsDto } from './analytics.dto.js';
import { shownAgentStats } from './contributions.presenter.js';

/** Numbers over the nodes that the caller can read (rule 7.5). */
@ApiTags('Analytics')
@Controller('analytics')
export class AnalyticsController {
  constructor(
    private readonly history: HistoryQueries,
    private readonly contributions: ContributionsQueries,
    private readonly sessions: SessionsRepository,
  ) {}

  @Get('agent-stats')
  @Endpoint({
    summary: 'Get statistics of agents',
    description: 'Counts only nodes that the caller can read.',
    requires: { callers: 'any' },
    answers: AgentStatsAnswerDto,
  })
  async agentStats(
    @CurrentAccess() access: Access,
    @Query() { limit, offset }: AgentsQuery,
  ): Promise<AgentStatsAnswerDto> {
    const slices = slicesOfShowing();
    const { items, ...page } = await pageWithinBytes<AgentRow, AgentStatsDto>({
      limit,
      offset,
      read: (room) => this.contributions.agents(access, room),
      show: (rows) => shownInTurn(rows, (row) => shownAgentStats(access, row, slices)),
      isWhole: () => access.isOwner,
      slices,
    });
    return { agent_stats: items, total_agents: page.total, ...page };
  }

  @Get('history-stats')
  @Endpoint({
    summary: 'Get statistics of the history',
    description: 'Counts only changes of nodes, and versions of them, that the caller can read.',
    requires: { callers: 'any' },
    answers: HistoryStatsDto,
  })
  async historyStats(@CurrentAccess() access: Access): Promise<HistoryStatsDto> {
    const [history, contributions, sessions] = await Promise.all([
      this.history.sizes(access),
      this.contributions.sizes(access),
      this.sessions.sizes(access),
    ]);
    const ended = sessions.completed + sessions.failed;
    return {
      history_stats: { total_history_records: history.versions, nodes_with_history: history.nodes },
      contribution_stats: {
        total_contributions: contributions.all,
        agent_contributions: contributions.agents,
        user_contributions: contributions.users,
      },
      session_stats: {
        total_sessions: sessions.all,
        completed_sessions: sessions.completed,
        success_rate: ended === 0 ? 0 : sessions.completed / ended,
      },
    };
  }
}
