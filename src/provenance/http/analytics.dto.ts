import {
  IntegerField,
  NestedArrayField,
  NestedField,
  NumberField,
  StringField,
  UuidField,
} from '../../kernel/http/fields.js';

const ID = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const TIME = '2026-01-31T12:00:00.000Z';

export class AgentStatsDto {
  @UuidField({ example: ID })
  agent_id: string;

  @StringField({ nullable: true, example: 'note-reader' })
  agent_name: string | null;

  @IntegerField({ example: 4 })
  total_contributions: number;

  @IntegerField({ example: 2 })
  nodes_affected: number;

  @NumberField({ nullable: true, description: 'Of those contributions that have one.', example: 0.9 })
  avg_confidence: number | null;

  @IntegerField({ example: 3 })
  active_contributions: number;

  @IntegerField({ example: 1 })
  superseded_contributions: number;

  @StringField({ example: TIME })
  first_contribution: string;

  @StringField({ example: TIME })
  last_contribution: string;
}

export class AgentStatsAnswerDto {
  @NestedArrayField(() => AgentStatsDto, { description: 'By the number of contributions.' })
  agent_stats: AgentStatsDto[];

  @IntegerField({ example: 1 })
  total_agents: number;
}

class HistorySizesDto {
  @IntegerField({ example: 12 })
  total_history_records: number;

  @IntegerField({ example: 5 })
  nodes_with_history: number;
}

class ContributionSizesDto {
  @IntegerField({ description: 'With those of apps that named no agent.', example: 20 })
  total_contributions: number;

  @IntegerField({ example: 8 })
  agent_contributions: number;

  @IntegerField({ example: 10 })
  user_contributions: number;
}

class SessionSizesDto {
  @IntegerField({ example: 3 })
  total_sessions: number;

  @IntegerField({ example: 2 })
  completed_sessions: number;

  @NumberField({
    description: 'Completed of those completed or failed, 0 to 1; 0 while none is.',
    example: 1,
  })
  success_rate: number;
}

export class HistoryStatsDto {
  @NestedField(() => HistorySizesDto)
  history_stats: HistorySizesDto;

  @NestedField(() => ContributionSizesDto)
  contribution_stats: ContributionSizesDto;

  @NestedField(() => SessionSizesDto)
  session_stats: SessionSizesDto;
}
