import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type IncomingShares } from '../../../privacy/index.js';
import { type FoundPlace, type SharedItems, SharedItemIndex, MOST } from './shared-item-index.js';
import { type Counted, NodeTotals } from './node-totals.js';
import { startOf } from './page-start.js';
import { inOrder, type ListPosition } from './list-positions.js';
import { sharesOfOwners } from './shared-nodes.js';

/** The accesses to some owners, and the nodes that may be received from them. */
export type SharesOfOwners = Pick<IncomingShares, 'accesses' | 'within'>;

/** Rows that the database itself reads in the order of the list. No row is in two such parts. */
export interface LivePart {
  /** The number of the part's rows behind one place and before another; null is the beginning of the list. */
  countBetween(after: ListPosition | null, before: ListPosition): Sql;
  /** The first `most` rows behind a place, as a SELECT; of several owners, possibly as many of each. */
  first(most: number, after: ListPosition | null): Sql;
}

/** The reads of a list of one kind: rows at known places, and those beside them. */
export interface ReadRows {
  /** The kind, in the names of statements and cache keys. */
  name: 'nodes' | 'relationships' | 'tags';
  direction: 'asc' | 'desc';
  received: IncomingShares;
  /** The number of own things that pass the filter. */
  own: number;
  /** The own things, and those of owners with many. */
  parts(many: SharesOfOwners): readonly LivePart[];
  /** The rows at these places that are still received and pass the filter, as SELECTs. */
  at(places: readonly ListPosition[], from: SharesOfOwners): readonly Sql[];
  /** The statement of a page of these rows, which are in no order. */
  page(rows: Sql, page: { limit: number; skip: number }): Sql;
}

/** A list of own and received things of one kind: what distinguishes it from the others. */
export interface MergedList extends ReadRows {
  /** The filter for received things, and the order, as texts that differ if either differs. */
  filter: string;
  sort: string;
  callerId: string;
  /** The places of everything that these owners share, as SELECTs of `owner_id, id, key`. */
  search(from: SharesOfOwners): readonly Sql[];
  /** The number of things that these owners share. */
  count(from: SharesOfOwners): Sql;
}

/**
 * Own and received things as one list, sorted, paged and counted together. The own ones, and those of sharers with
 * many, are read in the database; the positions of all others are cached, so that a page costs the same for any number
 * of sharers.
 */
@Injectable()
export class MergedLists {
  constructor(
    private readonly database: Database,
    private readonly totals: NodeTotals,
    private readonly keptPlaces: SharedItemIndex,
  ) {}

  async page<Row extends object>(list: MergedList, room: Room): Promise<{ rows: Row[]; total: number }> {
    const kept = await this.places(list);
    return this.pageOf(list, { kept, live: list.own + (await this.countMany(list, kept)) }, room);
  }

  /**
   * A page of things whose places are known.
   * @param live the number of own things and those of owners with many
   */
  async pageOf<Row extends object>(
    list: ReadRows,
    { kept, live }: { kept: Pick<SharedItems, 'places' | 'many'>; live: number },
    { limit, offset }: Room,
  ): Promise<{ rows: Row[]; total: number }> {
    const total = live + kept.places.length;
    // Otherwise all places behind a late start would be looked at, to be skipped.
    if (offset >= total) return { rows: [], total };
    const parts = list.parts(sharesOfOwners(list.received, kept.many));
    const places = inOrder(kept.places, list.direction);
    const { after, index, skip } = await startOf(places, offset, {
      total: live,
      between: (from, before) =>
        this.countBetween(
          list,
          parts.map((part) => part.countBetween(from, before)),
        ),
    });
    const some = places.slice(index, index + skip + limit);
    const owners = some.map(({ ownerId }) => ownerId);
    const found = [
      ...list.at(some, sharesOfOwners(list.received, owners)),
      ...parts.map((part) => part.first(skip + limit, after)),
    ];
    const rows =
      found.length === 0
        ? []
        : await this.database.read<Row>(
            list.page(sql.join(found, ' UNION ALL '), { limit, skip }),
            `merged-${list.name}-page`,
          );
    return { rows, total };
  }

  /** The exact number of own and received things. */
  async count(list: MergedList): Promise<number> {
    const kept = await this.places(list);
    return list.own + kept.places.length + (await this.countMany(list, kept));
  }

  /** The places of received things, and the owners with too many of them for that. */
  places(list: MergedList): Promise<SharedItems> {
    const { name, sort, filter, received } = list;
    return this.keptPlaces.of(received, `${name} ${sort} ${filter}`, async (ownerIds) => {
      const found = list.search(sharesOfOwners(received, ownerIds));
      if (found.length === 0) return [];
      return this.database.read<FoundPlace>(
        sql`SELECT owner_id AS "ownerId", id, key FROM (${sql.join(found, ' UNION ALL ')}) AS found LIMIT ${MOST + 1}`,
        `merged-${name}-places`,
      );
    });
  }

  /** The number of things of owners with many: cached like any total, until one of the owners' graphs changes. */
  private async countMany(list: MergedList, { many }: SharedItems): Promise<number> {
    if (many.size === 0) return 0;
    const { name, filter, callerId, received } = list;
    const count = async (): Promise<Counted> => {
      const [counted] = await this.database.read<Counted>(
        sql`SELECT ${list.count(sharesOfOwners(received, many))} AS total,
          coalesce((SELECT sum(changes) FROM sequences WHERE id = ANY(${received.ownerIds}::uuid[])), 0)::bigint AS changes`,
        `merged-${name}-many`,
      );
      return counted as Counted;
    };
    const { key, changes } = received;
    const whose = { ownerId: callerId, key: `${key} many ${[...many].sort().join()}`, changes };
    return this.totals.total(whose, `${name} ${filter}`, count);
  }

  private async countBetween({ name }: ReadRows, counts: readonly Sql[]): Promise<number> {
    const [counted] = await this.database.read<{ total: number }>(
      sql`SELECT ${sql.join(counts, ' + ')} AS total`,
      `merged-${name}-before`,
    );
    return counted?.total ?? 0;
  }
}
