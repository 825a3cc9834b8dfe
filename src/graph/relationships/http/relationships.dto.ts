import { AnyValuesOf } from '../../../kernel/http/fields/any-values.js';
import { ID, TIME } from '../../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  NumberField,
  optional,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { SetByServiceField } from '../../../kernel/http/fields/set-by-service.js';
import { LimitField, OffsetField, PageDto } from '../../../kernel/http/answers/page.js';
import { FieldsField, ValueLimitField } from '../../../kernel/http/lean/lean-fields.js';
import { GRAPH_VIEWS, type GraphView } from '../../common/index.js';
import { RELATIONSHIP_LIMITS } from '../domain/relationship.js';
import { NodeDto } from '../../nodes/index.js';

const FROM = {
  description: 'Id of the node it starts from, as POST or GET /nodes give it; you need edit on it.',
  ...ID,
};
const TO = {
  description: 'Id of the node it leads to, from there too; another one that you can read.',
  example: 'e7a04b93-5c1f-4e28-9b76-2a8d6f3c0e15',
};
const TYPE = {
  min: 1,
  max: RELATIONSHIP_LIMITS.type,
  trim: true,
  description: 'E.g. references, related_to, parent_of, child_of, depends_on, created_by, knows.',
  example: 'references',
};
const STRENGTH = { min: 0, max: 1, nullable: true, example: 0.8 };
const CONTEXT = {
  max: RELATIONSHIP_LIMITS.context,
  nullable: true,
  example: 'Quoted in the second paragraph',
};
const VIEW = { example: 'identity' };
const EMOTION = { max: RELATIONSHIP_LIMITS.emotionType, nullable: true, example: 'positive' };
const SENTIMENT = { min: -1, max: 1, nullable: true, example: 0.4 };

/**
 * Any subset of the fields that may change; the two ends never change. Documents
 * {@link WrittenRelationshipBody}.
 */
export class UpdateRelationshipBody {
  @StringField({ ...TYPE, ...optional })
  relationship_type?: string;

  @NumberField({ ...STRENGTH, ...optional })
  strength?: number | null;

  @NumberField({ ...STRENGTH, ...optional })
  confidence?: number | null;

  @StringField({ ...CONTEXT, ...optional })
  context?: string | null;

  @EnumField(GRAPH_VIEWS, { ...VIEW, ...optional })
  graph_view?: GraphView;

  @StringField({ ...EMOTION, ...optional })
  emotion_type?: string | null;

  @NumberField({ ...SENTIMENT, ...optional })
  sentiment_score?: number | null;
}

/** The accepted body of PUT, see {@link AnyValuesOf}. */
export class WrittenRelationshipBody extends AnyValuesOf(UpdateRelationshipBody) {}

export class CreateRelationshipBody {
  @StringField({ format: 'uuid', ...FROM })
  from_node_id: string;

  @StringField({ format: 'uuid', ...TO })
  to_node_id: string;

  @StringField(TYPE)
  relationship_type: string;

  @NumberField({ ...STRENGTH, ...optional })
  strength?: number | null;

  @NumberField({ ...STRENGTH, ...optional })
  confidence?: number | null;

  @StringField({ ...CONTEXT, ...optional })
  context?: string | null;

  @BooleanField({
    default: false,
    description: 'Also creates the edge in the other direction; you need edit on both nodes.',
  })
  bidirectional: boolean;

  @EnumField(GRAPH_VIEWS, { ...VIEW, default: 'identity' })
  graph_view: GraphView;

  @StringField({ ...EMOTION, ...optional })
  emotion_type?: string | null;

  @NumberField({ ...SENTIMENT, ...optional })
  sentiment_score?: number | null;

  @SetByServiceField()
  created_at?: never;

  @SetByServiceField()
  updated_at?: never;
}

const CUT = { optional: true, nullable: true } as const;
/** The description of fields that move with every change. */
const HIDES = 'Missing when any part of the graph is hidden from you.';

/**
 * A relationship as an app sees it: it may lack fields, by the detail level and the transformations of its
 * profile.
 */
export class RelationshipDto {
  @UuidField(ID)
  id: string;

  @UuidField(ID)
  from_node_id: string;

  @UuidField({ example: TO.example })
  to_node_id: string;

  @StringField({ ...CUT, description: 'Missing at detail minimal.', example: TYPE.example })
  relationship_type?: string | null;

  @NumberField({ ...STRENGTH, ...CUT })
  strength?: number | null;

  @NumberField({ ...STRENGTH, ...CUT })
  confidence?: number | null;

