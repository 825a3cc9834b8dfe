import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { endOfTimeBucket } from '../../../kernel/http/answers/time-buckets.js';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { begunAt } from '../../../kernel/http/request-id.middleware.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { type Node, NodePages, NodesById, NodesQueries } from '../../nodes/index.js';
import { type SimilarNode, SimilarNodes } from '../application/similar-nodes.service.js';
import { SimilarNodesDto, SimilarNodesQuery } from './similar-nodes.dto.js';
import { VECTOR_SEARCHES } from './vector-searches.js';

@ApiTags('Nodes')
@Controller('nodes')
export class SimilarNodesController {
  constructor(
    private readonly similar: SimilarNodes,
    private readonly nodes: NodesQueries,
    private readonly pages: NodePages,
  ) {}

  @Get(':node_id/similar')
  @Endpoint({
    summary: 'Get nodes that may be the same thing as a node',
    holdsNoSecret: true,
    lean: { nodes: 'fields' },
    limit: VECTOR_SEARCHES,
    description:
      'Nodes of the same owner and view that you can read, with the same or nearly the same title as you are shown it, or, where both have embeddings of one model that may be compared, with a similar meaning.',
    requires: { callers: 'any', resource: { kind: 'node', param: 'node_id', verb: 'read' } },
    answers: SimilarNodesDto,
    errors: ['TOO_MUCH_UNDER_WAY', 'SERVICE_UNAVAILABLE'],
  })
  async get(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Query() { limit }: SimilarNodesQuery,
    @Req() request: Request,
  ): Promise<SimilarNodesDto> {
    const similar = await this.similar.to(access, located);
    const first = similar.slice(0, limit);
    const { nodes, total } = await this.shown(access, first);
    const answer = { nodes, truncated: similar.length > limit || nodes.length < total };
    // The index of words also finds hidden nodes, before they are judged: their number must not show in the time (ADR 19).
    const { nodes: reach, exposure } = access;
    const seesAllTexts =
      reach.read.kind === 'all' && !exposure.touches('title') && !exposure.touches('value');
    if (!seesAllTexts) await endOfTimeBucket(begunAt(request));
    return answer;
  }

  /** The nodes as they are now, those that are still readable. */
  private async shown(access: Access, similar: readonly SimilarNode[]) {
    if (similar.length === 0) return { nodes: [], total: 0 };
    const accesses = new Map(access.isReceived ? [[access.ownerId, access]] : []);
    const list = new NodesById(
      similar.map(({ id }) => id),
      async (next) => ({ ...(await this.nodes.firstReadable(access, next)), accesses }),
    );
    const room = { limit: similar.length, offset: 0, include_tags: true };
    const page = await this.pages.page(access, room, (part) => list.read(part));
    const byId = new Map(similar.map((one) => [one.id, one]));
    const nodes = page.nodes.map((node) => {
      const { similarity, reason } = byId.get(node.id) as SimilarNode;
      return { ...node, similarity, reason };
    });
    return { nodes, total: page.total };
  }
}
