import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/persistence/database.js';
import { type Sql, sql } from '../../../kernel/persistence/sql.js';
import { type Access, type Received } from '../../../privacy/index.js';
import {
  type Counted,
  inOrder,
  type Kept,
  KeptPlaces,
  MOST,
  newestFirst,
  NodeTotals,
  type Place,
  receivedFromOwners,
  rowsAt,
  searchGivers,
  startOf,
} from '../../lists/index.js';
import {
  EDGE_WITH_ENDS,
  type EdgeRow,
  LIVING_EDGES,
  LIVING_EDGES_ONE_BY_ONE,
  readableEdges,
  receivedEdges,
  type RelationshipFilter,
  type RelationshipListing,
  searchedEdges,
  WITH_LIVING_ENDS,
} from './relationship-rows.js';

interface Asked {
  access: Access;
  received: Received;
  /** The number of own relationships that pass the filter. */
  own: number;
}

/** Relationships of one owner in the order of the list, and all of them. */
interface EdgeArm {
  count(also: Sql): Sql;
  first(most: number, also: Sql): Sql;
}

/** Own and received relationships as one list; as with nodes, the positions of received ones are cached. */
@Injectable()
export class MergedRelationships {
  constructor(
    private readonly database: Database,
    private readonly totals: NodeTotals,
    private readonly keptPlaces: KeptPlaces,
  ) {}

  async list(asked: Asked, listing: RelationshipListing): Promise<{ rows: EdgeRow[]; total: number }> {
    const { filter, limit, offset } = listing;
    const order = orderOf(asked.access);
    const kept = await this.places(asked, filter, order);
    const arms = armsOf(asked, filter, kept.many);
    const live = asked.own + (await this.countMany(asked, filter, kept));
    const places = inOrder(kept.places, order.direction);
    const start = await startOf(places, offset, {
      total: live,
      between: (after, before) => this.countBetween(arms, order, { after, before }),
    });
    const some = places.slice(start.index, start.index + start.skip + limit);
    const also = start.after === null ? TRUE : order.beyond(start.after);
    const found = [at(asked, filter, some), ...arms.map((arm) => arm.first(start.skip + limit, also))];
    const rows = await this.database.read<EdgeRow>(
      sql`SELECT r.* FROM (${sql.join(found, ' UNION ALL ')}) AS r
        ORDER BY ${newestFirst(asked.access, 'r')} LIMIT ${limit} OFFSET ${start.skip}`,
      'reached-relationships-page',
    );
    return { rows, total: live + kept.places.length };
  }

  private places({ access, received }: Asked, filter: RelationshipFilter, { key }: Order): Promise<Kept> {
    const question = `relationships ${JSON.stringify(filter)}`;
    return this.keptPlaces.of(received, question, async (ownerIds) => {
      const { accesses } = receivedFromOwners(received, ownerIds);
      const found = searchGivers(accesses, searchedEdges(access, received, { filter, key }));
      if (found.length === 0) return [];
      return this.database.read<Place>(
        sql`SELECT owner_id AS "ownerId", id, key FROM (${sql.join(found, ' UNION ALL ')}) AS found LIMIT ${MOST + 1}`,
        'received-relationships-places',
      );
    });
  }

  private async countMany(
    { access, received }: Asked,
    filter: RelationshipFilter,
    { many }: Kept,
  ): Promise<number> {
    if (many.size === 0) return 0;
    const count = async (): Promise<Counted> => {
      const [counted] = await this.database.read<Counted>(
        sql`SELECT count(*) AS total,
            coalesce((SELECT sum(changes) FROM sequences WHERE id = ANY(${received.ownerIds}::uuid[])), 0)::bigint AS changes
          FROM ${LIVING_EDGES} WHERE ${receivedEdges(access, receivedFromOwners(received, many), filter)}`,
        'received-relationships-count',
      );
      return counted as Counted;
    };
    const { key, changes } = received;
    const whose = { ownerId: access.ownerId, key: `${key} many ${[...many].sort().join()}`, changes };
    return this.totals.total(whose, `relationships ${JSON.stringify(filter)}`, count);
  }

  private async countBetween(
    arms: readonly EdgeArm[],
    order: Order,
    { after, before }: { after: Place | null; before: Place },
  ): Promise<number> {
    const until = order.until(before);
    const also = after === null ? until : sql`${until} AND ${order.beyond(after)}`;
    const [counted] = await this.database.read<{ total: number }>(
      sql`SELECT ${sql.join(
        arms.map((arm) => arm.count(also)),
        ' + ',
      )} AS total`,
      'reached-relationships-before',
    );
    return counted?.total ?? 0;
  }
}

const TRUE = sql.raw('TRUE');

interface Order {
  direction: 'asc' | 'desc';
  key: Sql;
  beyond(place: Place): Sql;
  until(place: Place): Sql;
}

/** The order of {@link newestFirst}. */
function orderOf({ exposure }: Access): Order {
  if (exposure.transforms('created_at')) {
    return {
      direction: 'asc',
      key: sql.raw('0::bigint'),
      beyond: ({ id }) => sql`r.id > ${id}`,
      until: ({ id }) => sql`r.id < ${id}`,
    };
  }
  const at = ({ id, key }: Place): Sql =>
    sql`(timestamptz 'epoch' + ${key}::double precision * interval '1 microsecond', ${id}::uuid)`;
  return {
    direction: 'desc',
    key: sql.raw('(extract(epoch FROM r.created_at) * 1000000)::bigint'),
    beyond: (place) => sql`(r.created_at, r.id) < ${at(place)}`,
    until: (place) => sql`(r.created_at, r.id) > ${at(place)}`,
  };
}

function armsOf(
  { access, received }: Asked,
  filter: RelationshipFilter,
  many: ReadonlySet<string>,
): EdgeArm[] {
  const by = sql`ORDER BY ${newestFirst(access, 'r')}`;
  const owners = [...many];
  const readable = readableEdges(access, filter);
  const given = receivedEdges(access, receivedFromOwners(received, owners), filter);
  const own: EdgeArm = {
    count: (also) => sql`(SELECT count(*) FROM ${LIVING_EDGES_ONE_BY_ONE} WHERE ${readable} AND ${also})`,
    first: (most, also) =>
      sql`(SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES_ONE_BY_ONE} WHERE ${readable} AND ${also} ${by} LIMIT ${most})`,
  };
  const others: EdgeArm = {
    count: (also) =>
      sql`(SELECT count(*) FROM ${LIVING_EDGES_ONE_BY_ONE} WHERE r.owner_id = ANY(${owners}::uuid[]) AND ${given} AND ${also})`,
    first: (
      most,
      also,
    ) => sql`(SELECT each.* FROM unnest(${owners}::uuid[]) AS giver (owner_id) CROSS JOIN LATERAL (
        SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES_ONE_BY_ONE}
        WHERE r.owner_id = giver.owner_id AND ${given} AND ${also} ${by} LIMIT ${most}
      ) AS each)`,
  };
  return [...(filter.access === 'shared' ? [] : [own]), ...(owners.length > 0 ? [others] : [])];
}

/** Relationships at these places that are still received and pass the filter. */
function at({ access, received }: Asked, filter: RelationshipFilter, places: readonly Place[]): Sql {
  const given = receivedFromOwners(
    received,
    places.map(({ ownerId }) => ownerId),
  );
  return sql`(SELECT ${EDGE_WITH_ENDS} FROM ${rowsAt(places, 'relationships', 'r')} ${WITH_LIVING_ENDS}
    WHERE ${receivedEdges(access, given, filter)})`;
}
