import {
  AnyArrayField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  ObjectField,
  StringArrayField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { NamedDto, NamedUserDto } from '../../kernel/http/answers/names.js';
import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import { type JsonObject } from '../../graph/index.js';
import { ACTION_TYPES, PROPOSAL_TYPES } from '../domain/proposal-content.js';
import { PROPOSAL_STATUSES } from '../domain/proposal-status.js';

const nullable = true;

class CreatedThingsDto {
  @StringArrayField({ each: { uuid: true }, example: [ID.example] })
  node_ids: string[];

  @StringArrayField({ each: { uuid: true }, example: [] })
  relationship_ids: string[];

  @StringArrayField({ each: { uuid: true }, example: [] })
  tag_ids: string[];
}

class ActionErrorDto {
  @StringField({ example: 'action-1' })
  action_id: string;

  @EnumField(ACTION_TYPES, { example: 'UPDATE_NODE' })
  type: string;

  @StringField({ example: 'CONFLICT', description: 'CONFLICT, or a code of this service.' })
  code: string;

  @StringField({ example: 'The fields have changed since this action was proposed' })
  message: string;

  @StringArrayField({
    optional: true,
    description: 'For a conflict: the fields that changed, as far as you are shown them.',
    example: ['title'],
  })
  fields?: string[];
}

class ApplyCountsDto {
  @IntegerField({ min: 0, example: 1 })
  nodes_created: number;

  @IntegerField({ min: 0, example: 0 })
  relationships_created: number;

  @IntegerField({ min: 0, example: 0 })
  tags_created: number;

  @NestedArrayField(() => ActionErrorDto, {
    description: 'The actions that were not applied, with the reason. They undid nothing else.',
    example: [],
  })
  errors: ActionErrorDto[];

  @NestedField(() => CreatedThingsDto)
  created: CreatedThingsDto;
}

class ApplyResultDto extends ApplyCountsDto {}

export class AppliedProposalDto extends ApplyCountsDto {
  @EnumField(['APPLIED', 'FAILED'], { description: 'FAILED: nothing could be applied.', example: 'APPLIED' })
  status: string;
}

export class ProposalRecordDto {
  @UuidField(ID)
  id: string;

  @UuidField(ID)
  app_id: string;

  @UuidField(ID)
  user_id: string;

  @StringField({ example: 'A goal from your notes' })
  title: string;

  @StringField({ nullable, example: 'You wrote about sailing.' })
  description: string | null;

  @EnumField(PROPOSAL_TYPES)
  type: string;

  @EnumField(PROPOSAL_STATUSES)
  status: string;

  @EnumField(['identity', 'neutral'])
  graph_view: string;

  @ObjectField({ nullable, example: { note: 'I want to learn to sail' } })
  raw_data: JsonObject | null;

  @ObjectField({ nullable, example: { title: 'Learn to sail', node_type: 'GOAL' } })
  canonical_data: JsonObject | null;

  @StringArrayField({ example: ['sea'] })
  tags: string[];

  @ObjectField({ nullable, example: null })
  entity_tags: JsonObject | null;

  @ObjectField({ nullable, example: null })
  reasoning_metadata: JsonObject | null;

  @AnyArrayField({ example: [] })
  actions: JsonObject[];

  @IntegerField({ min: 1, example: 1, description: 'Raised by every change of the proposed content.' })
  revision: number;

  @StringField({ nullable, example: null, description: "The user's words when approving." })
  message: string | null;

  @StringField({ nullable, example: null })
  rejection_reason: string | null;

  @NestedField(() => ApplyResultDto, { nullable, example: null })
  result: ApplyResultDto | null;

  @DateField(TIME)
  created_at: string;

  @DateField(TIME)
  updated_at: string;

  @DateField({ nullable, example: null })
  reviewed_at: string | null;

  @DateField({ nullable, example: null })
  applied_at: string | null;

  @DateField({ nullable, example: null, description: 'The time of its reversion.' })
  reverted_at: string | null;
}

export class ProposalDto extends ProposalRecordDto {
  @NestedField(() => NamedDto, { nullable, description: 'Null after the end of the app.' })
  app: NamedDto | null;

  @NestedField(() => NamedUserDto, { nullable, description: 'You; null for an app.' })
  user: NamedUserDto | null;
}

export class ProposalsDto {
  @NestedArrayField(() => ProposalDto)
  proposals: ProposalDto[];

  @IntegerField({ min: 0, example: 1 })
  total: number;

  @IntegerField({ min: 1, example: 1 })
  page: number;

  @IntegerField({ min: 1, example: 20 })
  per_page: number;

  @IntegerField({ min: 1, example: 20 })
  limit: number;

  @IntegerField({ min: 0, example: 0 })
  offset: number;
}

export class ApprovedProposalDto {
  @EnumField(['APPROVED', 'APPLIED', 'FAILED'], {
    description: 'With `apply` APPLIED, or FAILED if nothing could be applied.',
    example: 'APPROVED',
  })
  status: string;

  @StringField({ example: 'Proposal approved' })
  message: string;

  @NestedField(() => ApplyResultDto, { optional: true, description: 'Present with `apply`.' })
  result?: ApplyResultDto;
}

class SubmittedProposalDto {
  @IntegerField({ description: 'The position in the request, from 0.', example: 0 })
  index: number;

  @UuidField(ID)
  id: string;

  @StringField({ example: 'A goal from your notes' })
  title: string;

  @EnumField(['PENDING', 'READY_FOR_APPROVAL'])
  status: string;

  @IntegerField({ min: 1, example: 1 })
  revision: number;
}

class RefusedProposalDto {
  @IntegerField({ example: 1 })
  index: number;

  @StringField({ nullable: true, example: null })
  title: string | null;

  @StringField({ example: 'canonical_data.node_type: is required' })
  error: string;

  @StringField({ example: 'VALIDATION_ERROR' })
  code: string;
}

class SubmittedSummaryDto {
  @IntegerField({ example: 2 })
  total: number;

  @IntegerField({ example: 1 })
  created: number;

  @IntegerField({ example: 1 })
  errors: number;
}

export class SubmittedProposalsDto {
  @NestedArrayField(() => SubmittedProposalDto)
  created: SubmittedProposalDto[];

  @NestedArrayField(() => RefusedProposalDto)
  errors: RefusedProposalDto[];

  @NestedField(() => SubmittedSummaryDto)
  summary: SubmittedSummaryDto;
}

export class RejectedProposalDto {
  @EnumField(['REJECTED'])
  status: string;

  @StringField({ example: 'Proposal rejected' })
  message: string;

  @UuidField(ID)
  id: string;
}

export class DeletedProposalDto {
  @StringField({ example: 'Proposal deleted' })
  message: string;

  @UuidField(ID)
  id: string;
}
