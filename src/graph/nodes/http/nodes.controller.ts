import { Body, Controller, Delete, Get, Patch, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { type ErrorCode } from '../../../kernel/errors/catalogue.js';
import { Endpoint, type Requirement } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { setEtag } from '../../../kernel/http/preconditions.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { NodeCreationService } from '../application/node-creation.service.js';
import { type NodeBody } from '../application/node-writes.js';
import { NodesService } from '../application/nodes.service.js';
import { type Node } from '../domain/node.js';
import { type WireNode } from '../../common/index.js';
import { NodeTagNames } from '../../tags/index.js';
import { AccessibleNodes } from '../infrastructure/accessible-nodes.queries.js';
import { NodeCountDto, NodeDto, NodesDto } from './nodes-answers.dto.js';
import {
  ChangeNodeBody,
  CountQuery,
  NewNodeBody,
  NodeFieldsQuery,
  NodesQuery,
  WrittenNodeBody,
} from './nodes.dto.js';
import { NodePages } from './node-pages.js';
import { NodePresenter } from './node.presenter.js';
import { countFilterOf, listingOf } from './nodes-question.js';

const node = (verb: string): Requirement => ({
  callers: 'any',
  resource: { kind: 'node', param: 'node_id', verb },
});

const CHANGE_ERRORS: readonly ErrorCode[] = [
  'PRECONDITION_FAILED',
  'INVALID_NODE_TYPE',
  'SCHEMA_NOT_FOUND',
  'SCHEMA_VALIDATION_FAILED',
  'LAST_TAG_REMOVAL',
];

/** Nodes: the units of content of one person's graph, and shared nodes of others. */
@ApiTags('Nodes')
@Controller('nodes')
export class NodesController {
  constructor(
    private readonly nodes: NodesService,
    private readonly creations: NodeCreationService,
    private readonly reached: AccessibleNodes,
    private readonly pages: NodePages,
    private readonly presenter: NodePresenter,
    private readonly tagNames: NodeTagNames,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Create a node',
    description:
      'In your own graph, or in that of the user an app acts for: then every tag must be granted by `create`, the schema by `schemas.write`. The answer is cut like a read. With `on_duplicate` it is 200 where the node exists.',
    requires: { callers: 'any', permission: 'tags.create', stepUp: 'sometimes' },
    limit: { name: 'POST /nodes', perMinute: 30 },
    status: 201,
    alsoStatus: 200,
    answers: NodeDto,
    errors: ['INVALID_NODE_TYPE', 'SCHEMA_NOT_FOUND', 'SCHEMA_VALIDATION_FAILED', 'LAST_TAG_REMOVAL'],
  })
  async create(
    @CurrentAccess() access: Access,
    @Body() { on_duplicate, ...body }: NewNodeBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WireNode> {
    const { node: written, isNew } = await this.creations.create(access, body, on_duplicate);
    response.status(isNew ? 201 : 200);
    return this.written(access, written, response);
  }

  @Get()
  @Endpoint({
    summary: 'List nodes',
    holdsNoSecret: true,
    lean: { nodes: 'fields' },
    description:
      'Lists the nodes that the caller can read, own and shared ones, and their total number. ' +
      'Filters that match nothing give an empty list.',
    requires: { callers: 'any' },
    limit: { name: 'GET /nodes', perMinute: 120 },
    answers: NodesDto,
  })
  async list(@CurrentAccess() access: Access, @Query() query: NodesQuery): Promise<object> {
    const listing = listingOf(access, query);
    return this.pages.page(access, query, (room) => this.reached.list(access, { ...listing, ...room }));
  }

  // Placed before :node_id, which would take the word for an id.
  @Get('count')
  @Endpoint({
    summary: 'Count nodes',
    holdsNoSecret: true,
    description: 'Counts nodes with any of the schemas and any of the tags.',
    requires: { callers: 'any' },
    answers: NodeCountDto,
  })
  async count(@CurrentAccess() access: Access, @Query() query: CountQuery): Promise<NodeCountDto> {
    return { count: await this.reached.count(access, countFilterOf(access, query)) };
  }

  @Get(':node_id')
  @Endpoint({
    summary: 'Get a node',
    holdsNoSecret: true,
    lean: { '': 'fields' },
    description:
      'An own node, or one that somebody shares with you, as the profile shows it. What you may not see reads as absent.',
    requires: node('read'),
    answers: NodeDto,
  })
  async get(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Query() _selection: NodeFieldsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WireNode> {
    setEtag(response, await this.presenter.etag(access, located.record));
    await this.presenter.prepare(access, [located.record]);
    return this.presenter.present(access, located.record);
  }

  @Put(':node_id')
  @ApiBody({ type: ChangeNodeBody })
  @Endpoint({
    summary: 'Change fields of a node',
    description:
      'Fields that are present replace, `metadata` as a whole; null clears. A change of nothing makes no version.',
    requires: { ...node('edit'), stepUp: 'sometimes' },
    answers: NodeDto,
    errors: CHANGE_ERRORS,
  })
  replace(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Body() body: WrittenNodeBody,
    @Req() request: Request,
  ): Promise<WireNode> {
    return this.change(access, request, { located, body, merge: false });
  }

  @Patch(':node_id')
  @ApiBody({ type: ChangeNodeBody })
  @ApiConsumes('application/merge-patch+json', 'application/json')
  @Endpoint({
    summary: 'Change a node by a JSON merge patch',
    description: 'RFC 7396: objects are merged, null removes.',
    requires: { ...node('edit'), stepUp: 'sometimes' },
    answers: NodeDto,
    errors: CHANGE_ERRORS,
  })
  merge(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Body() body: WrittenNodeBody,
    @Req() request: Request,
  ): Promise<WireNode> {
    return this.change(access, request, { located, body, merge: true });
  }

  @Delete(':node_id')
  @Endpoint({
    summary: 'Delete a node',
    description: 'It can be restored.',
    requires: node('delete'),
    status: 204,
    errors: ['PRECONDITION_FAILED'],
  })
  async delete(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Req() request: Request,
  ): Promise<void> {
    await this.nodes.delete(access, located, this.presenter.ifMatch(access, request));
  }

  @Post(':node_id/restore')
  @Endpoint({
    summary: 'Restore a deleted node',
    description: 'For the owner, and apps that may delete it. A node that is not deleted stays unchanged.',
    requires: { ...node('restore'), stepUp: 'sometimes' },
    answers: NodeDto,
    errors: ['PRECONDITION_FAILED'],
  })
  async restore(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WireNode> {
    return this.written(
      access,
      await this.nodes.restore(access, located, this.presenter.ifMatch(access, request)),
      response,
    );
  }

  private async change(
    access: Access,
    request: Request,
    { located, body, merge }: { located: Node; body: WrittenNodeBody; merge: boolean },
  ): Promise<WireNode> {
    const precondition = this.presenter.ifMatch(access, request);
    const edit = { body: body as NodeBody, merge, precondition };
    return this.written(access, await this.nodes.update(access, located, edit), request.res as Response);
  }

  private async written(access: Access, written: Node, response: Response): Promise<WireNode> {
    return this.presenter.presentWritten(
      await this.tagNames.knowing(access, written.tagIds),
      written,
      response,
    );
  }
}