  @StringField({ ...CUT, description: 'Present at detail full.', example: CONTEXT.example })
  context?: string | null;

  @BooleanField({
    ...CUT,
    description: 'True if it was created together with one in the other direction.',
    example: false,
  })
  bidirectional?: boolean | null;

  @EnumField(GRAPH_VIEWS, { ...VIEW, ...CUT })
  graph_view?: GraphView | null;

  @StringField({ ...CUT, description: 'Missing at detail minimal.', example: EMOTION.example })
  emotion_type?: string | null;

  @NumberField({ ...SENTIMENT, ...CUT })
  sentiment_score?: number | null;

  @StringField({ ...CUT, ...ID })
  owner_id?: string | null;

  @DateField({ ...CUT, ...TIME })
  created_at?: string | null;

  @DateField({ ...CUT, ...TIME, description: HIDES })
  updated_at?: string | null;

  @IntegerField({ ...CUT, description: HIDES, example: 1 })
  version?: number | null;
}

export class CreatedRelationshipDto extends RelationshipDto {
  @UuidField({ optional: true, description: 'The edge in the other direction, if bidirectional.', ...ID })
  reverse_relationship_id?: string;
}

export class ListedRelationshipDto extends RelationshipDto {
  @NestedField(() => NodeDto, { optional: true, description: 'With include_nodes.' })
  from_node?: NodeDto;

  @NestedField(() => NodeDto, { optional: true, description: 'With include_nodes.' })
  to_node?: NodeDto;
}

const SELECTED = { of: 'relationships', example: 'relationship_type,strength' };

/** Selects fields of relationships. */
export class RelationshipFieldsQuery {
  @FieldsField(() => RelationshipDto, SELECTED)
  fields?: string[];

  @ValueLimitField()
  value_limit?: number;
}

export class RelationshipListQuery {
  @FieldsField(() => ListedRelationshipDto, { ...SELECTED, example: 'relationship_type,from_node.title' })
  fields?: string[];

  @ValueLimitField()
  value_limit?: number;

  @StringField({ ...optional, description: 'Starting from this node.', ...ID })
  from_node_id?: string;

  @StringField({ ...optional, description: 'Leading to this node.', ...ID })
  to_node_id?: string;

  @StringField({ ...optional, description: 'With this node at either end.', ...ID })
  node_id?: string;

  @StringField({ ...optional, description: 'Exactly this type.', example: TYPE.example })
  relationship_type?: string;

  @EnumField(GRAPH_VIEWS, { default: 'identity', description: 'Only relationships of this view.' })
  view: GraphView;

  @EnumField(['owned', 'shared', 'all'], {
    default: 'all',
    description: 'Own relationships, those that others share with you, or both.',
  })
  access: 'owned' | 'shared' | 'all';

  @BooleanField({ default: false, description: 'Adds `from_node` and `to_node`.' })
  include_nodes: boolean;

  @LimitField({ default: 50, max: 200 })
  limit: number;

  @OffsetField()
  offset: number;
}

export class RelationshipListDto extends PageDto {
  @NestedArrayField(() => ListedRelationshipDto)
  relationships: ListedRelationshipDto[];
}

export class DeletedRelationshipDto {
  @StringField({ example: 'Relationship deleted' })
  message: string;

  @UuidField(ID)
  id: string;
}

export const DIRECTIONS = ['outgoing', 'incoming', 'both'] as const;
/**
 * The number of newest edges in each direction that GET /nodes/:node_id/relationships lists; totals count
 * all.
 */
export const EDGES_EACH_WAY = 1_000;

export class NodeRelationshipsQuery extends RelationshipFieldsQuery {
  @EnumField(DIRECTIONS, {
    default: 'both',
    description: 'Relationships that start from the node (`outgoing`), lead to it (`incoming`), or both.',
  })
  direction: (typeof DIRECTIONS)[number];

  @StringField({ ...optional, description: 'Exactly this type.', example: TYPE.example })
  relationship_type?: string;
}

export class NodeRelationshipsDto {
  @UuidField(ID)
  node_id: string;

  @NestedArrayField(() => RelationshipDto, { description: `The newest ${EDGES_EACH_WAY}.` })
  outgoing: RelationshipDto[];

  @NestedArrayField(() => RelationshipDto, { description: `The newest ${EDGES_EACH_WAY}.` })
  incoming: RelationshipDto[];

  @IntegerField({ min: 0, example: 1, description: 'The total number, even if not all are listed.' })
  total_outgoing: number;

  @IntegerField({ min: 0, example: 0, description: 'The total number, even if not all are listed.' })
  total_incoming: number;
}
