import {
  AnyArrayField,
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  NumberArrayField,
  NumberField,
  StringArrayField,
  StringField,
} from '../../../kernel/http/fields/fields.js';
import { AppliedLimitField, LimitField } from '../../../kernel/http/answers/page.js';
import { FieldsListField, ValueLimitField } from '../../../kernel/http/lean/lean-fields.js';
import {
  GRAPH_VIEWS,
  type GraphView,
  MEANING_LEVELS,
  type MeaningLevel,
  PROPERTY_LIMITS,
} from '../../common/index.js';
import { QUERY_VECTORS, type QueryVectorState } from '../application/query-vectors.service.js';
import { MODEL, VECTOR } from './embeddings.dto.js';
import { ListedNodeDto } from '../../nodes/index.js';

const MATCHES = ['any', 'all'] as const;
const SCALAR = { oneOf: [{ type: 'string', maxLength: PROPERTY_LIMITS.text }, { type: 'number' }] };
const PROPERTY_FILTER = {
  type: 'object',
  description:
    'The path of a value, keys below `metadata.properties` joined by dots, and at least one comparison.',
  required: ['path'],
  additionalProperties: false,
  properties: {
    path: { type: 'string', minLength: 1, maxLength: PROPERTY_LIMITS.path, example: 'address.city' },
    eq: { oneOf: [...SCALAR.oneOf, { type: 'boolean' }] },
    ...Object.fromEntries(['gt', 'gte', 'lt', 'lte'].map((operator) => [operator, SCALAR])),
  },
};
const FILTER = { optional: true, minItems: 1, maxItems: 100, each: { min: 1, max: 255 } };

class SearchOptionsBody {
  @StringField({ ...MODEL, description: 'Only embeddings of this model; absent: any model.' })
  model?: string | null;

  @LimitField({ default: 10, max: 100 })
  limit: number;

  @NumberField({ default: 0, description: 'The minimum cosine similarity, -1 to 1.', example: 0 })
  min_score: number;

  @EnumField(GRAPH_VIEWS, { default: 'identity' })
  graph_view: GraphView;

  @ValueLimitField()
  value_limit?: number;
}

export class VectorSearchBody extends SearchOptionsBody {
  @NumberArrayField({ ...VECTOR, description: 'Compared with embeddings of the same length only.' })
  embedding: number[];

  @FieldsListField(() => VectorHitDto)
  fields?: string[];
}

export class SearchBody extends SearchOptionsBody {
  @StringField({
    optional: true,
    min: 1,
    max: 1000,
    description:
      'A question, or words of title, value, type, properties or tags. Letter case, accents and endings do not matter; nodes with more of the words come first.',
    example: 'Where did I learn to sail?',
  })
  query?: string;

  @EnumField(MATCHES, {
    default: 'any',
    description:
      '`any`: nodes with at least one word are found; small words ("the", "where") count only if the query has no others. `all`: nodes with every word.',
  })
  match: (typeof MATCHES)[number];

  @BooleanField({
    default: false,
    description: 'True: the last word may be the beginning of a longer one, for search as you type.',
  })
  prefix: boolean;

  @NumberArrayField({
    ...VECTOR,
    optional: true,
    description: 'Compared with embeddings of the same length only.',
  })
  embedding?: number[];

  @EnumField(['owned', 'shared', 'all'], {
    default: 'all',
    description: 'Own nodes, those that others share with you, or both.',
  })
  access: 'owned' | 'shared' | 'all';

  @StringArrayField({
    ...FILTER,
    description: 'Only nodes with any of these tags, by their ids from GET /tags.',
    example: ['6f1c1c1e-5d0a-4c62-9d52-0c4f6a3b9a11'],
  })
  tag_ids?: string[];

  @StringArrayField({ ...FILTER, description: 'Only nodes of any of these types.', example: ['GOAL'] })
  node_types?: string[];

  @EnumField(MEANING_LEVELS, { optional: true, description: 'Only nodes of this meaning level.' })
  meaning_level?: MeaningLevel;

  @StringArrayField({
    ...FILTER,
    description: 'Only nodes of any of these schemas; `__freeform__` stands for nodes without one.',
    example: ['__freeform__'],
  })
  schema_ids?: string[];

