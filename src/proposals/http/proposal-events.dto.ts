import {
  BooleanField,
  DateField,
  EnumField,
  NestedArrayField,
  NestedField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import { AppliedLimitField } from '../../kernel/http/answers/page.js';
import { NodeDto } from '../../graph/index.js';
import { ProposalRecordDto } from './proposals-answers.dto.js';

const EVENTS = ['created', 'ready', 'approved', 'rejected', 'applied', 'failed'];

class ProposalEventDataDto extends ProposalRecordDto {
  @NestedArrayField(() => NodeDto, {
    description: 'The nodes that the application made and that you may read; empty for other events.',
    example: [],
  })
  created_nodes: NodeDto[];
}

class ProposalEventDto {
  @UuidField(ID)
  id: string;

  @EnumField(EVENTS.map((event) => `proposal.${event}`))
  event: string;

  @EnumField(EVENTS)
  event_type: string;

  @DateField(TIME)
  timestamp: string;

  @UuidField(ID)
  proposal_id: string;

  @NestedField(() => ProposalEventDataDto, { description: 'The proposal as it was then.' })
  data: ProposalEventDataDto;
}

export class ProposalEventsDto {
  @NestedArrayField(() => ProposalEventDto)
  events: ProposalEventDto[];

  @UuidField({ ...ID, description: 'For `after` of the next request.' })
  cursor: string;

  @BooleanField({ example: false })
  has_more: boolean;

  @AppliedLimitField()
  limit: number;
}
