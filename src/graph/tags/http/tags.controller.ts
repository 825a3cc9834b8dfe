import { Body, Controller, Delete, Get, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Endpoint, type Requirement } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { checkIfMatch, hasIfMatch, setEtag } from '../../../kernel/http/preconditions.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { type TagBody, type TagPrecondition, TagsService } from '../application/tags.service.js';
import { type Tag } from '../domain/tag.js';
import { type TagPage } from '../infrastructure/tag-rows.js';
import { TagsQueries } from '../infrastructure/tags.queries.js';
import {
  BulkDeletedTagsDto,
  BulkDeleteTagsBody,
  CreatedTagDto,
  CreateTagBody,
  DeletedTagDto,
  type ListedTagDto,
  TagDto,
  TagListDto,
  TagListQuery,
  UpdateTagBody,
  WrittenTagBody,
} from './tags.dto.js';
import { TagPages, type TagsWithinBytes } from './tag-pages.js';
import { TagPresenter } from './tags.presenter.js';

const located = (verb: 'read' | 'edit'): Requirement => ({
  callers: 'any',
  resource: { kind: 'tag', param: 'tag_id', verb },
});

/** Tags of the graph's owner (specification, Tags; rules 4.14, 4.15). */
@ApiTags('Tags')
@Controller('tags')
export class TagsController {
  constructor(
    private readonly tags: TagsService,
    private readonly queries: TagsQueries,
    private readonly presenter: TagPresenter,
    private readonly pages: TagPages,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Create a tag',
    description:
      'Apps need the right to create tags that do not exist yet (`create.allow_new`), and to discover every tag ' +
      '(`discover.allow_all`): names are unique, so others would learn if a hidden tag has the name. For the owner, ' +
      '`confusable_with` names an existing tag whose name looks the same.',
    requires: { callers: 'any', permission: 'tags.create_new' },
    status: 201,
    answers: CreatedTagDto,
    errors: ['TAG_ALREADY_EXISTS', 'NOT_FOUND'],
  })
  async create(@CurrentAccess() access: Access, @Body() body: CreateTagBody): Promise<CreatedTagDto> {
    return this.presenter.presentCreated(access, await this.tags.create(access, body));
  }

  @Get()
  @Endpoint({
    summary: 'List tags by name',
    holdsNoSecret: true,
    description:
      'Lists your tags, tags on nodes that others share with you, or tags that an app may discover. Apps that may only discover a tag see its id and name. Of each sharer the first 1,000 tags count, fewer where more than 20 people share: `truncated`.',
    requires: { callers: 'any' },
    answers: TagListDto,
  })
  async list(@CurrentAccess() access: Access, @Query() query: TagListQuery): Promise<TagListDto> {
    const { search, category, parent_tag_id } = query;
    const filter = { search, category, parentTagId: parent_tag_id, access: query.access };
    const limit = query.limit ?? query.per_page;
    const offset = query.offset ?? (query.page - 1) * limit;
    const list = (room: Room) => this.queries.list(access, { filter, ...room });
    const { items, isCut, ...rest } = await this.page(access, { ...query, limit, offset }, list);
    const page = Math.floor(offset / limit) + 1;
    return { tags: items, ...rest, page, per_page: limit, truncated: isCut };
  }

  @Post('bulk-delete')
  @Endpoint({
    summary: 'Delete up to 100 tags',
    description:
      'Deletes all of the tags that exist for you, or none: 403 when you may not delete one of them.',
    requires: { callers: 'any', permission: 'tags.edit' },
    answers: BulkDeletedTagsDto,
  })
  async deleteMany(
    @CurrentAccess() access: Access,
    @Body() body: BulkDeleteTagsBody,
  ): Promise<BulkDeletedTagsDto> {
    const { deleted, notFound } = await this.tags.deleteMany(access, body.tag_ids);
    const message = `${deleted} ${deleted === 1 ? 'tag' : 'tags'} deleted`;
    return { deleted_count: deleted, not_found_ids: notFound, message };
  }

  @Get(':tag_id')
  @Endpoint({
    summary: 'Get a tag',
    holdsNoSecret: true,
    description:
      'Apps that may only discover the tag see its id and name. A tag that you may not know reads as absent.',
    requires: located('read'),
    answers: TagDto,
  })
  async get(
    @CurrentAccess() access: Access,
    @Located('tag') tag: Tag,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TagDto> {
    const shown = await this.presenter.present(access, tag);
    setEtag(response, await this.presenter.etag(access, tag, shown));
    return shown;
  }

  @Put(':tag_id')
  @ApiBody({ type: UpdateTagBody })
  @Endpoint({
    summary: 'Change a tag',
    description: 'Absent fields stay unchanged, null clears. Nodes keep the tag under its new name.',
    requires: located('edit'),
    answers: TagDto,
    errors: ['TAG_ALREADY_EXISTS', 'PRECONDITION_FAILED'],
  })
  async update(
    @CurrentAccess() access: Access,
    @Located('tag') { id }: Tag,
    @Body() body: WrittenTagBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TagDto> {
    const edit = { body: body as TagBody, precondition: this.unchanged(access, request) };
    const tag = await this.tags.update(access, id, edit);
    const shown = await this.presenter.presentWritten(access, tag);
    setEtag(response, await this.presenter.etag(access, tag, shown));
    return shown;
  }

  @Delete(':tag_id')
  @Endpoint({
    summary: 'Delete a tag',
    description: 'Its nodes stay; tags below it become top-level tags.',
    requires: located('edit'),
    answers: DeletedTagDto,
    errors: ['PRECONDITION_FAILED'],
  })
  async delete(
    @CurrentAccess() access: Access,
    @Located('tag') { id }: Tag,
    @Req() request: Request,
  ): Promise<DeletedTagDto> {
    const affected_nodes = await this.tags.delete(access, id, this.unchanged(access, request));
    return { message: 'Tag deleted', id, affected_nodes };
  }

  private page(
    access: Access,
    { include_nodes, include_node_counts, view, ...room }: TagListQuery & Room,
    list: (room: Room) => Promise<TagPage>,
  ): Promise<TagsWithinBytes<ListedTagDto>> {
    if (include_nodes) return this.pages.withNodes(access, { ...room, view }, list);
    return include_node_counts
      ? this.pages.withCounts(access, room, list)
      : this.pages.alone(access, room, list);
  }

  private unchanged(access: Access, request: Request): TagPrecondition {
    return async (tag) => {
      if (hasIfMatch(request)) checkIfMatch(request, await this.presenter.etag(access, tag));
    };
  }
}