  @DateField({
    optional: true,
    description:
      'Only nodes that were created at this time or later. A node whose time of creation is rounded for the caller is not found by it.',
    example: '2026-01-01T00:00:00Z',
  })
  created_from?: Date;

  @DateField({
    optional: true,
    description: 'Only nodes that were created before this time.',
    example: '2030-01-01T00:00:00Z',
  })
  created_before?: Date;

  @AnyArrayField({
    optional: true,
    minItems: 1,
    maxItems: PROPERTY_LIMITS.filters,
    items: PROPERTY_FILTER,
    description:
      'Only nodes with these values in `metadata.properties`, as the caller is shown them. Texts are compared by their characters, and so are ISO dates.',
    example: [{ path: 'status', eq: 'active' }],
  })
  properties?: unknown[];

  @BooleanField({
    default: false,
    description: 'Adds `highlights`: the part of title and value with the most words of the query, marked.',
  })
  highlights: boolean;

  @IntegerField({ default: 0, min: 0, max: 10_000, description: 'The number of hits to skip.' })
  offset: number;

  @FieldsListField(() => SearchHitDto)
  fields?: string[];
}

class VectorHitDto extends ListedNodeDto {
  @NumberField({ description: 'The cosine similarity.', example: 0.93 })
  similarity_score: number;
}

export class VectorHitsDto {
  @NestedArrayField(() => VectorHitDto)
  nodes: VectorHitDto[];

  @IntegerField({
    description: 'The number of readable nodes with such an embedding and at least the minimum score.',
    example: 1,
  })
  total: number;

  @AppliedLimitField()
  limit: number;
}

class HalfScoreDto {
  @IntegerField({ description: 'The rank in this half, from 1.', example: 1 })
  rank: number;

  @NumberField({
    description:
      'Words: how many of the query matched, and below 1 how prominent they are. Vectors: the cosine.',
    example: 2.13,
  })
  score: number;
}

class ScoresDto {
  @NestedField(() => HalfScoreDto, { nullable: true, description: 'Null: not found by its words.' })
  text: HalfScoreDto | null;

  @NestedField(() => HalfScoreDto, { nullable: true, description: 'Null: not found by its embedding.' })
  vector: HalfScoreDto | null;
}

class SnippetPartDto {
  @StringField({ example: 'Learn to ' })
  text: string;

  @BooleanField({ description: 'True: a word of the query.', example: false })
  marked: boolean;
}

class HighlightDto {
  @EnumField(['title', 'value'], { example: 'title' })
  field: 'title' | 'value';

  @NestedArrayField(() => SnippetPartDto, {
    description: 'The snippet is their texts together; `…` at its ends stands for what is left out.',
  })
  parts: SnippetPartDto[];
}

class CorrectionDto {
  @StringField({ description: 'A word of the query that no readable node has.', example: 'harbuor' })
  word: string;

  @StringArrayField({
    description: 'The stems of the words that were searched instead.',
    example: ['harbour'],
  })
  sought: string[];
}

class SearchHitDto extends ListedNodeDto {
  @NumberField({ description: 'Sum of 1 / (60 + rank) over the halves that found it.', example: 0.0325 })
  score: number;

  @NestedField(() => ScoresDto)
  scores: ScoresDto;

  @NestedArrayField(() => HighlightDto, {
    optional: true,
    description:
      'With `highlights`: cut from title and value as the caller is shown them. A replay by Idempotency-Key has none.',
  })
  highlights?: HighlightDto[];
}

export class SearchHitsDto {
  @NestedArrayField(() => SearchHitDto)
  nodes: SearchHitDto[];

  @IntegerField({ description: 'The number of readable nodes that either half finds.', example: 1 })
  total: number;

  @AppliedLimitField()
  limit: number;

  @IntegerField({ min: 0, example: 0 })
  offset: number;

  @NestedArrayField(() => CorrectionDto, {
    description: 'Misspelt words. A replay by Idempotency-Key has none.',
  })
  corrections: CorrectionDto[];

  @EnumField(QUERY_VECTORS, {
    description:
      '`off`: searched by words alone; `given`: also by the `embedding` of the request; `computed`: also by a vector of the query, which the service has computed; `unavailable`: it could not compute one now, so the search is by words alone.',
    example: 'off',
  })
  vectors: QueryVectorState;
}
