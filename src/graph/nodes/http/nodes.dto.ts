import { AnyValuesOf } from '../../../kernel/http/fields/any-values.js';
import { ID } from '../../../kernel/http/openapi/examples.js';
import {
  AnyArrayField,
  BooleanField,
  CommaListField,
  EnumField,
  nullish,
  NumberField,
  ObjectField,
  StringArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { SetByServiceField } from '../../../kernel/http/fields/set-by-service.js';
import { LimitField, OffsetField, PageQuery } from '../../../kernel/http/answers/page.js';
import { FieldsField, FieldsListField, ValueLimitField } from '../../../kernel/http/lean/lean-fields.js';
import { ON_DUPLICATE, type OnDuplicate } from '../application/nodes-batch.service.js';
import { NODE_LIMITS } from '../domain/node-fields.js';
import {
  GRAPH_VIEWS,
  type GraphView,
  type JsonObject,
  MEANING_LEVELS,
  type MeaningLevel,
  PROPERTY_LIMITS,
  PROPERTY_OPERATORS,
} from '../../common/index.js';
import { ListedNodeDto, NodeDto } from './nodes-answers.dto.js';
import { NODE_SORTS } from '../infrastructure/node-listing.js';

const TITLE = { min: 1, max: NODE_LIMITS.title, description: 'Main description.', example: 'Learn to sail' };
const NODE_TYPE = {
  min: 1,
  max: NODE_LIMITS.nodeType,
  description: 'With meaning level IDENTITY one of EXPERIENCE, BELIEF, ENTITY, GOAL; else free.',
  example: 'GOAL',
};
const TAGS = {
  description:
    'Names of tags (1 to 100 characters), made where needed, or ids of own tags; at most 50 different ones.',
  example: ['sea', 'plans'],
};

/** The fields that creating and changing have in common. */
class NodeFieldsBody {
  @StringField({
    ...nullish,
    max: NODE_LIMITS.value,
    description: 'Additional notes.',
    example: 'Before autumn.',
  })
  value?: string | null;

  @EnumField(MEANING_LEVELS, { ...nullish, description: 'The default is CONTEXT.', example: 'IDENTITY' })
  meaning_level?: MeaningLevel | null;

  @EnumField(GRAPH_VIEWS, {
    ...nullish,
    description: 'Stored, never returned. The default is `identity`.',
  })
  graph_view?: GraphView | null;

  @NumberField({ ...nullish, min: 0, max: 1, example: 0.8 })
  importance_score?: number | null;

  @ObjectField({
    ...nullish,
    description: 'At most 256 KiB and 32 levels; `properties` holds the fields of the node type.',
    example: { properties: { status: 'active', time_horizon: 'short_term' } },
  })
  metadata?: JsonObject | null;

  @ObjectField({
    ...nullish,
    description:
      'The agent that made this, and its method; `agent_id` attributes the change to it. Names and `session_id` have at most 1,000 characters.',
    example: { agent_name: 'note-reader', confidence_score: 0.9 },
  })
  agent_metadata?: JsonObject | null;

  @UuidField({ ...nullish, description: 'The agent that the change is attributed to.', ...ID })
  last_modified_by_agent_id?: string | null;

  @StringField({
    ...nullish,
    description: 'Id of a schema.',
    example: '00000000-0000-7000-8000-000000000005',
  })
  schema_id?: string | null;

  @StringArrayField({ ...nullish, ...TAGS })
  tags?: string[] | null;

  @StringField({
    ...nullish,
    max: NODE_LIMITS.changeReason,
    description: 'The reason in history; takes precedence over the header X-Change-Reason.',
    example: 'first draft',
  })
  change_reason?: string | null;
}

/** A node to be created: an item of a batch. */
export class CreateNodeBody extends NodeFieldsBody {
  @StringField(TITLE)
  title: string;

  @StringField(NODE_TYPE)
  node_type: string;

  @SetByServiceField()
  created_at?: never;

  @SetByServiceField()
  updated_at?: never;
}

/** The body of POST, which decides for itself what a duplicate means. */
export class NewNodeBody extends CreateNodeBody {
  @EnumField(ON_DUPLICATE, {
    ...nullish,
    example: null,
    description:
      'The action where a node with the same graph view, title and value exists that the caller can read: `skip` ' +
      'returns that node unchanged, `overwrite` writes to it as PUT does. Absent or null: a second node is created.',
  })
  on_duplicate?: OnDuplicate | null;
}

/** Any subset of a node's fields: absent stays, null clears (rule 4.2). Documents {@link WrittenNodeBody}. */
export class ChangeNodeBody extends NodeFieldsBody {
  @StringField({ ...TITLE, optional: true })
  title?: string;

  @StringField({ ...NODE_TYPE, optional: true })
  node_type?: string;
}

/** The accepted body of PUT and PATCH, see {@link AnyValuesOf}. */
export class WrittenNodeBody extends AnyValuesOf(ChangeNodeBody) {}

/** Selects fields of one node. */
export class NodeFieldsQuery {
  @FieldsField(() => NodeDto)
  fields?: string[];

  @ValueLimitField()
  value_limit?: number;
}

/** Selects fields of each node of a list. */
export class ListedNodeFieldsQuery {
  @FieldsField(() => ListedNodeDto)
  fields?: string[];

  @ValueLimitField()
  value_limit?: number;
}

/** The filter of a list, and of its facets. */
export class NodeFilterQuery {
  @EnumField(['owned', 'shared', 'all'], {
    default: 'all',
    description: 'Own nodes, those that others share with you, or both.',
  })
  access: 'owned' | 'shared' | 'all';

  @StringField({ optional: true, description: 'Exactly this node type.', example: 'GOAL' })
  node_type?: string;

  @EnumField(MEANING_LEVELS, { optional: true, description: 'Only nodes of this meaning level.' })
  meaning_level?: MeaningLevel;

  @EnumField(GRAPH_VIEWS, { optional: true, description: 'Only nodes of this graph view. Absent: both.' })
  view?: GraphView;

  @StringField({
    optional: true,
    description: 'Only nodes with this tag, by its id from GET /tags.',
    ...ID,
  })
  tag_id?: string;

  @StringField({
    optional: true,
    max: 200,
    description: 'Part of the title or the value, in any letter case.',
  })
  search?: string;

  @StringField({
    optional: true,
    min: 2,
    max: 8000,
    description: `Only nodes with these values in \`metadata.properties\`, as JSON: a list of 1 to ${PROPERTY_LIMITS.filters} objects with the \`path\` of a value (keys joined by dots) and any of ${PROPERTY_OPERATORS.join(', ')}. Numbers are compared with numbers, texts with texts by their characters (so are ISO dates), booleans by \`eq\`. Values count as you are shown them.`,
    example: '[{"path":"status","eq":"active"}]',
  })
  properties?: string;

  @BooleanField({ default: false, description: 'Deleted nodes instead, for their owner.' })
  deleted: boolean;
}

export class NodesQuery extends NodeFilterQuery {
  @BooleanField({ default: false, description: 'Adds `tags`, the names of the tags of each node.' })
  include_tags: boolean;

  @BooleanField({ default: false, description: 'Adds `owner`, the id and username of the owner.' })
  include_owner: boolean;

  @EnumField(NODE_SORTS, { default: 'updated_at', description: 'The field by which the list is ordered.' })
  sort: (typeof NODE_SORTS)[number];

  @EnumField(['asc', 'desc'], {
    default: 'desc',
    description: 'Smallest and oldest first (`asc`), or largest and newest first.',
  })
  order: 'asc' | 'desc';

  @LimitField({ default: 20, max: 100 })
  limit: number;

  @OffsetField()
  offset: number;

  @FieldsField(() => ListedNodeDto)
  fields?: string[];

  @ValueLimitField()
  value_limit?: number;
}

export class TagNodesQuery extends PageQuery {
  @BooleanField({ default: false, description: 'Adds the tags of each node.' })
  include_tags: boolean;

  @FieldsField(() => ListedNodeDto)
  fields?: string[];

  @ValueLimitField()
  value_limit?: number;
}

export class CountQuery {
  @CommaListField({
    optional: true,
    description:
      'Ids of schemas, separated by commas: nodes of any of them. `__freeform__` stands for nodes without one.',
    example: '__freeform__',
  })
  schema_ids?: string[];

  @CommaListField({
    optional: true,
    description: 'Ids of tags, separated by commas: nodes with any of them.',
    ...ID,
  })
  tag_ids?: string[];
}

export class BatchBody {
  @AnyArrayField({ minItems: 1, maxItems: 100, itemType: () => CreateNodeBody })
  nodes: unknown[];

  @EnumField(ON_DUPLICATE, {
    default: 'skip',
    description: 'The action for an item whose graph view, title and value equal those of an existing node.',
  })
  on_duplicate: OnDuplicate;
}

export class BulkDeleteBody {
  @StringArrayField({
    minItems: 1,
    maxItems: 100,
    description: 'Ids of nodes, from GET /nodes.',
    example: [ID.example],
  })
  node_ids: string[];
}

export class LookupBody {
  @StringArrayField({
    minItems: 1,
    maxItems: 100,
    description: 'Ids of nodes, own and shared ones. A repeated id counts once.',
    example: [ID.example],
  })
  ids: string[];

  @FieldsListField(() => ListedNodeDto)
  fields?: string[];

  @ValueLimitField()
  value_limit?: number;
}

export class NodeTagBody {
  @StringField({ description: 'Id of the tag, from GET /tags.', ...ID })
  tag_id: string;

  @NumberField({
    ...nullish,
    min: 0,
    max: 1,
    description:
      'How much the node is about the tag. Set when the tag is added; to change it, add the tag again.',
    example: 0.7,
  })
  relevance_score?: number | null;

  @BooleanField(nullish)
  is_auto_generated?: boolean | null;
}
