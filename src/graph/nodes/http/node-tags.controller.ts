import { Body, Controller, Delete, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Endpoint, type Requirement } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { NodesService } from '../application/nodes.service.js';
import { type Node } from '../domain/node.js';
import { NodeTagDto, RemovedNodeTagDto } from './nodes-answers.dto.js';
import { NodeTagBody } from './nodes.dto.js';
import { NodePresenter } from './node.presenter.js';

const EDIT: Requirement = {
  callers: 'any',
  stepUp: 'sometimes',
  resource: { kind: 'node', param: 'node_id', verb: 'edit' },
};

/** The tags of a node, one at a time (rule 4.5). */
@ApiTags('Nodes')
@Controller('nodes/:node_id/tags')
export class NodeTagsController {
  constructor(
    private readonly nodes: NodesService,
    private readonly presenter: NodePresenter,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Tag a node',
    description: 'Answers 201 for a new link, and 200 for an existing one, which stays unchanged.',
    requires: EDIT,
    status: 201,
    alsoStatus: 200,
    answers: NodeTagDto,
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  })
  async add(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Body() body: NodeTagBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NodeTagDto> {
    const { node, isNew } = await this.nodes.addTag(access, located, {
      given: body,
      precondition: this.presenter.ifMatch(access, request),
    });
    response.status(isNew ? 201 : 200);
    const tag_id = body.tag_id.toLowerCase();
    const link = node.linkOf(tag_id);
    const created_at = access.exposure.exposeValue('created_at', link.created_at, node.facts) as string;
    return { node_id: node.id, tag_id, ...link, created_at };
  }

  @Delete(':tag_id')
  @Endpoint({
    summary: 'Remove a tag from a node',
    description:
      'Removing the last tag deletes the node: `node_deleted` is true then. A caller from whom tags may be hidden (without `discover.allow_all`) receives 400 `LAST_TAG_REMOVAL` for the last one that they know.',
    requires: EDIT,
    answers: RemovedNodeTagDto,
    errors: ['NOT_FOUND', 'LAST_TAG_REMOVAL', 'PRECONDITION_FAILED'],
  })
  async remove(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Param('tag_id') given: string,
    @Req() request: Request,
  ): Promise<RemovedNodeTagDto> {
    const tagId = given.toLowerCase();
    const { nodeDeleted } = await this.nodes.removeTag(access, located, {
      tagId,
      precondition: this.presenter.ifMatch(access, request),
    });
    return { node_id: located.id, tag_id: tagId, removed: true, node_deleted: nodeDeleted };
  }
}
