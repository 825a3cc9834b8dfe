import { Injectable } from '@nestjs/common';
import {
  type PageWithinBytes,
  pageWithinBytes,
  shownInTurn,
} from '../../../kernel/http/answers/page-within-bytes.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access } from '../../../privacy/index.js';
import { type GraphView, slicesOfShowing } from '../../common/index.js';
import { type Tag } from '../domain/tag.js';
import { TagNodeCounts } from '../infrastructure/tag-node-counts.queries.js';
import { type TagPage } from '../infrastructure/tag-rows.js';
import { type TaggedNodes, TagsQueries } from '../infrastructure/tags.queries.js';
import { type ListedTagDto, NODES_EACH, type TagDto } from './tags.dto.js';
import { TagPresenter } from './tags.presenter.js';

type List = (room: Room) => Promise<TagPage>;

/** A page of tags; `isCut` as in {@link TagPage}. */
export type TagsWithinBytes<Shown> = PageWithinBytes<Shown> & Pick<TagPage, 'isCut'>;

/** Lists of tags as answers. */
@Injectable()
export class TagPages {
  constructor(
    private readonly queries: TagsQueries,
    private readonly presenter: TagPresenter,
    private readonly counts: TagNodeCounts,
  ) {}

  /** @param access the access to tags that are not received */
  alone(access: Access, room: Room, list: List): Promise<TagsWithinBytes<TagDto>> {
    const slices = slicesOfShowing();
    const reader = new PartReader(access, list);
    return reader.page(
      pageWithinBytes<Tag, TagDto>({
        ...room,
        read: (part) => reader.read(part),
        show: (tags) => shownInTurn(tags, (tag) => this.presenter.present(reader.accessTo(tag), tag, slices)),
        isWhole: () => reader.isWhole,
        slices,
      }),
    );
  }

  /** The same, each tag with the number of nodes that the list of nodes finds by it (rule 4.23). */
  withCounts(access: Access, room: Room, list: List): Promise<TagsWithinBytes<ListedTagDto>> {
    const slices = slicesOfShowing();
    const reader = new PartReader(access, list);
    return reader.page(
      pageWithinBytes<Tag, ListedTagDto>({
        limit: room.limit,
        offset: room.offset,
        read: (part) => reader.read(part),
        show: async (tags) => {
          const ids = tags.map(({ id }) => id);
          const counts = await this.counts.of(access, ids);
          return shownInTurn(tags, async (tag) => ({
            ...(await this.presenter.present(reader.accessTo(tag), tag, slices)),
            node_count: counts.get(tag.id) ?? 0,
          }));
        },
        isWhole: () => reader.isWhole,
        slices,
      }),
    );
  }

  /** The same, each tag with the newest of its readable nodes in this view. */
  withNodes(
    access: Access,
    { limit, offset, view }: Room & { view: GraphView },
    list: List,
  ): Promise<TagsWithinBytes<ListedTagDto>> {
    const slices = slicesOfShowing();
    const reader = new PartReader(access, list);
    return reader.page(
      pageWithinBytes<Tag, ListedTagDto>({
        limit,
        offset,
        read: (part) => reader.read(part),
        show: async (tags) => {
          const nodes = await this.nodesOf(tags, reader, view);
          return shownInTurn(tags, (tag) =>
            this.presenter.presentWithNodes(reader.accessTo(tag), tag, { tagged: nodes.get(tag.id), slices }),
          );
        },
        // The titles of nodes are not in the stored size of a tag.
        isWhole: () => false,
        slices,
      }),
    );
  }

  private async nodesOf(
    tags: readonly Tag[],
    reader: PartReader,
    view: GraphView,
  ): Promise<Map<string, TaggedNodes>> {
    const nodes = new Map<string, TaggedNodes>();
    const accesses = tags.map((tag) => reader.accessTo(tag));
    for (const access of new Set(accesses)) {
      // A detail level that hides the tags of nodes hides their number, too (rule 3.16a).
      if (!access.exposure.shows('tags')) continue;
      const ids = tags.filter((_, index) => accesses[index] === access).map(({ id }) => id);
      for (const [id, found] of await this.queries.nodesOf(access, ids, { view, each: NODES_EACH }))
        nodes.set(id, found);
    }
    return nodes;
  }
}

/** Reads parts of a list, and knows the access to each tag of the last part. */
class PartReader {
  private accesses: TagPage['accesses'] = new Map();
  private isCut = false;

  constructor(
    private readonly own: Access,
    private readonly list: List,
  ) {}

  async read(room: Room): Promise<{ rows: readonly Tag[]; total: number }> {
    const { tags: rows, total, accesses, isCut } = await this.list(room);
    this.accesses = accesses;
    this.isCut ||= isCut;
    return { rows, total };
  }

  async page<Shown>(reading: Promise<PageWithinBytes<Shown>>): Promise<TagsWithinBytes<Shown>> {
    return { ...(await reading), isCut: this.isCut };
  }

  accessTo({ owner_id }: Tag): Access {
    return this.accesses.get(owner_id) ?? this.own;
  }

  get isWhole(): boolean {
    return [this.own, ...this.accesses.values()].every(({ exposure }) => exposure.isIdentity);
  }
}
