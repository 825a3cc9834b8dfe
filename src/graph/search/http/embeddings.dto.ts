import { ID } from '../../../kernel/http/openapi/examples.js';
import {
  AnyArrayField,
  IntegerField,
  NestedArrayField,
  NumberArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { EMBEDDING_LIMITS } from '../domain/embedding.js';

export const VECTOR = {
  minItems: 1,
  maxItems: EMBEDDING_LIMITS.dimensions,
  description: 'Finite numbers, not all zero. Only its direction counts.',
  example: [0.12, -0.53, 0.84],
};
export const MODEL = {
  optional: true,
  nullable: true,
  min: 1,
  max: EMBEDDING_LIMITS.model,
  example: 'all-MiniLM-L6-v2',
};

export class EmbeddingBody {
  @NumberArrayField(VECTOR)
  embedding: number[];

  @StringField({
    ...MODEL,
    description:
      'The model that computed it. A node has one embedding for each model (or none named) and each length.',
  })
  model?: string | null;
}

export class EmbeddingItemBody extends EmbeddingBody {
  @StringField({ description: 'Id of the node.', ...ID })
  id: string;
}

export class EmbeddingsBody {
  @AnyArrayField({ minItems: 1, maxItems: EMBEDDING_LIMITS.batch, itemType: () => EmbeddingItemBody })
  embeddings: unknown[];
}

export class EmbeddingDto {
  @UuidField({ description: 'Id of the node.', ...ID })
  id: string;

  @UuidField(ID)
  node_id: string;

  @StringField({ nullable: true, example: 'all-MiniLM-L6-v2' })
  model: string | null;

  @IntegerField({ description: 'Its length.', example: 3 })
  dimensions: number;

  @StringField({ example: '2026-03-01T10:00:00.000Z' })
  updated_at: string;
}

class EmbeddingErrorDto {
  @IntegerField({ description: 'The position in the request, from 0.', example: 1 })
  index: number;

  @StringField({ nullable: true, description: 'The id as it was sent.', ...ID })
  id: string | null;

  @StringField({ example: 'Node not found' })
  error: string;

  @StringField({ example: 'NODE_NOT_FOUND' })
  code: string;
}

export class EmbeddingsDto {
  @IntegerField({ description: 'The number of saved items.', example: 1 })
  updated: number;

  @IntegerField({ example: 1 })
  failed: number;

  @NestedArrayField(() => EmbeddingErrorDto)
  errors: EmbeddingErrorDto[];
}
