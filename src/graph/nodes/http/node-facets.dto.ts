import {
  BooleanField,
  IntegerField,
  NestedArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { ID } from '../../../kernel/http/openapi/examples.js';
import { MOST_VALUES } from '../domain/facet-counts.js';

const COUNT = { min: 0, description: 'The number of nodes.', example: 12 };
const values = (name: string): string =>
  `The ${MOST_VALUES} ${name} with most nodes, the most frequent first, equally frequent ones by name.`;
const total = (name: string) => ({ min: 0, description: `The number of all such ${name}.`, example: 1 });

class TagFacetDto {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'work' })
  name: string;

  @IntegerField(COUNT)
  count: number;
}

class NodeTypeFacetDto {
  @StringField({ description: 'As the nodes have it written.', example: 'GOAL' })
  node_type: string;

  @IntegerField(COUNT)
  count: number;
}

class MeaningLevelFacetDto {
  @StringField({ example: 'IDENTITY' })
  meaning_level: string;

  @IntegerField(COUNT)
  count: number;
}

class SchemaFacetDto {
  @StringField({ description: 'The id; `__freeform__` for nodes without a schema.', example: '__freeform__' })
  id: string;

  @StringField({
    nullable: true,
    description: 'Null for nodes without a schema, and for a schema that you cannot see.',
    example: null,
  })
  name: string | null;

  @IntegerField(COUNT)
  count: number;
}

class MonthFacetDto {
  @StringField({
    description:
      'Of the time of creation as you are shown it, in UTC. A time that is rounded to its year counts in January.',
    example: '2026-03',
  })
  month: string;

  @IntegerField(COUNT)
  count: number;
}

/**
 * The nodes of a list, counted by what the list shows of each. A field that the caller is not shown of a node counts
 * nowhere.
 */
export class NodeFacetsDto {
  @IntegerField({ min: 0, description: 'The number of all nodes, as `total` of the list.', example: 12 })
  total: number;

  @NestedArrayField(() => TagFacetDto, {
    description: `${values('tags')} A node counts with each of its tags. Empty at detail minimal.`,
  })
  tags: TagFacetDto[];

  @IntegerField(total('tags'))
  tags_total: number;

  @BooleanField({
    description:
      'True: tags of people who share with you are left out, as in GET /tags. Your own tags are complete.',
    example: false,
  })
  tags_truncated: boolean;

  @NestedArrayField(() => NodeTypeFacetDto, {
    description: `${values('node types')} The filter \`node_type\` also finds other spellings of a type.`,
  })
  node_types: NodeTypeFacetDto[];

  @IntegerField(total('types'))
  node_types_total: number;

  @NestedArrayField(() => MeaningLevelFacetDto, {
    description: 'The meaning levels, the most frequent first.',
  })
  meaning_levels: MeaningLevelFacetDto[];

  @NestedArrayField(() => SchemaFacetDto, {
    description: `The ${MOST_VALUES} schemas with most nodes, the most frequent first, equally frequent ones by id.`,
  })
  schemas: SchemaFacetDto[];

  @IntegerField(total('schemas'))
  schemas_total: number;

  @NestedArrayField(() => MonthFacetDto, {
    description: `The ${MOST_VALUES} months with most nodes, the most frequent first, equally frequent ones by time.`,
  })
  months: MonthFacetDto[];

  @IntegerField(total('months'))
  months_total: number;
}
