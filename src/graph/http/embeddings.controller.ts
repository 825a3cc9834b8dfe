import { Body, Controller, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { boundItem, nameOfItem } from '../../kernel/http/batch-items.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { EmbeddingsService } from '../application/embeddings.service.js';
import { type Node } from '../domain/node.js';
import {
  EmbeddingBody,
  EmbeddingDto,
  EmbeddingItemBody,
  EmbeddingsBody,
  EmbeddingsDto,
} from './embeddings.dto.js';

/** Vectors of nodes. They come from callers; the service computes none. */
@ApiTags('Embeddings')
@Controller('nodes')
export class EmbeddingsController {
  constructor(private readonly embeddings: EmbeddingsService) {}

  @Put('batch/embeddings')
  @Endpoint({
    summary: 'Set embeddings of up to 100 nodes',
    description:
      'What is wrong with one item undoes no other. Nodes that are unknown or invisible are errors of the answer.',
    requires: { callers: 'any' },
    answers: EmbeddingsDto,
  })
  async putMany(@CurrentAccess() access: Access, @Body() body: EmbeddingsBody): Promise<EmbeddingsDto> {
    const entries = body.embeddings.map((item) => ({
      id: nameOfItem(item, 'id'),
      body: boundItem(EmbeddingItemBody, item),
    }));
    const { updated, errors } = await this.embeddings.putMany(access, entries);
    return {
      updated,
      failed: errors.length,
      errors: errors.map(({ index, id, error }) => ({ index, id, error: error.message, code: error.code })),
    };
  }

  @Put(':node_id/embedding')
  @Endpoint({
    summary: "Set a node's embedding",
    description:
      'Replaces the one of the same model and length; others stay. The node itself does not change: no version, no entry of a sync.',
    requires: { callers: 'any', resource: { kind: 'node', param: 'node_id', verb: 'edit' } },
    answers: EmbeddingDto,
  })
  async put(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Body() body: EmbeddingBody,
  ): Promise<EmbeddingDto> {
    const { nodeId, model, dimensions, updatedAt } = await this.embeddings.put(access, located, body);
    return { id: nodeId, node_id: nodeId, model, dimensions, updated_at: updatedAt.toISOString() };
  }
}
