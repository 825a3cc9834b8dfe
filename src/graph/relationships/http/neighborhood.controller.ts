import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { endOfTimeBucket } from '../../../kernel/http/answers/time-buckets.js';
import { CallerPlaces } from '../../../kernel/caller-places.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { begunAt } from '../../../kernel/http/request-id.middleware.js';
import { Located } from '../../../kernel/http/locators.js';
import { workerNow } from '../../../kernel/slices.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { type Node, NodePages, NodesById, NodesQueries } from '../../nodes/index.js';
import { Neighborhoods } from '../infrastructure/neighborhood.queries.js';
import { MOST_BETWEEN, NeighborhoodDto, NeighborhoodQuery } from './neighborhood.dto.js';
import { RelationshipPages } from './relationship-pages.js';

/** The number of walks at a time for one caller, and the time for which further ones wait. */
const WALKS_AT_ONCE = 3;
const PATIENCE_MS = 10_000;
const walks = new CallerPlaces(WALKS_AT_ONCE, PATIENCE_MS, (max_neighborhoods) => {
  const message = 'Too many of your neighborhoods are in progress; try again when one has ended';
  return new DomainError('TOO_MUCH_UNDER_WAY', message, { limit: 'caller', max_neighborhoods });
});

@ApiTags('Nodes')
@Controller('nodes')
export class NeighborhoodController {
  constructor(
    private readonly neighborhoods: Neighborhoods,
    private readonly nodes: NodesQueries,
    private readonly nodePages: NodePages,
    private readonly pages: RelationshipPages,
  ) {}

  @Get(':node_id/neighborhood')
  @Endpoint({
    summary: 'Get the nodes around a node, and the relationships between them',
    holdsNoSecret: true,
    lean: { nodes: 'fields', relationships: 'relationship_fields' },
    description:
      'Breadth first along the relationships that you can read, in either direction and of both graph views: nearest nodes first, then those met by newer relationships. Everything is in the graph of the node’s owner.',
    requires: { callers: 'any', resource: { kind: 'node', param: 'node_id', verb: 'read' } },
    answers: NeighborhoodDto,
    errors: ['TOO_MUCH_UNDER_WAY', 'SERVICE_UNAVAILABLE'],
  })
  async get(
    @CurrentAccess() access: Access,
    @Located('node') { id }: Node,
    @Query() { depth, limit }: NeighborhoodQuery,
    @Req() request: Request,
  ): Promise<NeighborhoodDto> {
    const answer = await walks.run(workerNow(), () => this.around(access, id, { depth, limit }));
    // Relationships with hidden nodes are looked at, too: their number must not show in the time (ADR 19).
    if (access.nodes.read.kind !== 'all') await endOfTimeBucket(begunAt(request));
    return answer;
  }

  private async around(
    access: Access,
    id: string,
    { depth, limit }: { depth: number; limit: number },
  ): Promise<NeighborhoodDto> {
    const { distances, isCut } = await this.neighborhoods.around(access, id, { depth, limit });
    const { nodes, total } = await this.shown(access, [...distances.keys()]);
    const ids = nodes.map(({ id: found }) => found);
    const list = await this.neighborhoods.between(access, ids, MOST_BETWEEN);
    const edges = await this.pages.alone(access, { limit: MOST_BETWEEN, offset: 0 }, list);
    return {
      nodes: nodes.map((node) => ({ ...node, distance: distances.get(node.id) as number })),
      relationships: edges.items,
      truncated: isCut || nodes.length < total || edges.items.length < edges.total,
    };
  }

  private shown(access: Access, ids: readonly string[]) {
    const accesses = new Map(access.isReceived ? [[access.ownerId, access]] : []);
    const list = new NodesById(ids, async (next) => ({
      ...(await this.nodes.firstReadable(access, next)),
      accesses,
    }));
    const room = { limit: ids.length, offset: 0, include_tags: true };
    return this.nodePages.page(access, room, (part) => list.read(part));
  }
}
