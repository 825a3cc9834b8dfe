import {
  BooleanField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  NumberArrayField,
  NumberField,
  StringField,
} from '../../../kernel/http/fields/fields.js';
import { AppliedLimitField, LimitField } from '../../../kernel/http/answers/page.js';
import { GRAPH_VIEWS, type GraphView } from '../../common/index.js';
import { MODEL, VECTOR } from './embeddings.dto.js';
import { ListedNodeDto } from '../../nodes/index.js';

const MATCHES = ['any', 'all'] as const;

class SearchOptionsBody {
  @StringField({ ...MODEL, description: 'Only embeddings of this model; absent: any model.' })
  model?: string | null;

  @LimitField({ default: 10, max: 100 })
  limit: number;

  @NumberField({ default: 0, description: 'The minimum cosine similarity, -1 to 1.', example: 0 })
  min_score: number;

  @EnumField(GRAPH_VIEWS, { default: 'identity' })
  graph_view: GraphView;
}

export class VectorSearchBody extends SearchOptionsBody {
  @NumberArrayField({ ...VECTOR, description: 'Compared with embeddings of the same length only.' })
  embedding: number[];
}

export class SearchBody extends SearchOptionsBody {
  @StringField({
    optional: true,
    min: 1,
    max: 1000,
    description:
      'A question, or words of title or value. Letter case, accents and endings do not matter; nodes with more of the words come first.',
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

class SearchHitDto extends ListedNodeDto {
  @NumberField({ description: 'Sum of 1 / (60 + rank) over the halves that found it.', example: 0.0325 })
  score: number;

  @NestedField(() => ScoresDto)
  scores: ScoresDto;
}

export class SearchHitsDto {
  @NestedArrayField(() => SearchHitDto)
  nodes: SearchHitDto[];

  @IntegerField({ description: 'The number of readable nodes that either half finds.', example: 1 })
  total: number;

  @AppliedLimitField()
  limit: number;
}
