import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { type Node } from '../../nodes/index.js';
import { RelationshipsQueries } from '../infrastructure/relationships.queries.js';
import { EDGES_EACH_WAY, NodeRelationshipsDto, NodeRelationshipsQuery } from './relationships.dto.js';
import { RelationshipPages } from './relationship-pages.js';

const NONE = { items: [], total: 0 };

@ApiTags('Nodes')
@Controller('nodes')
export class NodeRelationshipsController {
  constructor(
    private readonly queries: RelationshipsQueries,
    private readonly pages: RelationshipPages,
  ) {}

  @Get(':node_id/relationships')
  @Endpoint({
    summary: 'List the relationships of a node that you can read, newest first',
    holdsNoSecret: true,
    lean: { outgoing: 'fields', incoming: 'fields' },
    description: 'Lists both graph views. To page through more than are listed, use GET /relationships.',
    requires: { callers: 'any', resource: { kind: 'node', param: 'node_id', verb: 'read' } },
    answers: NodeRelationshipsDto,
  })
  async list(
    @CurrentAccess() access: Access,
    @Located('node') { id }: Node,
    @Query() { direction, relationship_type: type }: NodeRelationshipsQuery,
  ): Promise<NodeRelationshipsDto> {
    const page = (filter: object) =>
      this.pages.alone(access, { limit: EDGES_EACH_WAY, offset: 0 }, (room) =>
        this.queries.list(access, { filter: { ...filter, access: 'all', type }, ...room }),
      );
    const [outgoing, incoming] = await Promise.all([
      direction === 'incoming' ? NONE : page({ fromNodeId: id }),
      direction === 'outgoing' ? NONE : page({ toNodeId: id }),
    ]);
    return {
      node_id: id,
      outgoing: outgoing.items,
      incoming: incoming.items,
      total_outgoing: outgoing.total,
      total_incoming: incoming.total,
    };
  }
}
