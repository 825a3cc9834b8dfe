import {
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
    max: 200,
    description: 'Words of title or value: all must match, in any letter case; the last one may be a prefix.',
    example: 'learn sail',
  })
  query?: string;

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

  @NumberField({ description: 'Weight of the matching words, or cosine.', example: 0.93 })
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
