import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import {
  type Access,
  NOTHING_RECEIVED,
  type Received,
  ReceivedAccesses,
  tagNameKey,
  type TagGrant,
  TagVocabulary,
} from '../../privacy/index.js';
import { type GraphView, type NodeRecord } from '../domain/node-record.js';
import { wholeTagGrants } from '../domain/tag-rights.js';
import { shownCategory } from '../domain/tag-view.js';
import { type Tag } from '../domain/tag.js';
import { readableNodes } from './node-filter.js';
import { armsOf } from './received-nodes.js';
import { newestFirst } from './newest-first.js';

/** Which tags a list is about; what is absent does not restrict. */
export interface TagFilter {
  /** `shared`: what others share with the caller. */
  access: 'owned' | 'shared' | 'all';
  /** Part of the name, letter case aside; every character literal. */
  search?: string;
  category?: string;
  /** The word of the caller: what is no id of a tag he knows matches nothing. */
  parentTagId?: string;
}

export interface TagListing {
  filter: TagFilter;
  limit: number;
  offset: number;
}

/** `total`: how many tags the caller may know in all, exactly (decisions 4.8). */
export interface TagPage {
  tags: Tag[];
  total: number;
  /** To the owners of tags that are not the caller's own. */
  accesses: ReadonlyMap<string, Access>;
}

/** What of a node names it in a tag's list, with the facts that decide how it is shown. */
export type NodeLabel = Pick<
  NodeRecord,
  'id' | 'title' | 'tag_ids' | 'schema_id' | 'node_type' | 'created_at'
>;

/** The readable nodes of one tag: how many, and the newest of them. */
export interface TaggedNodes {
  count: number;
  newest: NodeLabel[];
}

/** Reading many tags: those that the caller may not discover are not there. */
@Injectable()
export class TagsQueries {
  constructor(
    private readonly database: Database,
    private readonly received: ReceivedAccesses,
  ) {}

  /** By name; page and total from one snapshot. Tags on nodes that others share are among them (decisions 10.7). */
  async list(access: Access, listing: TagListing): Promise<TagPage> {
    const { filter, limit, offset } = listing;
    const received = filter.access === 'owned' ? NOTHING_RECEIVED : await this.received.of(access);
    if (isByShownCategory(access, filter)) return this.listAsShown(access, listing);
    const rows = await this.database.read<Tag & { total: number }>(
      sql`WITH known AS (
          SELECT t.* FROM tags AS t WHERE ${discoverable(access, filter)}
          ${received.accesses.length === 0 ? sql.empty : sql`UNION ALL SELECT t.* FROM tags AS t WHERE ${onReceived(received, filter)}`}
        )
        SELECT page.*, counted.total FROM (SELECT count(*) AS total FROM known) AS counted
        LEFT JOIN (SELECT * FROM known ORDER BY name_key COLLATE "C", id LIMIT ${limit} OFFSET ${offset}) AS page ON TRUE
        ORDER BY page.name_key COLLATE "C", page.id`,
      'tags-list',
    );
    return {
      tags: rows.filter(({ id }) => id !== null),
      total: rows[0]?.total ?? 0,
      accesses: new Map(received.accesses.map((one) => [one.ownerId, one])),
    };
  }

  /** A living tag on a node that somebody shares with the caller, and the access to its owner that knows it. */
  async findReceived(caller: Access, id: string): Promise<{ access: Access; tag: Tag } | null> {
    const received = await this.received.of(caller);
    if (received.accesses.length === 0) return null;
    const [tag] = await this.database.read<Tag>(
      sql`SELECT t.* FROM tags AS t WHERE t.id = ${id} AND ${onReceived(received, { access: 'shared' }, id)}`,
      'received-tag',
    );
    const access = tag && received.accesses.find(({ ownerId }) => ownerId === tag.owner_id);
    if (!access) return null;
    return { access: { ...access, vocabulary: new TagVocabulary([{ ...tag, deleted: false }]) }, tag };
  }

