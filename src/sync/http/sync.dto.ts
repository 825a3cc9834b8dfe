import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { NodeDto, RelationshipDto, TagDto } from '../../graph/index.js';
import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  StringField,
} from '../../kernel/http/fields/fields.js';
import { AppliedLimitField, LimitField } from '../../kernel/http/answers/page.js';
import { PART_NAMES, type PartName } from '../domain/replica.js';

const CURSOR = 'q0Xh3sJt7nL2v5w8yB1dF4gK6mP9rT0uX3zA5cE7hJ2kM4nQ6sV8';
const TIME = '2026-03-01T10:00:00.000Z';
const ID = '9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94';
const LONGEST_WAIT = 30;

const CURSOR_FIELD = {
  optional: true,
  description: 'The cursor of the previous page; leave it out to begin with everything that you can see.',
} as const;
const SCOPE_FIELD = {
  default: 'all',
  description: '`all`, `tag:<uuid>` or `schema:<uuid>`. Each scope has cursors of its own.',
} as const;

/** Options for the content of a page or an event; the cursor stores of them only which parts the replica holds. */
class EntriesQuery {
  @StringField(CURSOR_FIELD)
  cursor?: string;

  @StringField(SCOPE_FIELD)
  scope: string;

  @LimitField({ default: 100, max: 1000 })
  limit: number;

  @BooleanField({ default: false, description: 'Send the ids of nodes instead of the nodes.' })
  ids_only: boolean;

  @BooleanField({ default: false, description: 'Include the names of tags in the nodes.' })
  include_tags: boolean;

  @EnumField(['relationships', 'tags', 'relationships,tags', 'tags,relationships'], {
    optional: true,
    description: 'Parts that the replica holds beside nodes. Each entry then names its `entity`.',
  })
  include?: string;
}

/** The parts that a query includes, in the order of delivery. */
export function includedIn({ include = '' }: Pick<EntriesQuery, 'include'>): PartName[] {
  const named = include.split(',');
  return PART_NAMES.filter((name) => named.includes(name));
}

export class SyncQuery extends EntriesQuery {
  @IntegerField({
    default: 0,
    min: 0,
    max: LONGEST_WAIT,
    description: 'Seconds to wait if there are no changes: the answer comes as soon as there are.',
  })
  wait: number;
}

export class SyncStreamQuery extends EntriesQuery {
  @StringField({
    ...CURSOR_FIELD,
    description: `${CURSOR_FIELD.description} \`Last-Event-ID\` takes precedence.`,
  })
  declare cursor?: string;

  @EnumField(['now'], {
    optional: true,
    description:
      'Begin with the changes after this request, without what is there already; in place of a cursor. Moves no position.',
  })
  from?: 'now';

  @StringField({
    optional: true,
    description: 'From `POST /sync/ticket`, in place of a credential; it opens one stream.',
  })
  ticket?: string;
}

export class SyncTicketDto {
  @StringField({
    description: 'For `GET /sync/stream?ticket=…`, once.',
    example: 'wJ3n0bq8kR5tZ1xV7yC4mL9aF2sD6gH0pE8uI5oT3rQ',
  })
  ticket: string;

  @DateField({ example: TIME })
  expires_at: string;
}

const VERSION = {
  description:
    "The owner's sequence number of the node's last change; for an app that may not see all of the graph, the number of this entry, counted from 1 for each replica.",
  example: 42,
};
const TIMESTAMP = {
  nullable: true,
  description: 'The time of that change, or of the change of rules or of a tag that caused the entry.',
  example: TIME,
};

class CreatedEntryDto {
  @ApiProperty({ enum: ['node'], required: false, description: 'With `include`.', example: 'node' })
  entity?: string;

  @ApiProperty({ enum: ['create'], example: 'create' })
  action: string;

  @StringField(TIMESTAMP)
  timestamp: string | null;

  @IntegerField(VERSION)
  version: number;

  @IntegerField({ optional: true, description: "The node's own version.", example: 1 })
  node_version?: number;

  @ApiProperty({ type: () => NodeDto })
  node: NodeDto;
}

class UpdatedEntryDto extends CreatedEntryDto {
  @ApiProperty({ enum: ['update'], example: 'update' })
  override action: string;

  @ApiProperty({
    type: [String],
    description: 'Fields that you were shown with another value before; never updated_at and version.',
    example: ['title'],
  })
  changed_fields: string[];
}

class DeletedEntryDto {
  @ApiProperty({ enum: ['node'], required: false, description: 'With `include`.', example: 'node' })
  entity?: string;

  @ApiProperty({ enum: ['delete'], example: 'delete' })
  action: string;

  @StringField(TIMESTAMP)
  timestamp: string | null;

  @IntegerField(VERSION)
  version: number;

  @StringField({ example: ID })
  node_id: string;

  @StringField({
    nullable: true,
    description: 'The last title that you could see.',
    example: 'Learn to sail',
  })
  deleted_title: string | null;

