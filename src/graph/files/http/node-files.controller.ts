import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { callerOf } from '../../../identity/index.js';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { type Node, NodeDto, NodePresenter } from '../../nodes/index.js';
import { type WireNode } from '../../common/index.js';
import { NodeTagNames } from '../../tags/index.js';
import { FileArrivals } from './file-arrivals.js';
import { FileContents } from './file-contents.js';
import { FileLinks } from './file-links.js';
import { CurrentUpload, Multipart, type Upload, UPLOADS } from './file-upload.interceptor.js';
import { FileLinkDto, UploadNodeBody } from './files.dto.js';

/** Files as nodes (specification, Nodes; rules 6). */
@ApiTags('Nodes')
@Controller('nodes')
export class NodeFilesController {
  constructor(
    private readonly arrivals: FileArrivals,
    private readonly contents: FileContents,
    private readonly links: FileLinks,
    private readonly presenter: NodePresenter,
    private readonly tagNames: NodeTagNames,
  ) {}

  @Post('upload')
  @Endpoint({
    summary: 'Upload a file as a node',
    description:
      'The service detects kind and format. Apps need the permission to write the raw-file schema.',
    requires: { callers: 'any', permission: 'tags.create' },
    limit: UPLOADS,
    status: 201,
    answers: NodeDto,
    errors: [
      'SCHEMA_VALIDATION_FAILED',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'SERVICE_UNAVAILABLE',
      'TOO_MUCH_UNDER_WAY',
    ],
  })
  @Multipart(UploadNodeBody)
  async upload(
    @CurrentAccess() access: Access,
    @CurrentUpload() upload: Upload,
    @Body() body: UploadNodeBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WireNode> {
    const node = await this.arrivals.fromNodes(access, upload, body);
    return this.presenter.presentWritten(await this.tagNames.knowing(access, node.tagIds), node, response);
  }

  @Get(':node_id/download')
  @Endpoint({
    summary: 'Get a download link for a file',
    description:
      'The link works for 5 minutes without other credentials; your permission is checked again when it is used.',
    requires: { callers: 'any', resource: { kind: 'node', param: 'node_id', verb: 'read' } },
    asApp: false,
    answers: FileLinkDto,
    errors: ['NOT_A_FILE'],
  })
  async link(
    @CurrentAccess() access: Access,
    @Located('node') node: Node,
    @Req() request: Request,
  ): Promise<FileLinkDto> {
    await this.contents.permitted(access, node);
    return this.links.make(node.id, callerOf(request), access);
  }
}
