import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { callerOf, sessionOf } from '../../../identity/index.js';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { endpointName } from '../../../kernel/http/endpoint-name.js';
import { Located } from '../../../kernel/http/locators.js';
import { type Access, CurrentAccess, AccessReports } from '../../../privacy/index.js';
import { type Node, NodesLocator } from '../../nodes/index.js';
import { Download } from './download-answers.js';
import { FileContents } from './file-contents.js';
import { boundTo, FileLinks } from './file-links.js';
import { FileLinkQuery } from './files.dto.js';

/** The bytes of files, by the caller's own credential or by a link. */
@ApiTags('Raw files')
@Controller('raw-files')
export class FileDownloadsController {
  constructor(
    private readonly contents: FileContents,
    private readonly links: FileLinks,
    private readonly nodes: NodesLocator,
    private readonly accessReports: AccessReports,
  ) {}

  @Get(':file_id/download')
  @Download()
  @Endpoint({
    summary: 'Download a file',
    description:
      'Supports Range and If-Range; the ETag is the SHA-256 of the content. Requires detail level `full`.',
    requires: { callers: 'any', resource: { kind: 'file', param: 'file_id', verb: 'content' } },
    asApp: false,
    produces: 'application/octet-stream',
    lasts: true,
    errors: ['NOT_A_FILE', 'RANGE_NOT_SATISFIABLE', 'SERVICE_UNAVAILABLE', 'TOO_MUCH_UNDER_WAY'],
  })
  async download(
    @CurrentAccess() access: Access,
    @Located('file') located: Node,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const caller = boundTo(callerOf(request), access.authorizationId);
    await this.contents.send(access, located, { request, response, caller, isByLink: false });
  }

  @Get(':file_id/content')
  @Download()
  @Endpoint({
    summary: 'Download a file by a link from GET /nodes/{node_id}/download',
    description:
      'Answers with what the caller who requested the link may have now. Supports Range and If-Range.',
    requires: 'public',
    produces: 'application/octet-stream',
    lasts: true,
    errors: [
      'UNAUTHORIZED',
      'PERMISSION_DENIED',
      'NODE_NOT_FOUND',
      'NOT_A_FILE',
      'RANGE_NOT_SATISFIABLE',
      'SERVICE_UNAVAILABLE',
      'TOO_MUCH_UNDER_WAY',
    ],
  })
  async content(
    @Param('file_id') fileId: string,
    @Query() link: FileLinkQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const caller = await this.links.callerOf(fileId, link);
    const own = await this.links.accessOf(caller);
    this.accessReports.admitted(own, {
      endpoint: endpointName(request),
      reads: true,
      response,
      sessionId: sessionOf(caller),
      names: (id) => id === fileId.toLowerCase(),
    });
    const { access, node } = await this.nodes.reach(own, fileId, 'read');
    await this.contents.send(access, node, { request, response, caller, isByLink: true });
  }
}
