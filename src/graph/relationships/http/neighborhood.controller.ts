import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { type Node, NodePages, NodesById, NodesQueries } from '../../nodes/index.js';
import { Neighborhoods } from '../infrastructure/neighborhood.queries.js';
import { MOST_BETWEEN, NeighborhoodDto, NeighborhoodQuery } from './neighborhood.dto.js';
import { RelationshipPages } from './relationship-pages.js';

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
    description:
      'Breadth first along the relationships that you can read, in either direction and of both graph views: nearest nodes first, then those met by newer relationships. Everything is in the graph of the node’s owner.',
    requires: { callers: 'any', resource: { kind: 'node', param: 'node_id', verb: 'read' } },
    answers: NeighborhoodDto,
  })
  async get(
    @CurrentAccess() access: Access,
    @Located('node') { id }: Node,
    @Query() { depth, limit }: NeighborhoodQuery,
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
