import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import {
  type Access,
  NO_INCOMING_SHARES,
  type IncomingShares,
  SharedAccesses,
  TagVocabulary,
} from '../../../privacy/index.js';
import { type GraphView, type NodeRecord, slicesOfShowing } from '../../common/index.js';
import { shownCategory } from '../domain/tag-view.js';
import { type Tag } from '../domain/tag.js';
import {
  type Counted,
  inMaskedPlace,
  MergedLists,
  newestFirst,
  NodeTotals,
  readableNodes,
  sharesOfOwners,
} from '../../lists/index.js';
import { mergedTags } from './merged-tags.js';
import { SharedTags } from './shared-tags.queries.js';
import {
  discoverable,
  isByShownCategory,
  mayBeReceived,
  namedPlaces,
  onReceivedNode,
  tagsWithinBytes,
  type TagFilter,
  type TagListing,
  type TagPage,
} from './tag-rows.js';

/** The fields of a node in a tag's list, with the facts that decide how it is shown. */
export type NodeLabel = Pick<
  NodeRecord,
  'id' | 'title' | 'tag_ids' | 'schema_id' | 'node_type' | 'created_at'
>;

/** The readable nodes of one tag: their number, and the newest of them. */
export interface TaggedNodes {
  count: number;
  newest: NodeLabel[];
}

/** Reads many tags: those that the caller may not discover are absent. */
@Injectable()
export class TagsQueries {
  constructor(
    private readonly database: Database,
    private readonly received: SharedAccesses,
    private readonly totals: NodeTotals,
    private readonly lists: MergedLists,
    private readonly shared: SharedTags,
  ) {}

  /**
   * Tags by name; page and total come from one snapshot. Tags on shared nodes are included (rule 10.7).
   * @throws TOO_MUCH_UNDER_WAY when questions of the caller about masked values are not decided in time (rule 3.15e)
   */
  async list(access: Access, listing: TagListing): Promise<TagPage> {
    const { filter, limit, offset } = listing;
    const received = filter.access === 'owned' ? NO_INCOMING_SHARES : await this.receivedBy(access);
    if (isByShownCategory(access, filter)) return inMaskedPlace(() => this.listAsShown(access, listing));
    if (received.ownerIds.length > 0 && mayBeReceived(filter))
      return this.listMerged(access, received, listing);
    const rows = await this.database.read<Tag & { total: number }>(
      sql`WITH known AS (SELECT t.* FROM tags AS t WHERE ${discoverable(access, filter)})
        SELECT page.*, counted.total FROM (SELECT count(*) AS total FROM known) AS counted
        LEFT JOIN (${tagsWithinBytes(
          sql`(SELECT * FROM known ORDER BY name_key COLLATE "C", id LIMIT ${limit} OFFSET ${offset}) AS t`,
        )}) AS page ON TRUE
        ORDER BY page.name_key COLLATE "C", page.id`,
      'tags-list',
    );
    return {
      tags: rows.filter(({ id }) => id !== null),
      total: rows[0]?.total ?? 0,
      accesses: new Map(),
      isCut: false,
    };
  }

  /** Cached until the graph changes: every change of a tag raises its counter. */
  private count(access: Access, filter: TagFilter): Promise<number> {
    const count = async (): Promise<Counted> => {
      const [counted] = await this.database.read<Counted>(
        sql`SELECT count(*) AS total, coalesce((SELECT changes FROM sequences WHERE id = ${access.ownerId}), 0) AS changes
          FROM tags AS t WHERE ${discoverable(access, filter)}`,
        'tags-count',
      );
      return counted as Counted;
    };
    return this.totals.total(access, `tags ${JSON.stringify(filter)}`, count);
  }

  /**
   * A living tag on a node that somebody shares with the caller, and the access to its owner, with the name
   * of the tag.
   */
  async findReceived(caller: Access, id: string): Promise<{ access: Access; tag: Tag } | null> {
    const received = await this.receivedBy(caller);
    const [sharer] = received.ownerIds;
    if (sharer === undefined) return null;
    const [tag] = await this.database.read<Tag>(
      sql`SELECT t.* FROM tags AS t
        WHERE t.owner_id = ANY(${received.ownerIds}::uuid[]) AND t.id = ${id} AND t.deleted_at IS NULL`,
      'received-tag',
    );
    // Queried for an absent tag, too, which would otherwise be answered sooner than a hidden one.
    const owner_id = tag?.owner_id ?? sharer;
    const isReceived = await this.isReceived(received, { owner_id, id });
    const access = tag && received.accessTo(tag.owner_id);
    if (!access || !isReceived) return null;
    return { access: { ...access, vocabulary: new TagVocabulary([{ ...tag, deleted: false }]) }, tag };
  }

