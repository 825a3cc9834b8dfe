import { Body, Controller, type OnModuleInit, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { endOfTimeBucket } from '../../../kernel/http/answers/time-buckets.js';
import { boundItem, nameOfItem } from '../../../kernel/http/bodies/batch-items.js';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { rememberSource, Replays } from '../../../kernel/http/idempotency.js';
import { begunAt } from '../../../kernel/http/request-id.middleware.js';
import { mapInSlices } from '../../../kernel/slices.js';
import { type Access, accessOf, CurrentAccess } from '../../../privacy/index.js';
import { type BatchItem, type BatchOutcome, NodesBatchService } from '../application/nodes-batch.service.js';
import { type BulkDeletion, NodesBulkDeleteService } from '../application/nodes-bulk-delete.service.js';
import { BatchDto, BulkDeleteDto } from './nodes-answers.dto.js';
import { BatchBody, BulkDeleteBody, CreateNodeBody } from './nodes.dto.js';
import { ReplayedNodes } from './replayed-nodes.js';
import { nodeNotFound } from '../../common/index.js';

/** Many nodes at once. Failures of single nodes are reported in the answer. */
@ApiTags('Nodes')
@Controller('nodes')
export class NodesBulkController implements OnModuleInit {
  constructor(
    private readonly batches: NodesBatchService,
    private readonly deletions: NodesBulkDeleteService,
    private readonly replayed: ReplayedNodes,
    private readonly replays: Replays,
  ) {}

  onModuleInit(): void {
    this.replays.register<BatchItem>(FOUND_ITEM, {
      present: async (request, items) => {
        const ids = items.map(({ id }) => id);
        const areReadable = await this.replayed.areReadable(accessOf(request as Request), ids);
        return items.map((item, index) => (areReadable[index] ? { body: found(item) } : null));
      },
      absent: nodeNotFound,
    });
  }

  @Post('batch')
  @Endpoint({
    summary: 'Create up to 100 nodes',
    description:
      'One transaction. 201 when all were created, else 200: what is wrong with one node undoes no other.',
    requires: { callers: 'any', permission: 'tags.create', stepUp: 'sometimes' },
    status: 201,
    alsoStatus: 200,
    answers: BatchDto,
  })
  async batch(
    @CurrentAccess() access: Access,
    @Body() { nodes, on_duplicate }: BatchBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BatchDto> {
    const outcome = await this.batches.run(access, {
      entries: await mapInSlices(nodes, (item, index) => ({
        title: nameOfItem(item, 'title'),
        body: boundItem(CreateNodeBody, item, `nodes.${index}`),
      })),
      onDuplicate: on_duplicate,
    });
    response.status(outcome.created.length === nodes.length ? 201 : 200);
    return presentBatch(outcome, nodes.length);
  }

  @Post('bulk-delete')
  @Endpoint({
    summary: 'Delete up to 100 nodes',
    description:
      'Nodes that are unknown or invisible are errors of the answer, as are those that may not be deleted.',
    requires: { callers: 'any' },
    answers: BulkDeleteDto,
  })
  async bulkDelete(
    @CurrentAccess() access: Access,
    @Body() { node_ids }: BulkDeleteBody,
    @Req() request: Request,
  ): Promise<BulkDeleteDto> {
    const deletion = await this.deletions.run(access, node_ids);
    // Hidden nodes are looked at, absent ones are not (ADR 19).
    await endOfTimeBucket(begunAt(request));
    return presentBulkDeletion(deletion);
  }
}

const FOUND_ITEM = 'batch item';
/** Records an existing node in an item, so that a replay leaves it out when it is hidden. */
const found = (item: BatchItem): BatchItem => rememberSource({ ...item }, item, FOUND_ITEM);

function presentBatch({ created, skipped, updated, errors }: BatchOutcome, total: number): BatchDto {
  return {
    created,
    skipped: skipped.map(found),
    updated: updated.map(found),
    errors: errors
      .sort((a, b) => a.index - b.index)
      .map(({ index, title, error }) => ({ index, title, error: error.message, code: error.code })),
    summary: {
      total,
      created: created.length,
      skipped: skipped.length,
      updated: updated.length,
      errors: errors.length,
    },
  };
}

function presentBulkDeletion({ deleted, errors }: BulkDeletion): BulkDeleteDto {
  return {
    deleted,
    errors: errors.map(({ nodeId, error }) => ({ node_id: nodeId, error: error.message, code: error.code })),
  };
}
