import { Body, Controller, Delete, Get, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Endpoint, type Requirement } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { setEtag } from '../../../kernel/http/preconditions.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { unmaskFileWrite, type Node, NodePresenter, NodesQueries, NodesService } from '../../nodes/index.js';
import { type FileRecord } from '../../common/index.js';
import { FileArrivals } from './file-arrivals.js';
import { CurrentUpload, Multipart, type Upload, UPLOADS } from './file-upload.interceptor.js';
import {
  ChangeFileBody,
  DeletedFileDto,
  FileDto,
  FilesDto,
  FileFieldsQuery,
  FilesQuery,
  FileTagBody,
  FileTagDto,
  RemovedFileTagDto,
  UploadFileBody,
  WrittenFileBody,
} from './files.dto.js';
import { FilePresenter } from './files.presenter.js';
import { fileListingOf, pageOf } from './files-question.js';

const file = (verb: string): Requirement => ({
  callers: 'any',
  resource: { kind: 'file', param: 'file_id', verb },
});

/** Files in a family of their own; their ids are those of their nodes (rule 6.1). */
@ApiTags('Raw files')
@Controller('raw-files')
export class RawFilesController {
  constructor(
    private readonly arrivals: FileArrivals,
    private readonly nodes: NodesService,
    private readonly queries: NodesQueries,
    private readonly presenter: FilePresenter,
    private readonly nodePresenter: NodePresenter,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Upload a file',
    description: 'Apps need the permission to write the raw-file schema.',
    requires: { callers: 'any', permission: 'tags.create' },
    limit: UPLOADS,
    status: 201,
    answers: FileDto,
    errors: [
      'NOT_FOUND',
      'SCHEMA_VALIDATION_FAILED',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'SERVICE_UNAVAILABLE',
      'TOO_MUCH_UNDER_WAY',
    ],
  })
  @Multipart(UploadFileBody)
  async create(
    @CurrentAccess() access: Access,
    @CurrentUpload() upload: Upload,
    @Body() body: UploadFileBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileRecord> {
    const node = await this.arrivals.fromRawFiles(access, upload, body);
    return this.presenter.presentWritten(access, node, response);
  }

  @Get()
  @Endpoint({
    summary: 'List files, last changed first',
    holdsNoSecret: true,
    lean: { files: 'fields' },
    description: 'Filters use the values of a file as you are shown them.',
    requires: { callers: 'any' },
    answers: FilesDto,
  })
  async list(@CurrentAccess() access: Access, @Query() query: FilesQuery): Promise<FilesDto> {
    const listing = fileListingOf(access, query);
    const { items: files, ...page } = await this.presenter.page(access, listing, (room) =>
      this.queries.list(access, { ...listing, ...room }),
    );
    return { files, ...pageOf(query), ...page };
  }

  @Get(':file_id')
  @Endpoint({
    summary: 'Get the record of a file',
    holdsNoSecret: true,
    lean: { '': 'fields' },
    description:
      'The record has no content; at detail minimal it has only id, types and times. A file is a node: one that you may not see reads as absent.',
    requires: file('read'),
    answers: FileDto,
  })
  async get(
    @CurrentAccess() access: Access,
    @Located('file') located: Node,
    @Query() _selection: FileFieldsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileRecord> {
    setEtag(response, await this.nodePresenter.etag(access, located.record));
    return this.presenter.present(access, located.record);
  }

  @Put(':file_id')
  @ApiBody({ type: ChangeFileBody })
  @Endpoint({
    summary: 'Rename a file or change its metadata',
    description:
      'Absent fields stay unchanged. The facts that the service records about the file are read-only.',
    requires: file('edit'),
    answers: FileDto,
    errors: ['SCHEMA_VALIDATION_FAILED', 'PRECONDITION_FAILED'],
  })
  async update(
    @CurrentAccess() access: Access,
    @Located('file') located: Node,
    @Body() given: WrittenFileBody,
    @Req() request: Request,
  ): Promise<FileRecord> {
    const body = await unmaskFileWrite(access, located.record, given);
    const edit = { body, precondition: this.nodePresenter.ifMatch(access, request) };
    const node = await this.nodes.update(access, located, edit);
    return this.presenter.presentWritten(access, node, request.res as Response);
  }

  @Delete(':file_id')
  @Endpoint({
    summary: 'Delete a file',
    description: 'Its node is deleted too, and can be restored.',
    requires: file('delete'),
    answers: DeletedFileDto,
    errors: ['PRECONDITION_FAILED'],
  })
  async delete(
    @CurrentAccess() access: Access,
    @Located('file') located: Node,
    @Req() request: Request,
  ): Promise<DeletedFileDto> {
    await this.nodes.delete(access, located, this.nodePresenter.ifMatch(access, request));
    return { message: 'File deleted', id: located.id };
  }

  @Post(':file_id/tags')
  @Endpoint({
    summary: 'Tag a file',
    description: 'Answers 201 for a new link, and 200 for an existing one.',
    requires: { ...file('edit'), stepUp: 'sometimes' },
    status: 201,
    alsoStatus: 200,
    answers: FileTagDto,
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  })
  async addTag(
    @CurrentAccess() access: Access,
    @Located('file') located: Node,
    @Body() given: FileTagBody,
    @Req() request: Request,
  ): Promise<FileTagDto> {
    const step = { given, precondition: this.nodePresenter.ifMatch(access, request) };
    const { isNew } = await this.nodes.addTag(access, located, step);
    request.res?.status(isNew ? 201 : 200);
    return { file_id: located.id, tag_id: given.tag_id.toLowerCase() };
  }

  @Delete(':file_id/tags/:tag_id')
  @Endpoint({
    summary: 'Remove a tag from a file',
    description:
      'Removing the last tag deletes the file: `node_deleted` is true then. A caller from whom tags may be hidden (without `discover.allow_all`) receives 400 `LAST_TAG_REMOVAL` for the last one that they know.',
    requires: { ...file('edit'), stepUp: 'sometimes' },
    answers: RemovedFileTagDto,
    errors: ['NOT_FOUND', 'LAST_TAG_REMOVAL', 'PRECONDITION_FAILED'],
  })
  async removeTag(
    @CurrentAccess() access: Access,
    @Located('file') located: Node,
    @Param('tag_id') given: string,
    @Req() request: Request,
  ): Promise<RemovedFileTagDto> {
    const tagId = given.toLowerCase();
    const step = { tagId, precondition: this.nodePresenter.ifMatch(access, request) };
    const { nodeDeleted } = await this.nodes.removeTag(access, located, step);
    return { file_id: located.id, tag_id: tagId, removed: true, node_deleted: nodeDeleted };
  }
}
