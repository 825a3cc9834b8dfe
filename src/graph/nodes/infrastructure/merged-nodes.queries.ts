import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/persistence/database.js';
import { type Sql, sql } from '../../../kernel/persistence/sql.js';
import { type Access, compileVisibility, type Received } from '../../../privacy/index.js';
import { type NodeRecord } from '../../common/index.js';
import {
  type Arm,
  armOfOwn,
  armsOf,
  byExposure,
  type Counted,
  FACT_COLUMNS,
  inOrder,
  type Kept,
  KeptPlaces,
  MOST,
  type NodeFilter,
  nodesAt,
  nodesWithinBytes,
  NodeTotals,
  type PageStart,
  passing,
  type Place,
  receivedFromOwners,
  searchGivers,
  shownTime,
  startOf,
  STORED_TIME,
} from '../../lists/index.js';
import { type NodeListing, type NodePage, NodesQueries } from './nodes.queries.js';
import { type Reach, type ReachedListing } from './reach.js';
import { ShownVersions } from './shown-versions.js';

type Sort = NodeListing['sort'];

interface Parts {
  kept: Kept;
  /** The parts read in the database itself: the own graph, and sharers with many things. */
  live: { arms: readonly Arm[]; total: number };
}

/**
 * Own and received nodes, sorted, paged and counted as one list. Own nodes come from the list index; the
 * positions of received ones are cached, so that a page costs the same for any number of sharers.
 */
@Injectable()
export class MergedNodes {
  constructor(
    private readonly database: Database,
    private readonly nodes: NodesQueries,
    private readonly totals: NodeTotals,
    private readonly keptPlaces: KeptPlaces,
    private readonly versions: ShownVersions,
  ) {}

  async list(reach: Reach, listing: ReachedListing): Promise<NodePage> {
    if (listing.sort !== 'updated_at') return this.listBy(reach, listing, STORED_TIME);
    return this.versions.ordered(reach.own, (behind) => this.listBy(reach, listing, shownTime(behind)));
  }

  /** @param updatedAt the shown time of change of own nodes */
  private async listBy(reach: Reach, listing: ReachedListing, updatedAt: Sql): Promise<NodePage> {
    const { kept, live } = await this.parts(reach, listing, updatedAt);
    const places = inOrder(kept.places, listing.order);
    const start = await startOf(places, listing.offset, {
      total: live.total,
      between: (after, before) => this.countBetween(live.arms, listing, { after, before }),
    });
    const some = places.slice(start.index, start.index + start.skip + listing.limit);
    const records = await this.page(reach, listing, { start, places: some, arms: live.arms });
    return { records, total: live.total + kept.places.length };
  }

  /** The exact number of received nodes. */
  async countReceived(
    { own, received }: Pick<Reach, 'own' | 'received'>,
    filter: NodeFilter,
  ): Promise<number> {
    const kept = await this.places(received, filter, 'updated_at');
    return kept.places.length + (await this.countMany(own, received, { kept, filter }));
  }

  private async parts({ own, received }: Reach, listing: ReachedListing, updatedAt: Sql): Promise<Parts> {
    const { access, filter, receivedFilter, sort } = listing;
    const kept = await this.places(received, receivedFilter, sort);
    const isOwnIn = access !== 'shared';
    const owned = isOwnIn ? await this.nodes.count(own, filter) : 0;
    const others = await this.countMany(own, received, { kept, filter: receivedFilter });
    const arms = [
      ...(isOwnIn ? [armOfOwn(own, filter, updatedAt)] : []),
      ...armsOf(receivedFromOwners(received, kept.many), receivedFilter),
    ];
    return { kept, live: { arms, total: owned + others } };
  }

  private places(received: Received, filter: NodeFilter, sort: Sort): Promise<Kept> {
    return this.keptPlaces.of(received, `nodes ${sort} ${JSON.stringify(filter)}`, async (ownerIds) => {
      const { accesses } = receivedFromOwners(received, ownerIds);
      const found = [...byExposure(accesses)].flatMap(([exposure, those]) => {
        const passes = sql`${passing(filter, exposure.detail)} AND ${compileVisibility(received.within, FACT_COLUMNS)}`;
        return searchGivers(those, {
          columns: sql`n.owner_id, n.id, ${placeKey(sortKey({ exposure, updatedAt: STORED_TIME }, sort), sort)} AS key`,
          from: (owner) => sql`FROM nodes AS n WHERE n.owner_id = ${owner} AND ${passes}`,
          fromNodes: sql`JOIN nodes AS n ON n.owner_id = given.owner_id AND n.id = given.id WHERE ${passes}`,
          nodes: [FACT_COLUMNS],
        });
      });
      if (found.length === 0) return [];
      return this.database.read<Place>(
        sql`SELECT owner_id AS "ownerId", id, key FROM (${sql.join(found, ' UNION ALL ')}) AS found LIMIT ${MOST + 1}`,
        'received-places',
      );
    });
  }