  /** By categories as the caller is shown them, which the database does not know: all tags are read. */
  private async listAsShown(access: Access, { filter, limit, offset }: TagListing): Promise<TagPage> {
    const known = await this.database.read<Tag>(
      sql`SELECT t.* FROM tags AS t WHERE ${discoverable(access, filter)} ORDER BY name_key COLLATE "C", id`,
      'tags-list-as-shown',
    );
    const tags = known.filter((tag) => shownCategory(access, tag) === filter.category);
    return { tags: tags.slice(offset, offset + limit), total: tags.length, accesses: new Map() };
  }

  /**
   * The readable nodes of each tag, counted, and the newest few by the time of their making. One pass over the
   * nodes, however many tags; tags without such a node are missing.
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

/**
 * Living tags that the caller may know and that pass the filter. Category and parent decide only about tags that he
 * is shown whole, and a parent only where he may know it, too: a filter must not tell what the answer hides
 * (decisions 3.16).
 */
function discoverable(access: Access, filter: TagFilter): Sql {
  const { access: whose, search, category, parentTagId } = filter;
  if (whose === 'shared') return sql.raw('FALSE');
  const sought = search === undefined ? '' : searchKey(search);
  const hidden = category !== undefined || parentTagId !== undefined;
  return sql.and([
    sql`t.owner_id = ${access.ownerId} AND t.deleted_at IS NULL`,
    granted([access.tags.discover], 't.id'),
    hidden && granted(wholeTagGrants(access), 't.id'),
    sought !== '' && sql`strpos(t.name_key, ${sought}) > 0`,
    category !== undefined && !isByShownCategory(access, filter) && sql`t.category = ${category}`,
    parentTagId !== undefined &&
      sql`t.parent_tag_id::text = ${parentTagId.toLowerCase()} AND ${granted([access.tags.discover], 't.parent_tag_id')}`,
  ]);
}

/**
 * Living tags on received nodes. Of these only the name is known, so that no filter by anything else finds them.
 * @param only looks for nodes with this tag alone
 */
function onReceived(received: Received, filter: TagFilter, only?: string): Sql {
  if (filter.category !== undefined || filter.parentTagId !== undefined) return sql.raw('FALSE');
  const sought = filter.search === undefined ? '' : searchKey(filter.search);
  const arms = armsOf(received, only === undefined ? {} : { tagIds: [only] });
  const ids = arms.map((arm) => arm.select(sql`unnest(n.tag_ids) AS tag_id`));
  if (ids.length === 0) return sql.raw('FALSE');
  return sql.and([
    sql`t.owner_id = ANY(${received.accesses.map(({ ownerId }) => ownerId)}::uuid[]) AND t.deleted_at IS NULL`,
    sql`t.id IN (SELECT worn.tag_id FROM (${sql.join(ids, ' UNION ALL ')}) AS worn)`,
    sought !== '' && sql`strpos(t.name_key, ${sought}) > 0`,
  ]);
}

/** Whether transformations show the caller other categories than are stored: a filter goes by those he is shown. */
const isByShownCategory = ({ exposure }: Access, { category }: TagFilter): boolean =>
  category !== undefined && exposure.transforms('value');

/** Whether one of the grants reaches the tag in this column. */
function granted(grants: readonly TagGrant[], column: 't.id' | 't.parent_tag_id'): Sql {
  if (grants.some(({ allowAll }) => allowAll)) return sql.raw('TRUE');
  const ids = [...new Set(grants.flatMap(({ tagIds }) => [...tagIds]))];
  return sql`${sql.raw(column)} = ANY(${ids}::uuid[])`;
}

/** Folded as names are, but for the space at its ends, which is as literal as any other character. */
function searchKey(search: string): string {
  const core = search.trim();
  return core === '' ? search : search.replace(core, () => tagNameKey(core));
}