  @ApiProperty({ enum: ['deleted', 'access_removed', 'scope_left'], example: 'deleted' })
  reason: string;
}

class IdEntryDto {
  @ApiProperty({ enum: ['node'], required: false, description: 'With `include`.', example: 'node' })
  entity?: string;

  @ApiProperty({ enum: ['create', 'update', 'delete'], example: 'update' })
  action: string;

  @StringField(TIMESTAMP)
  timestamp: string | null;

  @IntegerField(VERSION)
  version: number;

  @StringField({ example: ID })
  node_id: string;
}

/** An entry of a relationship or tag. */
class PartEntryDto {
  @ApiProperty({ enum: ['create', 'update', 'delete'], example: 'create' })
  action: string;

  @StringField({ ...TIMESTAMP, description: 'Null for callers from whom anything of the graph is hidden.' })
  timestamp: string | null;

  @IntegerField(VERSION)
  version: number;

  @ApiProperty({
    type: [String],
    required: false,
    description: 'In an update: fields that you were shown with another value before.',
    example: ['strength'],
  })
  changed_fields?: string[];

  @ApiProperty({
    enum: ['deleted', 'access_removed', 'scope_left'],
    required: false,
    description: 'In a deletion.',
    example: 'deleted',
  })
  reason?: string;
}

class RelationshipEntryDto extends PartEntryDto {
  @ApiProperty({ enum: ['relationship'], example: 'relationship' })
  entity: string;

  @ApiProperty({ type: () => RelationshipDto, required: false })
  relationship?: RelationshipDto;

  @StringField({ optional: true, description: 'In a deletion, and with `ids_only`.', example: ID })
  relationship_id?: string;
}

class TagEntryDto extends PartEntryDto {
  @ApiProperty({ enum: ['tag'], example: 'tag' })
  entity: string;

  @ApiProperty({ type: () => TagDto, required: false })
  tag?: TagDto;

  @StringField({ optional: true, description: 'In a deletion, and with `ids_only`.', example: ID })
  tag_id?: string;
}

class SyncStatsDto {
  @IntegerField({ example: 1 })
  created: number;

  @IntegerField({ example: 0 })
  updated: number;

  @IntegerField({ example: 0 })
  deleted: number;

  @IntegerField({ example: 1 })
  total: number;
}

const ENTRIES = [
  CreatedEntryDto,
  UpdatedEntryDto,
  DeletedEntryDto,
  IdEntryDto,
  RelationshipEntryDto,
  TagEntryDto,
];

@ApiExtraModels(...ENTRIES)
export class SyncPageDto {
  @ApiProperty({
    type: 'array',
    description: 'The entries, to be applied in this order.',
    items: { anyOf: ENTRIES.map((entry) => ({ $ref: getSchemaPath(entry) })) },
  })
  changes: object[];

  @StringField({
    description: 'The cursor for the next page; the last page has one as well. It never expires.',
    example: CURSOR,
  })
  cursor: string;

  @BooleanField({
    description: 'True if there is another page to request at once, with the cursor.',
    example: false,
  })
  has_more: boolean;

  @AppliedLimitField()
  limit: number;

  @ApiProperty({ type: () => SyncStatsDto, description: 'Counts of this page.' })
  stats: SyncStatsDto;
}

class ScopeStatusDto {
  @StringField({ description: 'The time of the last pull of the app.', example: TIME })
  last_sync_at: string;

  @IntegerField({ description: 'The number up to which everything was delivered.', example: 42 })
  last_version_seen: number;

  @IntegerField({ description: 'Entries that pulls would give; at most 1,000 are counted.', example: 0 })
  pending_changes: number;

  @ApiProperty({ type: Boolean, description: 'There are more than were counted.', example: false })
  pending_more: boolean;
}

@ApiExtraModels(ScopeStatusDto)
export class SyncStatusDto {
  @IntegerField({
    description:
      'The newest sequence number of the graph; for an app that may not see all of it the number of the last pending entry of scope `all`.',
    example: 42,
  })
  total_versions: number;

  @StringField({
    nullable: true,
    description: 'The time of the newest change that you can see.',
    example: TIME,
  })
  latest_change: string | null;

  @StringField({ nullable: true, description: 'The last pull of this app, in any scope.', example: TIME })
  last_sync_at: string | null;

  @IntegerField({
    description: 'Entries that pulls of scope `all` would give; at most 1,000 are counted.',
    example: 0,
  })
  pending_changes: number;

  @ApiProperty({ type: Boolean, description: 'There are more than were counted.', example: false })
  pending_more: boolean;

  @ApiProperty({
    selfRequired: false,
    description: 'For apps: the positions by scope, for the 50 scopes that were synchronized last.',
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(ScopeStatusDto) },
    example: { all: { last_sync_at: TIME, last_version_seen: 42, pending_changes: 0, pending_more: false } },
  })
  scopes?: Record<string, ScopeStatusDto>;
}
