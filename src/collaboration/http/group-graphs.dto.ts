import {
  BooleanField,
  EnumField,
  IntegerField,
  NestedArrayField,
  StringField,
} from '../../kernel/http/fields/fields.js';
import { LimitField, OffsetField } from '../../kernel/http/answers/page.js';
import {
  GRAPH_VIEWS,
  type GraphView,
  ListedNodeFieldsQuery,
  MEANING_LEVELS,
  type MeaningLevel,
  TagDto,
} from '../../graph/index.js';

export class GroupNodesQuery extends ListedNodeFieldsQuery {
  @StringField({ optional: true, description: 'Exactly this type.', example: 'GOAL' })
  node_type?: string;

  @EnumField(MEANING_LEVELS, { optional: true, description: 'Only nodes of this level.' })
  meaning_level?: MeaningLevel;

  @EnumField(GRAPH_VIEWS, { optional: true, description: 'Only nodes of this view.' })
  graph_view?: GraphView;

  @StringField({
    optional: true,
    max: 200,
    description: 'Part of the title or the value, in any letter case.',
  })
  search?: string;

  @BooleanField({ default: false, description: 'Adds the tags of each node.' })
  include_tags: boolean;

  @LimitField({ default: 20, max: 100 })
  limit: number;

  @OffsetField()
  offset: number;
}

export class GroupTagsQuery {
  @LimitField({ default: 1_000, max: 1_000 })
  limit: number;

  @OffsetField()
  offset: number;
}

export class GroupTagsDto {
  @NestedArrayField(() => TagDto)
  tags: TagDto[];

  @IntegerField({ min: 0, example: 1, description: 'The total number of tags that you may know.' })
  total: number;

  @IntegerField({
    min: 0,
    example: 1000,
    description: 'The applied page size: the number of tags where their size ended the page.',
  })
  limit: number;

  @IntegerField({ min: 0, example: 0 })
  offset: number;
}
