import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { endOfTimeBucket } from '../../../kernel/http/answers/time-buckets.js';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { begunAt } from '../../../kernel/http/request-id.middleware.js';
import { isId } from '../../../kernel/ids.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { AccessibleNodes } from '../infrastructure/accessible-nodes.queries.js';
import { NodePages } from './node-pages.js';
import { LookedUpNodesDto } from './nodes-answers.dto.js';
import { NodesById } from './nodes-by-id.js';
import { LookupBody } from './nodes.dto.js';

@ApiTags('Nodes')
@Controller('nodes/lookup')
export class NodeLookupsController {
  constructor(
    private readonly reached: AccessibleNodes,
    private readonly pages: NodePages,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Get up to 100 nodes by their ids',
    description:
      'Own nodes, and those that others share with you, as GET /nodes/:node_id finds each of them. What you may not see is left out, like what is absent.',
    requires: { callers: 'any' },
    reads: true,
    holdsNoSecret: true,
    lean: { nodes: 'fields' },
    answers: LookedUpNodesDto,
  })
  async lookUp(
    @CurrentAccess() access: Access,
    @Body() body: LookupBody,
    @Req() request: Request,
  ): Promise<LookedUpNodesDto> {
    const ids = [...new Set(body.ids.filter(isId).map((id) => id.toLowerCase()))];
    const list = new NodesById(ids, (next) => this.readable(access, next));
    const room = { limit: body.ids.length, offset: 0, include_tags: true };
    const { nodes, total } = await this.pages.page(access, room, (part) => list.read(part));
    // Hidden nodes are looked at, absent ones are not: as for one node (ADR 19), the time must not tell them apart.
    await endOfTimeBucket(begunAt(request));
    return { nodes, truncated: nodes.length < total };
  }

  private async readable(access: Access, ids: readonly string[]) {
    const { nodes, lookedAt } = await this.reached.firstReadable(access, ids, 'own');
    const found = [...nodes.values()];
    return {
      records: new Map(found.map(({ record }) => [record.id, record])),
      accesses: new Map(
        found.flatMap(({ access: to }) => (to.isReceived ? [[to.ownerId, to] as const] : [])),
      ),
      lookedAt,
    };
  }
}
