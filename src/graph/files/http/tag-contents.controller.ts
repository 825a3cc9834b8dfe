import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { Endpoint, type Requirement } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { type Access, CurrentAccess, RAW_FILE_SCHEMA_ID } from '../../../privacy/index.js';
import { FoundPlaces, type NodeFilter } from '../../lists/index.js';
import { type Tag } from '../../tags/index.js';
import { type NodeListing, NodePages, NodesDto, NodesQueries, TagNodesQuery } from '../../nodes/index.js';
import { TaggedFilesDto, TaggedFilesQuery } from './files.dto.js';
import { FilePresenter } from './files.presenter.js';

const LOCATED: Requirement = { callers: 'any', resource: { kind: 'tag', param: 'tag_id', verb: 'read' } };

/** The nodes and files with a tag (specification, Tags; rule 4.14). */
@ApiTags('Tags')
@Controller('tags')
export class TagContentsController {
  constructor(
    private readonly nodes: NodesQueries,
    private readonly pages: NodePages,
    private readonly files: FilePresenter,
  ) {}

  @Get(':tag_id/nodes')
  @Endpoint({
    summary: 'List the nodes with a tag, last changed first',
    holdsNoSecret: true,
    lean: { nodes: 'fields' },
    description: 'The list and the total contain only nodes that the caller can read.',
    requires: LOCATED,
    answers: NodesDto,
  })
  async listNodes(
    @CurrentAccess() access: Access,
    @Located('tag') { id }: Tag,
    @Query() query: TagNodesQuery,
  ): Promise<NodesDto> {
    const listing = listingBy(withTag(access, id));
    const accesses = new Map(access.isReceived ? [[access.ownerId, access]] : []);
    return this.pages.page(access, query, async (room) => ({
      ...(await this.nodes.list(access, { ...listing, ...room })),
      accesses,
    }));
  }

  @Get(':tag_id/files')
  @Endpoint({
    summary: 'List the files with a tag, last changed first',
    holdsNoSecret: true,
    lean: { files: 'fields' },
    description: 'The list and the total contain only files that the caller can read.',
    requires: LOCATED,
    answers: TaggedFilesDto,
  })
  async listFiles(
    @CurrentAccess() access: Access,
    @Located('tag') { id }: Tag,
    @Query() { limit, offset }: TaggedFilesQuery,
  ): Promise<TaggedFilesDto> {
    const filter = { ...withTag(access, id), schemaIds: [RAW_FILE_SCHEMA_ID] };
    const listing = listingBy(filter);
    const { items: files, ...page } = await this.files.page(access, { limit, offset }, (room) =>
      this.nodes.list(access, { ...listing, ...room }),
    );
    return { files, ...page };
  }
}

const withTag = (access: Access, id: string): NodeFilter =>
  access.exposure.shows('tags') ? { tagIds: [id] } : { matchesNothing: true };

const listingBy = (filter: NodeFilter): Omit<NodeListing, keyof Room> => ({
  filter,
  sort: 'updated_at',
  order: 'desc',
  found: new FoundPlaces(),
});
