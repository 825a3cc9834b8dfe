import { Body, Controller, Delete, Get, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Endpoint, type Requirement } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { checkIfMatch, hasIfMatch, setEtag } from '../../../kernel/http/preconditions.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import {
  type RelationshipBody,
  type RelationshipPrecondition,
  RelationshipsService,
} from '../application/relationships.service.js';
import { type EdgeWithEnds } from '../domain/relationship-view.js';
import { RelationshipsQueries } from '../infrastructure/relationships.queries.js';
import {
  CreatedRelationshipDto,
  CreateRelationshipBody,
  DeletedRelationshipDto,
  RelationshipDto,
  RelationshipListDto,
  RelationshipFieldsQuery,
  RelationshipListQuery,
  UpdateRelationshipBody,
  WrittenRelationshipBody,
} from './relationships.dto.js';
import { RelationshipPages } from './relationship-pages.js';
import { RelationshipPresenter } from './relationships.presenter.js';

const located = (verb: 'read' | 'edit'): Requirement => ({
  callers: 'any',
  resource: { kind: 'relationship', param: 'relationship_id', verb },
});

/**
 * Edges between nodes; readers of both ends read the edge (specification, Relationships; rules 3.19, 4.16).
 */
@ApiTags('Relationships')
@Controller('relationships')
export class RelationshipsController {
  constructor(
    private readonly relationships: RelationshipsService,
    private readonly queries: RelationshipsQueries,
    private readonly pages: RelationshipPages,
    private readonly presenter: RelationshipPresenter,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Connect two nodes',
    description:
      'You need edit on the node it starts from and read on the other; edit on both if bidirectional.',
    requires: { callers: 'any', permission: 'tags.edit' },
    status: 201,
    answers: CreatedRelationshipDto,
    errors: ['NODE_NOT_FOUND'],
  })
  async create(
    @CurrentAccess() caller: Access,
    @Body() body: CreateRelationshipBody,
  ): Promise<CreatedRelationshipDto> {
    const { access, made, reverseId } = await this.relationships.create(caller, body);
    return this.presenter.presentCreated(access, made, reverseId);
  }

  @Get()
  @Endpoint({
    summary: 'List the relationships that you can read, newest first',
    holdsNoSecret: true,
    lean: { relationships: 'fields' },
    description: 'A relationship is readable when both its ends are; the total counts no others.',
    requires: { callers: 'any' },
    answers: RelationshipListDto,
  })
  async list(
    @CurrentAccess() access: Access,
    @Query() query: RelationshipListQuery,
  ): Promise<RelationshipListDto> {
    const { limit, offset } = query;
    const filter = {
      access: query.access,
      fromNodeId: query.from_node_id,
      toNodeId: query.to_node_id,
      nodeId: query.node_id,
      type: query.relationship_type,
      view: query.view,
    };
    const list = (room: Room) => this.queries.list(access, { filter, ...room });
    const page = query.include_nodes
      ? await this.pages.withNodes(access, { limit, offset }, list)
      : await this.pages.alone(access, { limit, offset }, list);
    const { items: relationships, ...rest } = page;
    return { relationships, ...rest };
  }

  @Get(':relationship_id')
  @Endpoint({
    summary: 'Get a relationship',
    holdsNoSecret: true,
    lean: { '': 'fields' },
    description: 'Readable when both its ends are; otherwise it reads as absent.',
    requires: located('read'),
    answers: RelationshipDto,
  })
  async get(
    @CurrentAccess() access: Access,
    @Located('relationship') edge: EdgeWithEnds,
    @Query() _selection: RelationshipFieldsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RelationshipDto> {
    const shown = await this.presenter.present(access, edge);
    setEtag(response, await this.presenter.etag(access, edge, shown));
    return shown;
  }

  @Put(':relationship_id')
  @ApiBody({ type: UpdateRelationshipBody })
  @Endpoint({
    summary: 'Change a relationship',
    description:
      'Absent fields stay unchanged, null clears. The two ends and `bidirectional` cannot be changed.',
    requires: located('edit'),
    answers: RelationshipDto,
    errors: ['PRECONDITION_FAILED'],
  })
  async update(
    @CurrentAccess() access: Access,
    @Located('relationship') located: EdgeWithEnds,
    @Body() body: WrittenRelationshipBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RelationshipDto> {
    const precondition = this.unchanged(access, located, request);
    const edit = { body: body as RelationshipBody, precondition };
    const edge = await this.relationships.update(access, located, edit);
    const shown = await this.presenter.presentWritten(access, edge);
    setEtag(response, await this.presenter.etag(access, edge, shown));
    return shown;
  }

  @Delete(':relationship_id')
  @Endpoint({
    summary: 'Delete a relationship',
    description: 'Deletes only this one: the edge in the other direction stays.',
    requires: located('edit'),
    answers: DeletedRelationshipDto,
    errors: ['PRECONDITION_FAILED'],
  })
  async delete(
    @CurrentAccess() access: Access,
    @Located('relationship') located: EdgeWithEnds,
    @Req() request: Request,
  ): Promise<DeletedRelationshipDto> {
    const { id } = located.edge;
    await this.relationships.delete(access, id, this.unchanged(access, located, request));
    return { message: 'Relationship deleted', id };
  }

  private unchanged(access: Access, located: EdgeWithEnds, request: Request): RelationshipPrecondition {
    return async (edge) => {
      if (hasIfMatch(request)) checkIfMatch(request, await this.presenter.etag(access, { ...located, edge }));
    };
  }
}