  /** Cached like any total, until one of the owners' graphs changes. */
  private async countMany(
    own: Access,
    received: Received,
    { kept: { many }, filter }: { kept: Kept; filter: NodeFilter },
  ): Promise<number> {
    if (many.size === 0) return 0;
    const count = async (): Promise<Counted> => {
      const arms = armsOf(receivedFromOwners(received, many), filter);
      const counts = arms.map((arm) => arm.select(sql`count(*)`));
      const [counted] = await this.database.read<Counted>(
        sql`SELECT ${counts.length === 0 ? sql`0::bigint` : sql.join(counts, ' + ')} AS total,
          coalesce((SELECT sum(changes) FROM sequences WHERE id = ANY(${received.ownerIds}::uuid[])), 0)::bigint AS changes`,
        'received-count',
      );
      return counted as Counted;
    };
    const { key, changes } = received;
    const whose = { ownerId: own.ownerId, key: `${key} many ${[...many].sort().join()}`, changes };
    return this.totals.total(whose, JSON.stringify(filter), count);
  }

  private async countBetween(
    arms: readonly Arm[],
    { sort, order }: ReachedListing,
    { after, before }: { after: Place | null; before: Place },
  ): Promise<number> {
    const counts = arms.map((arm) => {
      const key = sortKey(arm, sort);
      const until = beyond({ key, sort, order: order === 'asc' ? 'desc' : 'asc' }, before);
      return arm.select(
        sql`count(*)`,
        after === null ? until : sql`${until} AND ${beyond({ key, sort, order }, after)}`,
      );
    });
    const [counted] = await this.database.read<{ total: number }>(
      sql`SELECT ${sql.join(counts, ' + ')} AS total`,
      'reached-before',
    );
    return counted?.total ?? 0;
  }

  private async page(
    { received }: Reach,
    { receivedFilter, sort, order, limit }: ReachedListing,
    { start, places, arms }: { start: PageStart; places: readonly Place[]; arms: readonly Arm[] },
  ): Promise<NodeRecord[]> {
    const direction = sql.raw(order === 'asc' ? 'ASC' : 'DESC');
    const most = start.skip + limit;
    const columns = (exposure: Arm['exposure']): Sql =>
      sql`n.owner_id, n.id, ${sortKey({ exposure, updatedAt: STORED_TIME }, sort)} AS key`;
    const found = [
      ...nodesAt(received, receivedFilter, { places, columns }),
      ...arms.map((arm) => {
        const key = sortKey(arm, sort);
        const also = start.after === null ? TRUE : beyond({ key, sort, order }, start.after);
        return arm.first({ key, direction, most, also });
      }),
    ];
    if (found.length === 0) return [];
    const by = sql`key ${direction}, id ${direction}`;
    const rows = sql`(SELECT * FROM (${sql.join(found, ' UNION ALL ')}) AS found ORDER BY ${by} LIMIT ${limit} OFFSET ${start.skip}) AS place
      JOIN nodes AS n ON n.owner_id = place.owner_id AND n.id = place.id`;
    return this.database.read<NodeRecord>(
      nodesWithinBytes(rows, sql`place.key ${direction}, place.id ${direction}`),
      'reached-page',
    );
  }
}

const TRUE = sql.raw('TRUE');

/** Titles in the order of their code points; a hidden one sorts as null (rule 3.16). */
function sortKey({ exposure, updatedAt }: Pick<Arm, 'exposure' | 'updatedAt'>, sort: Sort): Sql {
  if (sort === 'updated_at') return updatedAt;
  if (sort === 'created_at') return sql.raw('n.created_at');
  return sql.raw(exposure.detail === 'minimal' ? `''::text COLLATE "C"` : 'n.title COLLATE "C"');
}

/** Times as microseconds, as the database stores them; JavaScript's dates only have milliseconds. */
const placeKey = (key: Sql, sort: Sort): Sql =>
  sort === 'title' ? key : sql`(extract(epoch FROM ${key}) * 1000000)::bigint`;

/** The entries after a place in this order. */
function beyond({ key, sort, order }: { key: Sql; sort: Sort; order: 'asc' | 'desc' }, place: Place): Sql {
  const value =
    sort === 'title'
      ? sql`${place.key}::text`
      : sql`(timestamptz 'epoch' + ${place.key}::double precision * interval '1 microsecond')`;
  return sql`(${key}, n.id) ${sql.raw(order === 'asc' ? '>' : '<')} (${value}, ${place.id}::uuid)`;
}
