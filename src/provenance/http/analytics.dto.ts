import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import {
  IntegerField,
  NestedArrayField,
  NestedField,
  NumberField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { LimitField, OffsetField, PageDto } from '../../kernel/http/answers/page.js';

export class AgentsQuery {
  @LimitField({ default: 100, max: 1000 })
  limit: number;

  @OffsetField()
  offset: number;
}

export class AgentStatsDto {
  @UuidField(ID)
  agent_id: string;

  @StringField({ nullable: true, example: 'note-reader' })
  agent_name: string | null;

  @IntegerField({ example: 4 })
  total_contributions: number;

  @IntegerField({ example: 2 })
  nodes_affected: number;

  @NumberField({
    nullable: true,
    description: 'The average over contributions with a confidence.',
    example: 0.9,
  })
  avg_confidence: number | null;

  @IntegerField({ example: 3 })
  active_contributions: number;

  @IntegerField({ example: 1 })
  superseded_contributions: number;

  @StringField(TIME)
  first_contribution: string;

  @StringField(TIME)
  last_contribution: string;
}

export class AgentStatsAnswerDto extends PageDto {
  @NestedArrayField(() => AgentStatsDto, { description: 'Sorted by the number of contributions.' })
  agent_stats: AgentStatsDto[];

  @IntegerField({ description: 'The same as `total`.', example: 1 })
  total_agents: number;
}

class HistorySizesDto {
  @IntegerField({ example: 12 })
  total_history_records: number;

  @IntegerField({ example: 5 })
  nodes_with_history: number;
}

class ContributionSizesDto {
  @IntegerField({ description: 'Includes contributions of apps that named no agent.', example: 20 })
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
    description:
      'The share of completed sessions among completed and failed ones, 0 to 1; 0 if there are none.',
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