  private async listMerged(access: Access, received: IncomingShares, listing: TagListing): Promise<TagPage> {
    const own = await this.count(access, listing.filter);
    const list = mergedTags({ access, received, own }, listing.filter);
    const shared = await this.shared.of(received);
    const kept = { places: namedPlaces(shared.places, listing.filter), many: shared.many };
    const { rows: tags, total } = await this.lists.pageOf<Tag>(list, { kept, live: own }, listing);
    const accesses = new Map(
      tags.flatMap(({ owner_id }) => {
        const one = received.accessTo(owner_id);
        return one ? [[owner_id, one] as const] : [];
      }),
    );
    return { tags, total, accesses, isCut: shared.beyond.size > 0 };
  }

  /** The shares whose tags the caller is shown: none at a detail level that hides the tags of nodes (rule 3.16a). */
  private async receivedBy(caller: Access): Promise<IncomingShares> {
    return caller.exposure.shows('tags') ? this.received.of(caller) : NO_INCOMING_SHARES;
  }

  /** True if a living tag is on a received node of its owner. */
  private async isReceived(
    received: IncomingShares,
    { owner_id, id }: Pick<Tag, 'owner_id' | 'id'>,
  ): Promise<boolean> {
    const rows = await this.database.read(
      sql`SELECT t.id FROM tags AS t WHERE t.owner_id = ${owner_id} AND t.id = ${id} AND t.deleted_at IS NULL
        AND ${onReceivedNode(sharesOfOwners(received, [owner_id]))}`,
      'received-tag-worn',
    );
    return rows.length > 0;
  }

  /** A list by shown categories, which the database does not know: those of all tags are read. */
  private async listAsShown(access: Access, { filter, limit, offset }: TagListing): Promise<TagPage> {
    const known = await this.database.read<Pick<Tag, 'id' | 'category'>>(
      sql`SELECT t.id, t.category FROM tags AS t WHERE ${discoverable(access, filter)} ORDER BY name_key COLLATE "C", id`,
      'tags-list-as-shown',
    );
    const slices = slicesOfShowing();
    const ids: string[] = [];
    for (const tag of known)
      if ((await shownCategory(access, tag, slices)) === filter.category) ids.push(tag.id);
    const tags = await this.database.read<Tag>(
      tagsWithinBytes(
        sql`(SELECT t.* FROM tags AS t WHERE t.owner_id = ${access.ownerId} AND t.deleted_at IS NULL
          AND t.id = ANY(${ids.slice(offset, offset + limit)}::uuid[])) AS t`,
      ),
      'tags-list-as-shown-page',
    );
    return { tags, total: ids.length, accesses: new Map(), isCut: false };
  }

  /** The number of living nodes with a tag that the caller can read. */
  async countNodes(access: Access, tagId: string): Promise<number> {
    const [counted] = await this.database.read<{ total: number }>(
      sql`SELECT count(*) AS total FROM nodes AS n WHERE ${readableNodes(access, { tagIds: [tagId] })}`,
      'tag-nodes-count',
    );
    return counted?.total ?? 0;
  }

  /**
   * The readable nodes of each tag: their number, and the newest few by time of creation. One pass over the
   * nodes for any number of tags; tags without such a node are missing.
   */
  async nodesOf(
    access: Access,
    tagIds: readonly string[],
    { view, each }: { view: GraphView; each: number },
  ): Promise<Map<string, TaggedNodes>> {
    const rows = await this.database.read<NodeLabel & { tag_id: string; count: number }>(
      sql`WITH tagged AS MATERIALIZED (
          SELECT tag.id AS tag_id, array_agg(n.id) AS ids, array_agg(n.created_at) AS times
          FROM nodes AS n CROSS JOIN LATERAL unnest(n.tag_ids) AS tag (id)
          WHERE ${readableNodes(access, { view, tagIds })} AND tag.id = ANY(${tagIds}::uuid[]) GROUP BY tag.id
        )
        SELECT tagged.tag_id, cardinality(tagged.ids) AS count,
          n.id, n.title, n.tag_ids, n.schema_id, n.node_type, n.created_at
        FROM tagged
        CROSS JOIN LATERAL (
          SELECT id FROM unnest(tagged.ids, tagged.times) AS n (id, created_at) ORDER BY ${newestFirst(access, 'n')} LIMIT ${each}
        ) AS newest
        JOIN nodes AS n ON n.owner_id = ${access.ownerId} AND n.id = newest.id
        ORDER BY tagged.tag_id, ${newestFirst(access, 'n')}`,
      'tags-nodes',
    );
    const found = new Map<string, TaggedNodes>();
    for (const { tag_id, count, ...label } of rows) {
      const entry = found.get(tag_id);
      if (entry) entry.newest.push(label);
      else found.set(tag_id, { count, newest: [label] });
    }
    return found;
  }
}
