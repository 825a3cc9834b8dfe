import { AnyValuesOf } from '../../../kernel/http/fields/any-values.js';
import { ID, TIME } from '../../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  StringArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { LimitField, OffsetField, PageField } from '../../../kernel/http/answers/page.js';
import { TAG_NAME_LENGTH } from '../../../privacy/index.js';
import { GRAPH_VIEWS, type GraphView } from '../../common/index.js';
import { TAG_COLOR, TAG_LIMITS } from '../domain/tag.js';

const NAME = { min: 1, max: TAG_NAME_LENGTH, trim: true, isName: true, example: 'work' };
const COLOR = {
  pattern: TAG_COLOR,
  expected: '#RRGGBB',
  nullable: true,
  description: '`#RRGGBB`',
  example: '#3366CC',
};
const CATEGORY = { max: TAG_LIMITS.category, nullable: true, example: 'topic' };
const DESCRIPTION = { max: TAG_LIMITS.description, nullable: true, example: 'Everything about my job' };
const PARENT = { nullable: true, format: 'uuid', ...ID };
const WHOLE = 'Missing for callers who may know only the name of the tag.';

/** The sources of a list: own things, things that others share with the caller, or both. */
const ACCESS_SCOPES = ['owned', 'shared', 'all'] as const;
export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** The fields that creating and changing a tag have in common. */
class TagFieldsBody {
  @StringField({ ...COLOR, optional: true })
  color?: string | null;

  @StringField({ ...CATEGORY, optional: true })
  category?: string | null;

  @StringField({ ...DESCRIPTION, optional: true })
  description?: string | null;
}

export class ThirdPartyTagBody extends TagFieldsBody {
  @StringField({ ...NAME, description: 'Unique among your tags, letter case aside.' })
  name: string;
}

export class CreateTagBody extends ThirdPartyTagBody {
  @StringField({ ...PARENT, optional: true, description: 'The tag above this one.' })
  parent_tag_id?: string | null;
}

/** Any subset of the fields that may change. Documents {@link WrittenTagBody}. */
export class UpdateTagBody extends TagFieldsBody {
  @StringField({ ...NAME, optional: true })
  name?: string;

  @StringField({
    ...PARENT,
    optional: true,
    description: 'The tag above this one; null makes it a top-level tag.',
  })
  parent_tag_id?: string | null;
}

/** The accepted body of PUT, see {@link AnyValuesOf}. */
export class WrittenTagBody extends AnyValuesOf(UpdateTagBody) {}

export class TagDto {
  @UuidField(ID)
  id: string;

  @StringField(NAME)
  name: string;

  @StringField({ ...COLOR, optional: true, description: WHOLE })
  color?: string | null;

  @StringField({ ...CATEGORY, optional: true, description: WHOLE })
  category?: string | null;

  @StringField({ ...DESCRIPTION, optional: true, description: WHOLE })
  description?: string | null;

  @UuidField({
    ...ID,
    nullable: true,
    optional: true,
    description: `${WHOLE} Null also for a parent you may not know.`,
  })
  parent_tag_id?: string | null;

  @UuidField({ ...ID, optional: true, description: WHOLE })
  owner_id?: string;

  @DateField({ ...TIME, optional: true, description: WHOLE })
  created_at?: string;

  @DateField({
    ...TIME,
    optional: true,
    description: 'Missing when any part of the graph is hidden from you.',
  })
  updated_at?: string;
}

export class CreatedTagDto {
  @UuidField(ID)
  id: string;

  @StringField(NAME)
  name: string;

  @StringField(COLOR)
  color: string | null;

  @StringField(CATEGORY)
  category: string | null;

  @StringField(DESCRIPTION)
  description: string | null;

  @UuidField({ ...ID, nullable: true })
  parent_tag_id: string | null;

  @UuidField(ID)
  owner_id: string;

  @DateField(TIME)
  created_at: string;

  @DateField(TIME)
  updated_at: string;

