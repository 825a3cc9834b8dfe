import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/persistence/database.js';
import { type Sql, sql } from '../../../kernel/persistence/sql.js';
import { type Access, compileVisibility, type Received } from '../../../privacy/index.js';
import { type Tag } from '../domain/tag.js';
import {
  FACT_COLUMNS,
  inOrder,
  type Kept,
  KeptPlaces,
  MOST,
  type Place,
  receivedFromOwners,
  rowsAt,
  searchGivers,
  startOf,
} from '../../lists/index.js';
import {
  discoverable,
  named,
  onReceivedNode,
  type TagFilter,
  type TagListing,
  type TagPage,
  tagsWithinBytes,
  wornBy,
} from './tag-rows.js';

interface Asked {
  access: Access;
  received: Received;
  /** The number of own tags that pass the filter. */
  own: number;
}

/** Own tags, and those on nodes that others share, as one list by name (rule 10.7). */
@Injectable()
export class MergedTags {
  constructor(
    private readonly database: Database,
    private readonly keptPlaces: KeptPlaces,
  ) {}

  async list({ access, received, own }: Asked, listing: TagListing): Promise<TagPage> {
    const { filter, limit, offset } = listing;
    const kept = await this.places(received, filter);
    const live = liveTags(access, filter, receivedFromOwners(received, kept.many));
    const total = kept.many.size === 0 ? own : await this.count(live);
    const places = inOrder(kept.places, 'asc');
    const start = await startOf(places, offset, {
      total,
      between: (after, before) =>
        this.count(sql`${live} AND NOT ${behind(before)} AND ${after === null ? TRUE : behind(after)}`),
    });
    const some = places.slice(start.index, start.index + start.skip + limit);
    const given = receivedFromOwners(
      received,
      some.map(({ ownerId }) => ownerId),
    );
    const { after } = start;
    const tags = await this.database.read<Tag>(
      tagsWithinBytes(
        sql`(SELECT t.* FROM (
          (SELECT t.* FROM ${rowsAt(some, 'tags', 't')}
            WHERE t.deleted_at IS NULL AND ${named(filter)} AND ${onReceivedNode(given)})
          UNION ALL
          (SELECT t.* FROM tags AS t WHERE ${live} AND ${after === null ? TRUE : behind(after)}
            ORDER BY name_key COLLATE "C", id LIMIT ${start.skip + limit})
        ) AS t ORDER BY name_key COLLATE "C", id LIMIT ${limit} OFFSET ${start.skip}) AS t`,
      ),
      'reached-tags',
    );
    const accesses = new Map(
      tags.flatMap(({ owner_id }) => {
        const one = received.accessTo(owner_id);
        return one ? [[owner_id, one] as const] : [];
      }),
    );
    return { tags, total: total + kept.places.length, accesses };
  }

  /** True if a living tag is on a received node of its owner. */
  async isReceived(received: Received, { owner_id, id }: Pick<Tag, 'owner_id' | 'id'>): Promise<boolean> {
    const rows = await this.database.read(
      sql`SELECT t.id FROM tags AS t WHERE t.owner_id = ${owner_id} AND t.id = ${id} AND t.deleted_at IS NULL
        AND ${onReceivedNode(receivedFromOwners(received, [owner_id]))}`,
      'received-tag-worn',
    );
    return rows.length > 0;
  }

  private places(received: Received, filter: TagFilter): Promise<Kept> {
    const question = `tags ${JSON.stringify({ search: filter.search })}`;
    return this.keptPlaces.of(received, question, async (ownerIds) => {
      const { accesses, within } = receivedFromOwners(received, ownerIds);
      const passes = sql`n.deleted_at IS NULL AND t.deleted_at IS NULL AND ${named(filter)} AND ${compileVisibility(within, FACT_COLUMNS)}`;
      const worn = sql`CROSS JOIN LATERAL unnest(n.tag_ids) AS worn (id) JOIN tags AS t ON t.owner_id = n.owner_id AND t.id = worn.id`;
      const found = searchGivers(accesses, {
        columns: sql`DISTINCT t.owner_id, t.id, t.name_key AS key`,
        from: (owner) => sql`FROM nodes AS n ${worn} WHERE n.owner_id = ${owner} AND ${passes}`,
        fromNodes: sql`JOIN nodes AS n ON n.owner_id = given.owner_id AND n.id = given.id ${worn} WHERE ${passes}`,
        nodes: [FACT_COLUMNS],
      });
      if (found.length === 0) return [];
      return this.database.read<Place>(
        sql`SELECT owner_id AS "ownerId", id, key FROM (${sql.join(found, ' UNION ALL ')}) AS found LIMIT ${MOST + 1}`,
        'received-tags-places',
      );
    });
  }

  private async count(condition: Sql): Promise<number> {
    const [counted] = await this.database.read<{ total: number }>(
      sql`SELECT count(*) AS total FROM tags AS t WHERE ${condition}`,
      'reached-tags-count',
    );
    return counted?.total ?? 0;
  }
}

const TRUE = sql.raw('TRUE');

const behind = ({ key, id }: Place): Sql => sql`(t.name_key COLLATE "C", t.id) > (${key}::text, ${id}::uuid)`;

/** The tags read in the database itself: own tags, and those of sharers with many. */
function liveTags(access: Access, filter: TagFilter, many: Pick<Received, 'accesses' | 'within'>): Sql {
  const own = discoverable(access, filter);
  if (many.accesses.length === 0) return own;
  const owners = many.accesses.map(({ ownerId }) => ownerId);
  return sql`((${own}) OR (t.owner_id = ANY(${owners}::uuid[]) AND t.deleted_at IS NULL AND ${named(filter)} AND ${wornBy(owners, many)}))`;
}
