import { Body, Controller, Delete, Get, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { type Room } from '../../kernel/database/page-bytes.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { setEtag } from '../../kernel/http/preconditions.js';
import {
  type AccessibleListing,
  FoundPlaces,
  ChangeNodeBody,
  CreatedTagDto,
  CreateTagBody,
  NewNodeBody,
  type Node,
  type NodeBody,
  NodeCreationService,
  NodeDto,
  NodeFieldsQuery,
  NodePages,
  NodePresenter,
  NodesDto,
  NodesService,
  NodeTagNames,
  AccessibleNodes,
  TagPages,
  TagPresenter,
  TagsQueries,
  TagsService,
  type WireNode,
  WrittenNodeBody,
} from '../../graph/index.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { GroupGraphs } from '../application/group-graphs.service.js';
import { type Membership } from '../domain/group.js';
import { GroupNodesQuery, GroupTagsDto, GroupTagsQuery } from './group-graphs.dto.js';

const graph = (verb: 'read' | 'create' | 'create_tag'): Requirement => ({
  callers: 'user',
  resource: { kind: 'group_graph', param: 'group_id', verb },
});
const node = (verb: 'read' | 'edit' | 'delete'): Requirement => ({
  callers: 'user',
  resource: { kind: 'group_node', param: 'node_id', verb },
});

/**
 * The graph of a group: nodes and tags whose owner is the group, and nodes that members share with it (rule
 * 10.5). The locator replaces the caller's own access with the access to the group's graph.
 */
@ApiTags('Groups')
@Controller('groups/:group_id')
export class GroupGraphsController {
  constructor(
    private readonly graphs: GroupGraphs,
    private readonly nodes: NodesService,
    private readonly creations: NodeCreationService,
    private readonly reached: AccessibleNodes,
    private readonly pages: NodePages,
    private readonly presenter: NodePresenter,
    private readonly tagNames: NodeTagNames,
    private readonly tags: TagsService,
    private readonly tagsQueries: TagsQueries,
    private readonly tagPresenter: TagPresenter,
    private readonly tagPages: TagPages,
  ) {}

  @Post('nodes')
  @Endpoint({
    summary: 'Create a node of a group',
    description:
      'For admins, and members whose profile grants create. With `on_duplicate` it is 200 where the node exists.',
    requires: { ...graph('create'), stepUp: 'sometimes' },
    status: 201,
    alsoStatus: 200,
    answers: NodeDto,
    errors: ['NOT_A_MEMBER', 'INVALID_NODE_TYPE', 'SCHEMA_NOT_FOUND', 'LAST_TAG_REMOVAL'],
  })
  async createNode(
    @CurrentAccess() access: Access,
    @Body() { on_duplicate, ...body }: NewNodeBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WireNode> {
    const { node: written, isNew } = await this.creations.create(access, body, on_duplicate);
    response.status(isNew ? 201 : 200);
    return this.written(access, written, response);
  }

  @Get('nodes')
  @Endpoint({
    summary: 'List the nodes of a group and those that members share with it, last changed first',
    holdsNoSecret: true,
    lean: { nodes: 'fields' },
    description: 'Members other than admins see what their assigned profile allows.',
    requires: graph('read'),
    answers: NodesDto,
    errors: ['NOT_A_MEMBER'],
  })
  async listNodes(
    @Located('group_graph') membership: Membership,
    @Query() query: GroupNodesQuery,
  ): Promise<object> {
    const reach = await this.graphs.reachOf(membership);
    const { node_type: nodeType, meaning_level: meaningLevel, graph_view: view } = query;
    const search = query.search === '' ? undefined : query.search;
    const filter = { nodeType, meaningLevel, view, search };
    const listing: Omit<AccessibleListing, keyof Room> = {
      access: 'all',
      filter,
      receivedFilter: filter,
      sort: 'updated_at',
      order: 'desc',
      found: new FoundPlaces(),
    };
    return this.pages.page(reach.own, query, (room) =>
      this.reached.listWithin(reach, { ...listing, ...room }),
    );
  }

  @Get('nodes/:node_id')
  @Endpoint({
    summary: 'Get a node of a group, or one that a member shares with it',
    holdsNoSecret: true,
    lean: { '': 'fields' },
    description:
      "For members, as their assigned profile shows it; nodes that members share with the group are read-only and cut by the sharer's profile.",
    requires: node('read'),
    answers: NodeDto,
    errors: ['NOT_A_MEMBER', 'NODE_NOT_FOUND'],
  })
  async getNode(
    @CurrentAccess() access: Access,
    @Located('group_node') located: Node,
    @Query() _selection: NodeFieldsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WireNode> {
    setEtag(response, await this.presenter.etag(access, located.record));
    await this.presenter.prepare(access, [located.record]);
    return this.presenter.present(access, located.record);
  }

  @Put('nodes/:node_id')
  @ApiBody({ type: ChangeNodeBody })
  @Endpoint({
    summary: 'Change a node of a group',
    description:
      'For admins, and members whose profile grants edit. Nodes that members share with the group are read-only.',
    requires: { ...node('edit'), stepUp: 'sometimes' },
    answers: NodeDto,
    errors: [
      'NOT_A_MEMBER',
      'NODE_NOT_FOUND',
      'PRECONDITION_FAILED',
      'INVALID_NODE_TYPE',
      'SCHEMA_NOT_FOUND',
      'LAST_TAG_REMOVAL',
    ],
  })
  async updateNode(
    @CurrentAccess() access: Access,
    @Located('group_node') located: Node,
    @Body() body: WrittenNodeBody,
    @Req() request: Request,
  ): Promise<WireNode> {
    const edit = { body: body as NodeBody, precondition: this.presenter.ifMatch(access, request) };
    return this.written(access, await this.nodes.update(access, located, edit), request.res as Response);
  }

  @Delete('nodes/:node_id')
  @Endpoint({
    summary: 'Delete a node of a group',
    description: 'For admins, and members whose profile grants delete.',
    requires: node('delete'),
    status: 204,
    errors: ['NOT_A_MEMBER', 'NODE_NOT_FOUND', 'PRECONDITION_FAILED'],
  })
  async deleteNode(
    @CurrentAccess() access: Access,
    @Located('group_node') located: Node,
    @Req() request: Request,
  ): Promise<void> {
    await this.nodes.delete(access, located, this.presenter.ifMatch(access, request));
  }

  @Post('tags')
  @Endpoint({
    summary: 'Create a tag of a group',
    description: 'For admins, and members whose profile lets them create tags that do not exist yet.',
    requires: graph('create_tag'),
    status: 201,
    answers: CreatedTagDto,
    errors: ['NOT_A_MEMBER', 'TAG_ALREADY_EXISTS'],
  })
  async createTag(@CurrentAccess() access: Access, @Body() body: CreateTagBody): Promise<CreatedTagDto> {
    return this.tagPresenter.presentCreated(access, await this.tags.create(access, body));
  }

  @Get('tags')
  @Endpoint({
    summary: 'List the tags of a group',
    holdsNoSecret: true,
    description:
      'For members; those with an assigned profile see the tags that it lets them discover. By name.',
    requires: graph('read'),
    answers: GroupTagsDto,
    errors: ['NOT_A_MEMBER'],
  })
  async listTags(@CurrentAccess() access: Access, @Query() query: GroupTagsQuery): Promise<GroupTagsDto> {
    const { limit, offset } = query;
    const page = await this.tagPages.alone(access, { limit, offset }, (room) =>
      this.tagsQueries.list(access, { filter: { access: 'owned' }, ...room }),
    );
    return { tags: page.items, total: page.total, limit: page.limit, offset };
  }

  private async written(access: Access, written: Node, response: Response): Promise<WireNode> {
    return this.presenter.presentWritten(
      await this.tagNames.knowing(access, written.tagIds),
      written,
      response,
    );
  }
}
