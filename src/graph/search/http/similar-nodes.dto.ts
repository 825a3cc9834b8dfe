import {
  BooleanField,
  EnumField,
  NestedArrayField,
  NumberField,
} from '../../../kernel/http/fields/fields.js';
import { LimitField } from '../../../kernel/http/answers/page.js';
import { FieldsField, ValueLimitField } from '../../../kernel/http/lean/lean-fields.js';
import { ListedNodeDto } from '../../nodes/index.js';
import { MOST_SIMILAR, SIMILAR_REASONS } from '../application/similar-nodes.service.js';

export class SimilarNodesQuery {
  @LimitField({ default: 10, max: MOST_SIMILAR })
  limit: number;

  @FieldsField(() => SimilarNodeDto)
  fields?: string[];

  @ValueLimitField()
  value_limit?: number;
}

class SimilarNodeDto extends ListedNodeDto {
  @NumberField({
    min: 0,
    max: 1,
    description: 'The likeness of the titles, or the cosine similarity of the vectors.',
    example: 0.92,
  })
  similarity: number;

  @EnumField(SIMILAR_REASONS, { description: 'The strongest one that holds.', example: 'similar_title' })
  reason: string;
}

export class SimilarNodesDto {
  @NestedArrayField(() => SimilarNodeDto, { description: 'The most similar first, with their tags.' })
  nodes: SimilarNodeDto[];

  @BooleanField({ description: 'True: there are more similar nodes than the answer has.', example: false })
  truncated: boolean;
}
