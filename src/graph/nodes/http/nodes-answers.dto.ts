import { ID } from '../../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  IntegerField,
  NestedArrayField,
  NestedField,
  nullish,
  NumberField,
  ObjectField,
  StringArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { PageDto } from '../../../kernel/http/answers/page.js';
import { type JsonObject } from '../../common/index.js';

class OwnerDto {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'alice' })
  username: string;
}

/**
 * A node as an app sees it: it may lack fields, by the detail level and the transformations of its profile.
 */
export class NodeDto {
  @UuidField(ID)
  id: string;

  @StringField({ ...nullish, example: 'Learn to sail' })
  title?: string | null;

  @StringField({ ...nullish, example: 'Before autumn.' })
  value?: string | null;

  @BooleanField({ optional: true, description: 'True: `value_limit` has cut `value`.', example: true })
  value_truncated?: boolean;

  @StringField({ ...nullish, example: 'GOAL' })
  node_type?: string | null;

  @StringField({ ...nullish, description: 'DATA, CONTEXT or IDENTITY.', example: 'IDENTITY' })
  meaning_level?: string | null;

  @NumberField({ ...nullish, example: 0.8 })
  importance_score?: number | null;

  @ObjectField({ ...nullish, example: { properties: { status: 'active' } } })
  metadata?: JsonObject | null;

  @ObjectField({ ...nullish, example: { agent_name: 'note-reader' } })
  agent_metadata?: JsonObject | null;

  @StringField({ ...nullish, example: null })
  last_modified_by_agent_id?: string | null;

  @StringField({ ...nullish, example: null })
  schema_id?: string | null;

  @StringArrayField({
    ...nullish,
    description: 'Names of the tags that the caller may know.',
    example: ['sea', 'plans'],
  })
  tags?: string[] | null;

  @StringField({ ...nullish, ...ID })
  owner_id?: string | null;

  @StringField({ ...nullish, example: '2026-03-01T10:00:00.000Z' })
  created_at?: string | null;

  @StringField({ ...nullish, example: '2026-03-01T10:00:00.000Z' })
  updated_at?: string | null;

  @IntegerField({ ...nullish, example: 1 })
  version?: number | null;

  @BooleanField({
    optional: true,
    description: "True for another user's node. A single read of an own one lacks it.",
    example: false,
  })
  is_shared?: boolean;
}

export class ListedNodeDto extends NodeDto {
  @NestedField(() => OwnerDto, { optional: true })
  owner?: OwnerDto;

  @StringField({
    optional: true,
    description: 'Present in the list of deleted nodes.',
    example: '2026-03-02T10:00:00.000Z',
  })
  deleted_at?: string;

  @UuidField({
    ...ID,
    optional: true,
    description: 'The node into which a merge has moved this deleted node; for the owner.',
  })
  merged_into?: string;
}

/** A past state of a node. */
export class PastNodeDto extends NodeDto {
  @UuidField({
    ...ID,
    optional: true,
    description: 'The node into which a merge has moved this deleted node; for the owner.',
  })
  merged_into?: string;
}

export class NodesDto extends PageDto {
  @NestedArrayField(() => ListedNodeDto)
  nodes: ListedNodeDto[];
}

export class LookedUpNodesDto {
  @NestedArrayField(() => ListedNodeDto, {
    description: 'The readable ones, in the order of the ids, with their tags.',
  })
  nodes: ListedNodeDto[];

  @BooleanField({
    description: 'True: the answer is full (4 MiB); ask again for the ids behind that of the last node.',
    example: false,
  })
  truncated: boolean;
}

export class NodeCountDto {
  @IntegerField({ example: 42 })
  count: number;
}

class BatchItemDto {
  @IntegerField({ description: 'The position in the request, from 0.', example: 0 })
  index: number;

  @UuidField(ID)
  id: string;

  @StringField({ example: 'Learn to sail' })
  title: string;
}

class BatchErrorDto {
  @IntegerField({ example: 1 })
  index: number;

  @StringField({ nullable: true, example: 'Untyped' })
  title: string | null;

  @StringField({ example: 'node_type: is required' })
  error: string;

  @StringField({ example: 'VALIDATION_ERROR' })
  code: string;
}

class BatchSummaryDto {
  @IntegerField({ example: 2 })
  total: number;

  @IntegerField({ example: 1 })
  created: number;

  @IntegerField({ example: 0 })
  skipped: number;

  @IntegerField({ example: 0 })
  updated: number;

  @IntegerField({ example: 1 })
  errors: number;
}

export class BatchDto {
  @NestedArrayField(() => BatchItemDto)
  created: BatchItemDto[];

  @NestedArrayField(() => BatchItemDto)
  skipped: BatchItemDto[];

  @NestedArrayField(() => BatchItemDto)
  updated: BatchItemDto[];

  @NestedArrayField(() => BatchErrorDto)
  errors: BatchErrorDto[];

  @NestedField(() => BatchSummaryDto)
  summary: BatchSummaryDto;
}

class BulkDeleteErrorDto {
  @StringField(ID)
  node_id: string;

  @StringField({ example: 'Node not found' })
  error: string;

  @StringField({ example: 'NODE_NOT_FOUND' })
  code: string;
}

export class BulkDeleteDto {
  @IntegerField({ description: 'The number of deleted nodes.', example: 1 })
  deleted: number;

  @NestedArrayField(() => BulkDeleteErrorDto)
  errors: BulkDeleteErrorDto[];
}

export class NodeTagDto {
  @UuidField(ID)
  node_id: string;

  @UuidField(ID)
  tag_id: string;

  @NumberField({ nullable: true, example: 0.7 })
  relevance_score: number | null;

  @BooleanField({ example: false })
  is_auto_generated: boolean;

  @StringField({
    optional: true,
    nullable: true,
    description: 'The time, as dates of nodes are shown to you.',
    example: '2026-03-01T10:00:00.000Z',
  })
  created_at?: string | null;
}

export class RemovedNodeTagDto {
  @UuidField(ID)
  node_id: string;

  @UuidField(ID)
  tag_id: string;

  @BooleanField({ example: true })
  removed: boolean;

  @BooleanField({ description: 'True if the node was deleted with its last tag.', example: false })
  node_deleted: boolean;
}
