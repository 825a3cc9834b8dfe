import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import {
  AnyField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NumberField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { LimitField, OffsetField, PageDto } from '../../kernel/http/answers/page.js';
import { CONTRIBUTION_STATUSES, type ContributionStatus } from '../domain/contribution.js';

class ContributionsQuery {
  @EnumField([...CONTRIBUTION_STATUSES, 'all'], {
    default: 'active',
    description: 'Only contributions of this status.',
  })
  status: ContributionStatus | 'all';

  @LimitField({ default: 100, max: 1000 })
  limit: number;

  @OffsetField()
  offset: number;
}

export class NodeContributionsQuery extends ContributionsQuery {
  @EnumField(['agent', 'user', 'all'], {
    default: 'all',
    description: '`agent`: an agent was named. Writes of an app that named none are listed under `all` only.',
  })
  contributor_type: 'agent' | 'user' | 'all';
}

export class AgentContributionsQuery extends ContributionsQuery {}

class ContributionValueDto {
  @UuidField(ID)
  id: string;

  @UuidField(ID)
  node_id: string;

  @UuidField({
    optional: true,
    description:
      'The node that it was made to, and whose version is given, if a merge has moved it here. Only the owner sees it.',
    ...ID,
  })
  merged_from?: string;

  @IntegerField({ description: "The node's version that contains it.", example: 1 })
  version: number;

  @StringField({ description: 'The same as field_path.', example: 'metadata.properties.status' })
  field_name: string;

  @StringField({ example: 'metadata.properties.status' })
  field_path: string;

  @AnyField({ description: 'The value as the profile shows it.', example: 'active' })
  contributed_value: unknown;

  @NumberField({
    nullable: true,
    description: 'The confidence that the agent gave; part of its metadata.',
    example: 0.9,
  })
  confidence_score: number | null;

  @StringField(TIME)
  contributed_at: string;

  @EnumField(CONTRIBUTION_STATUSES, { example: 'active' })
  status: ContributionStatus;
}

export class ContributionDto extends ContributionValueDto {
  @StringField({
    nullable: true,
    description: 'The id of the agent, or of the app or user if no agent was named.',
    ...ID,
  })
  contributor_id: string | null;

  @StringField({ description: '`agent`, `user`, `app` or `system`.', example: 'agent' })
  contributor_type: string;
}

export class AgentContributionDto extends ContributionValueDto {
  @StringField({
    nullable: true,
    description: "The node's title now, as the profile shows it.",
    example: 'Learn to sail',
  })
  node_title: string | null;
}

export class NodeContributionsDto extends PageDto {
  @UuidField(ID)
  node_id: string;

  @NestedArrayField(() => ContributionDto, { description: 'Newest first.' })
  contributions: ContributionDto[];
}

export class AgentContributionsDto extends PageDto {
  @StringField(ID)
  agent_id: string;

  @NestedArrayField(() => AgentContributionDto, { description: 'Newest first.' })
  contributions: AgentContributionDto[];
}

export class LedgerAgentDto {
  @UuidField(ID)
  agent_id: string;

  @StringField({ nullable: true, example: 'note-reader' })
  agent_name: string | null;

  @StringField({ nullable: true, example: 'extractor' })
  agent_type: string | null;

  @IntegerField({ example: 3 })
  contribution_count: number;

  @StringField(TIME)
  last_contribution: string;
}

export class LedgerDto extends PageDto {
  @UuidField(ID)
  node_id: string;

  @IntegerField({ description: 'The same as `total`.', example: 1 })
  total_agents: number;

  @NestedArrayField(() => LedgerAgentDto, { description: 'Sorted by the number of contributions.' })
  agents: LedgerAgentDto[];
}