  @StringField({
    optional: true,
    description:
      'To the owner alone, and only where there is one: the name of another tag of theirs that looks alike, such as by letters of another script.',
    example: 'private',
  })
  confusable_with?: string;
}

export class TaggedNodeDto {
  @UuidField(ID)
  id: string;

  @StringField({
    optional: true,
    nullable: true,
    example: 'Learn to sail',
    description: 'Missing at detail minimal.',
  })
  title?: string | null;
}

export const NODES_EACH = 10;

export class ListedTagDto extends TagDto {
  @NestedArrayField(() => TaggedNodeDto, {
    optional: true,
    description: `With include_nodes: the ${NODES_EACH} newest of the nodes with this tag that you can read.`,
  })
  nodes?: TaggedNodeDto[];

  @IntegerField({
    min: 0,
    optional: true,
    example: 12,
    description:
      'With include_nodes: their total number, in `view`. With include_node_counts: the number of nodes that GET /nodes finds by the tag, own and shared ones of both graph views; at least, where `truncated` is true.',
  })
  node_count?: number;
}

export class TagListQuery {
  @StringField({
    max: 200,
    optional: true,
    description: 'Part of the name, letter case aside; every character is literal.',
  })
  search?: string;

  @StringField({
    optional: true,
    description: 'Exactly this category. Finds only tags that you are shown as a whole.',
    example: 'topic',
  })
  category?: string;

  @StringField({
    optional: true,
    format: 'uuid',
    description: 'Children of this tag. Finds only tags that you are shown as a whole.',
    ...ID,
  })
  parent_tag_id?: string;

  @EnumField(ACCESS_SCOPES, {
    default: 'all',
    description: 'Own tags, tags on nodes that others share with you, or both.',
  })
  access: AccessScope;

  @BooleanField({ default: false, description: 'Adds `nodes` and `node_count` to each tag.' })
  include_nodes: boolean;

  @BooleanField({
    default: false,
    description:
      'Adds `node_count` to each tag. With include_nodes, which counts the nodes of one view, it adds nothing.',
  })
  include_node_counts: boolean;

  @EnumField(GRAPH_VIEWS, {
    default: 'identity',
    description: 'The graph view of the nodes that include_nodes adds. Tags belong to both views.',
  })
  view: GraphView;

  @PageField()
  page: number;

  @LimitField({ default: 50, max: 200 })
  per_page: number;

  @LimitField({ max: 200, goesBefore: 'per_page' })
  limit?: number;

  @OffsetField({ goesBefore: 'page' })
  offset?: number;
}

export class TagListDto {
  @NestedArrayField(() => ListedTagDto)
  tags: ListedTagDto[];

  @IntegerField({ min: 0, example: 1, description: 'The total number of matching tags.' })
  total: number;

  @IntegerField({
    min: 0,
    example: 50,
    description: 'The applied page size: the number of tags where their size ended the page.',
  })
  limit: number;

  @IntegerField({ min: 0, example: 0 })
  offset: number;

  @IntegerField({ min: 1, example: 1 })
  page: number;

  @IntegerField({ min: 1, example: 50 })
  per_page: number;

  @BooleanField({
    description:
      'True: people who share with you have more tags or nodes than are looked at. Your own tags are complete.',
    example: false,
  })
  truncated: boolean;
}

export class DeletedTagDto {
  @StringField({ example: 'Tag deleted' })
  message: string;

  @UuidField(ID)
  id: string;

  @IntegerField({
    min: 0,
    example: 3,
    description: 'The number of living nodes with the tag that you can read.',
  })
  affected_nodes: number;
}

export class BulkDeleteTagsBody {
  @StringArrayField({
    minItems: 1,
    maxItems: 100,
    description: 'Ids of tags, from GET /tags.',
    example: [ID.example],
  })
  tag_ids: string[];
}

export class BulkDeletedTagsDto {
  @IntegerField({ min: 0, example: 1 })
  deleted_count: number;

  @StringArrayField({ description: 'Sent ids that are not a tag you may know.', example: [] })
  not_found_ids: string[];

  @StringField({ example: '1 tag deleted' })
  message: string;
}
