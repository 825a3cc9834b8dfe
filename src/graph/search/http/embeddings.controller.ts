import { Body, Controller, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { boundItem, nameOfItem } from '../../../kernel/http/bodies/batch-items.js';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { mapInSlices } from '../../../kernel/slices.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { EmbeddingsService } from '../application/embeddings.service.js';
import { type Node, NodePresenter } from '../../nodes/index.js';
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
  constructor(
    private readonly embeddings: EmbeddingsService,
    private readonly presenter: NodePresenter,
  ) {}

  @Put('batch/embeddings')
  @Endpoint({
    summary: 'Set embeddings of up to 100 nodes',
    description:
      'What is wrong with one item undoes no other. Nodes that are unknown or invisible are errors of the answer.',
    requires: { callers: 'any' },
    answers: EmbeddingsDto,
  })
  async putMany(@CurrentAccess() access: Access, @Body() body: EmbeddingsBody): Promise<EmbeddingsDto> {
    const entries = await mapInSlices(body.embeddings, (item, index) => ({
      id: nameOfItem(item, 'id'),
      body: boundItem(EmbeddingItemBody, item, `embeddings.${index}`),
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
      'Replaces the one of the same model and length; others stay. The node itself does not change: no version, no entry of a sync. With `If-Match` it is set ' +
      'only while the node is the version that it was computed from.',
    requires: { callers: 'any', resource: { kind: 'node', param: 'node_id', verb: 'edit' } },
    answers: EmbeddingDto,
    errors: ['PRECONDITION_FAILED'],
  })
  async put(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Body() given: EmbeddingBody,
    @Req() request: Request,
  ): Promise<EmbeddingDto> {
    const precondition = this.presenter.ifMatch(access, request);
    const saved = await this.embeddings.put(access, located, { given, precondition });
    const { nodeId, model, dimensions, updatedAt } = saved;
    return { id: nodeId, node_id: nodeId, model, dimensions, updated_at: updatedAt.toISOString() };
  }
}
