import {
  AnyArrayField,
  BooleanField,
  EnumField,
  IntegerField,
  nullish,
  ObjectField,
  StringArrayField,
  StringField,
} from '../../kernel/http/fields/fields.js';
import { LimitField, OffsetField, PageField } from '../../kernel/http/answers/page.js';
import { type JsonObject } from '../../graph/index.js';
import { LIMITS, PROPOSAL_TYPES, type ProposalType } from '../domain/proposal-content.js';
import { ACTION_SCHEMA } from './action-schemas.js';
import { PROPOSAL_STATUSES, type ProposalStatus } from '../domain/proposal-status.js';

const GRAPH_VIEWS = ['identity', 'neutral'] as const;
const LONGEST_WAIT = 30;

const CANONICAL = {
  ...nullish,
  description:
    'The proposed change, by type. CREATE_NODE: a node body, or `{nodes: [{ref, …}], relationships: [{from_ref, to_ref, …}]}`; ' +
    'UPDATE_NODE: `{node_id, changes, base_version?}`, where `changes.metadata` is a JSON merge patch; DELETE_NODE: `{node_id, base_version?}`; MERGE_NODES: `{target_node_id, ' +
    'source_node_ids, field_choices?}`; CREATE_RELATIONSHIP: its body; UPDATE_RELATIONSHIP: `{relationship_id, changes}`; ' +
    'DELETE_RELATIONSHIP: `{relationship_id}`; ADD_TAGS and REMOVE_TAGS: `{node_id, tags, base_version?}`. BATCH has actions only.',
  example: { title: 'Learn to sail', node_type: 'GOAL', meaning_level: 'IDENTITY' },
};
const TAGS = {
  ...nullish,
  description: 'Names of tags for every node that the proposal makes.',
  example: ['sea', 'plans'],
};
const ENTITY_TAGS = {
  ...nullish,
  description: 'Names of tags for single nodes, by their ref or action id.',
  example: { 'node-1': ['plans'] },
};
const REASONING = {
  ...nullish,
  description: 'The reason for the proposal; `agent_id` names the agent in the history.',
  example: { summary: 'Mentioned three times in May' },
};
const ACTIONS = {
  ...nullish,
  description:
    'The granular form: `{id, type, payload}`, the payload in the form of canonical_data for that type.',
  maxItems: LIMITS.steps,
  items: ACTION_SCHEMA,
};
const ACTION = { id: 'goal', type: 'CREATE_NODE', payload: { title: 'Learn to sail', node_type: 'GOAL' } };

class ProposalContentBody {
  @ObjectField(CANONICAL)
  canonical_data?: JsonObject | null;

  @StringArrayField(TAGS)
  tags?: string[] | null;

  @ObjectField(ENTITY_TAGS)
  entity_tags?: JsonObject | null;

  @ObjectField(REASONING)
  reasoning_metadata?: JsonObject | null;
}

export class SubmitProposalBody extends ProposalContentBody {
  @StringField({
    ...nullish,
    min: 1,
    max: LIMITS.title,
    description: 'Absent: the title of the proposed node, else the type in words.',
    example: 'A goal from your notes',
  })
  title?: string | null;

  @StringField({ ...nullish, max: LIMITS.description, example: 'You wrote about sailing.' })
  description?: string | null;

  @EnumField(PROPOSAL_TYPES, { default: 'CREATE_NODE' })
  type: ProposalType;

  @EnumField(GRAPH_VIEWS, { default: 'identity' })
  graph_view: 'identity' | 'neutral';

  @ObjectField({
    ...nullish,
    description: 'The data that the proposal was made from.',
    example: { note: 'I want to learn to sail' },
  })
  raw_data?: JsonObject | null;

  @AnyArrayField({ ...ACTIONS, example: [] })
  actions?: JsonObject[] | null;

  @EnumField(PROPOSAL_STATUSES, {
    default: 'PENDING',
    description: 'READY_FOR_APPROVAL for a proposal that is complete; the app cannot set the others.',
    example: 'PENDING',
  })
  status: ProposalStatus;
}

export class SubmitProposalsBody {
  @AnyArrayField({ minItems: 1, maxItems: LIMITS.proposals, itemType: () => SubmitProposalBody })
  proposals: unknown[];
}

export class EnrichProposalBody extends ProposalContentBody {
  @AnyArrayField({ ...ACTIONS, example: [ACTION] })
  actions?: JsonObject[] | null;

  @EnumField(PROPOSAL_STATUSES, {
    optional: true,
    description: 'READY_FOR_APPROVAL, or PENDING to withdraw that; the app cannot set the others.',
    example: 'READY_FOR_APPROVAL',
  })
  status?: ProposalStatus;
}

export class ApproveProposalBody {
  @StringArrayField({
    optional: true,
    maxItems: LIMITS.steps,
    each: { max: LIMITS.id },
    description: 'Only these actions, by id. Absent: all that are not rejected.',
    example: ['node-1'],
  })
  approved_actions?: string[];

  @StringArrayField({
    optional: true,
    maxItems: LIMITS.steps,
    each: { max: LIMITS.id },
    description: 'All but these actions.',
    example: [],
  })
  rejected_actions?: string[];

  @IntegerField({
    optional: true,
    min: 1,
    description:
      'The revision that was reviewed. Absent: the one that you were last shown by GET /proposals, ' +
      'GET /proposals/:proposal_id or its diff; the first, if none.',
    example: 1,
  })
  expected_revision?: number;

  @StringField({ ...nullish, max: LIMITS.message, description: 'For the app.', example: 'Thank you' })
  message?: string | null;

  @BooleanField({
    default: false,
    description: 'Also applies it, in the same transaction: `result` of the answer is that of POST …/apply.',
    example: false,
  })
  apply: boolean;
}

export class RejectProposalBody {
  @StringField({ ...nullish, max: LIMITS.message, example: 'That was a joke' })
  reason?: string | null;
}

export class ProposalsQuery {
  @EnumField(PROPOSAL_STATUSES, { optional: true, description: 'Only proposals in this state.' })
  status?: ProposalStatus;

  @EnumField(GRAPH_VIEWS, { optional: true, description: 'Only proposals for this view.' })
  graph_view?: 'identity' | 'neutral';

  @PageField()
  page: number;

  @LimitField({ default: 20, max: 100 })
  per_page: number;

  @LimitField({ max: 100, goesBefore: 'per_page' })
  limit?: number;

  @OffsetField({ goesBefore: 'page' })
  offset?: number;
}

export class ProposalEventsQuery {
  @LimitField({ default: 20, max: 100 })
  limit: number;

  @StringField({
    optional: true,
    description: 'The cursor of the last answer, or the id of an event: only later events are returned.',
  })
  after?: string;

  @IntegerField({
    default: 0,
    min: 0,
    max: LONGEST_WAIT,
    description: 'Seconds to wait if there are no events: the answer comes as soon as there are.',
  })
  wait: number;
}
