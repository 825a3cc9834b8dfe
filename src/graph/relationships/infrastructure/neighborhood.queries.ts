import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { mapInSlices, sortInSlices } from '../../../kernel/slices.js';
import { type Access } from '../../../privacy/index.js';
import { newestFirst, readableNodes } from '../../lists/index.js';
import {
  compareMet,
  DirectedList,
  type MeetingOrder,
  type Met,
  NeighborLists,
} from '../domain/neighbor-lists.js';
import {
  EDGE_WITH_ENDS,
  type EdgeRow,
  edgesWithinBytes,
  LIVING_EDGES_ONE_BY_ONE,
  readableEdges,
  type RelationshipPage,
  withEnds,
} from './relationship-rows.js';

/** The distance of each found node from the start, in the order in which they are met. */
export interface Neighborhood {
  distances: ReadonlyMap<string, number>;
  /** True if further readable nodes are as near. */
  isCut: boolean;
}

/** The most relationships that one statement looks at, with a look-up of a node for each, or without. */
const LOOKED_UP_AT_ONCE = 5_000;
const SCANNED_AT_ONCE = 10_000;

/** The most milliseconds in which relationships are looked at for one answer, however many of them are hidden. */
const MOST_MS = 5_000;

/** The nodes whose relationships are read together, and the least of each direction. */
const NODES_AT_ONCE = 50;
const LEAST_OF_A_LIST = 25;

/** A part of a list: `n` counts within the part. */
type PartRow = Met & { node_id: string; direction: 'out' | 'in'; n: number; passes: boolean };

interface Part {
  /** The number of relationships to look at in each list. */
  most: number;
  /** The condition for a row of `part`. */
  passes: Sql;
  /** The end of the time of the whole answer, by `performance.now()`. */
  until: number;
}

/**
 * The nodes around one, in the graph of one owner. Relationships are looked at in parts, newest first, and no further than
 * the answer needs: the time of a statement does not depend on the number of a node's relationships.
 */
@Injectable()
export class Neighborhoods {
  constructor(private readonly database: Database) {}

  /**
   * Breadth first: by distance, then in the order of the nodes from which they are reached, then newest relationship first.
   * @param startId a readable node
   */
  async around(
    access: Access,
    startId: string,
    { depth, limit }: { depth: number; limit: number },
  ): Promise<Neighborhood> {
    const until = performance.now() + MOST_MS;
    const distances = new Map([[startId, 0]]);
    let level = [startId];
    for (let distance = 1; distance <= depth && level.length > 0; distance++) {
      const next: string[] = [];
      for await (const { other } of this.metAt(access, level, {
        until,
        room: () => limit + 1 - distances.size,
      })) {
        if (distances.has(other)) continue;
        if (distances.size === limit) return { distances, isCut: true };
        distances.set(other, distance);
        next.push(other);
      }
      level = next;
    }
    return { distances, isCut: false };
  }

  /**
   * The first relationships between these nodes that the caller can read, in the order of lists.
   * @param most the number that is wanted
   * @returns a function that reads the next of them, wherever its room begins
   */
  async between(
    access: Access,
    nodeIds: readonly string[],
    most: number,
  ): Promise<(room: Room) => Promise<RelationshipPage>> {
    const { ids, total } = await this.idsBetween(access, nodeIds, most);
    let [lookedAt, absent] = [0, 0];
    return async ({ limit }) => {
      let edges: RelationshipPage['edges'] = [];
      // Relationships that were deleted or hidden since are left out.
      while (edges.length === 0 && lookedAt < ids.length) {
        const next = ids.slice(lookedAt, lookedAt + limit);
        edges = await this.edges(access, next);
        const last = edges.at(-1);
        const through = last === undefined ? next.length : next.indexOf(last.edge.id) + 1;
        lookedAt += through;
        absent += through - edges.length;
      }
      return { edges, total: total - absent };
    };
  }

  /** The readable relationships of these nodes, node by node. */
  private async *metAt(
    access: Access,
    nodeIds: readonly string[],
    { until, room }: { until: number; room: () => number },
  ): AsyncGenerator<Met, void, undefined> {
    const order = orderOf(access);
    for (let from = 0; from < nodeIds.length; from += NODES_AT_ONCE) {
      const nodes = nodeIds.slice(from, from + NODES_AT_ONCE).map((id) => new NeighborLists(id));
      for (let wanted = Math.max(room(), LEAST_OF_A_LIST); nodes.length > 0; wanted *= 2) {
        const lists = nodes.flatMap((node) => node.lists).filter(({ isUnknown }) => isUnknown);
        const most = Math.min(wanted, Math.floor(LOOKED_UP_AT_ONCE / lists.length));
        await this.readOn(access, lists, { most, passes: isReadable(access), until });
        while (nodes[0] !== undefined) {
          yield* nodes[0].known(order);
          if (!nodes[0].isDone) break;
          nodes.shift();
        }
      }
    }
  }

  /**
   * A relationship is met at either of its nodes, so that a hub is read on only for those that lead to another hub.
   * @returns a total above the number of ids when there are more
   */
  private async idsBetween(
    access: Access,
    nodeIds: readonly string[],
    most: number,
  ): Promise<{ ids: string[]; total: number }> {
    const until = performance.now() + MOST_MS;
    const compare = compareMet(orderOf(access));
    const passes = sql`part.other = ANY(${nodeIds}::uuid[])`;
    const nodes = nodeIds.map((id) => new NeighborLists(id));
    let [first, isMore]: [Met[], boolean] = [[], false];
    let lists = nodes.flatMap((node) => node.lists);
    while (lists.length > 0) {
      await this.readOn(access, lists, { most: Math.floor(SCANNED_AT_ONCE / lists.length), passes, until });
      const found = new Map(
        [...first, ...lists.flatMap((list) => [...taken(list)])].map((met) => [met.id, met]),
      );
      first = (await sortInSlices([...found.values()], compare)).slice(0, most);
      isMore ||= found.size > most;
      lists = stillNeeded(nodes);
    }
    return { ids: first.map(({ id }) => id), total: first.length + Number(isMore) };
  }

  private async edges(access: Access, ids: readonly string[]): Promise<RelationshipPage['edges']> {
    if (ids.length === 0) return [];
    const order = newestFirst(access, 'r');
    const rows = await this.database.read<EdgeRow>(
      edgesWithinBytes(
        sql`SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES_ONE_BY_ONE}
          WHERE ${readableEdges(access, { access: 'owned' })} AND r.id = ANY(${ids}::uuid[])`,
        order,
      ),
      'neighborhood-edges',
    );
    return rows.map(withEnds);
  }

  /** Reads the next part of each of these lists. */
  private async readOn(access: Access, lists: readonly DirectedList[], part: Part): Promise<void> {
    if (performance.now() > part.until) throw tooMany();
    const halves = (['out', 'in'] as const).map((direction) => {
      const those = lists.filter((list) => list.direction === direction);
      return those.length === 0 ? [] : [partsOf(access, those, part)];
    });
    const rows = await this.database.read<PartRow>(
      sql`${sql.join(halves.flat(), ' UNION ALL ')} ORDER BY direction, node_id, n`,
      'neighborhood-parts',
    );
    const byList = new Map(lists.map((list) => [`${list.direction} ${list.nodeId}`, list]));
    const unended = new Set(lists);
    await mapInSlices(rows, ({ node_id, direction, n, passes, ...met }) => {
      const list = byList.get(`${direction} ${node_id}`) as DirectedList;
      list.last = met;
      if (passes) list.add(met);
      if (n === part.most) unended.delete(list);
    });
    for (const list of unended) list.isRead = true;
  }
}

/** The lists of one direction, unless those of the other direction were read to their ends. */
function stillNeeded(nodes: readonly NeighborLists[]): DirectedList[] {
  const [out, into] = [0, 1].map((side) =>
    nodes.flatMap(({ lists }) => lists[side] as DirectedList).filter(({ isRead }) => !isRead),
  ) as [DirectedList[], DirectedList[]];
  if (out.length === 0 || into.length === 0) return [];
  return out.length <= into.length ? out : into;
}

function* taken(list: DirectedList): Generator<Met> {
  for (let met = list.next; met !== undefined; met = list.next) {
    list.take();
    yield met;
  }
}

const orderOf = ({ exposure }: Access): MeetingOrder =>
  exposure.transforms('created_at') ? 'by id' : 'newest first';

/**
 * True if the node at the other end is readable; the one at this end is. A sub-select with a limit is a look-up by id for
 * every plan, where EXISTS might read all nodes of the owner.
 */
const isReadable = (access: Access): Sql =>
  sql`(SELECT TRUE FROM nodes AS n WHERE n.id = part.other AND ${readableNodes(access, {})} LIMIT 1) IS TRUE`;

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The next `most` relationships of each list, of which those that pass are returned, and the last in any case: the next
 * part begins behind it.
 */
function partsOf(access: Access, lists: readonly DirectedList[], { most, passes }: Part): Sql {
  const isOut = lists[0]?.direction === 'out';
  const isById = orderOf(access) === 'by id';
  const ids = lists.map(({ nodeId }) => nodeId);
  const after = lists.map(({ last }) => last?.id ?? (isById ? FIRST_ID : LAST_ID));
  const keys = lists.map(({ last }) => last?.key ?? null);
  const next = isById ? nextById(access, isOut, most) : nextNewest(access, isOut, most);
  return sql`(SELECT ${isOut ? 'out' : 'in'}::text AS direction, list.node_id, found.* FROM unnest(
      ${ids}::uuid[], ${after}::uuid[], ${keys}::bigint[]) AS list (node_id, after_id, key)
    CROSS JOIN LATERAL (
      SELECT part.id, part.other, part.key, part.n, ${passes} AS passes FROM (${next}) AS part OFFSET 0
    ) AS found WHERE found.passes OR found.n = ${most})`;
}

const tooMany = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'There are too many relationships around this node to look at in time; request less depth or fewer nodes',
  );

const endsOf = (isOut: boolean): { end: Sql; other: Sql } =>
  isOut
    ? { end: sql.raw('r.from_node_id'), other: sql.raw('r.to_node_id') }
    : { end: sql.raw('r.to_node_id'), other: sql.raw('r.from_node_id') };

/**
 * Read in the order of the index of the node's relationships. With `=` for the range of one value, the planner would see
 * that the first key of the order is constant, and might go through all relationships of the owner by their time.
 */
function nextNewest({ ownerId }: Access, isOut: boolean, most: number): Sql {
  const { end, other } = endsOf(isOut);
  const order = sql`${end}, r.created_at DESC, r.id DESC`;
  return sql`SELECT r.id, ${other} AS other, (extract(epoch FROM r.created_at) * 1000000)::bigint AS key,
      row_number() OVER (ORDER BY ${order})::integer AS n
    FROM relationships AS r
    WHERE r.owner_id = ${ownerId} AND ${end} >= list.node_id AND ${end} <= list.node_id AND r.deleted_at IS NULL
      AND (r.created_at, r.id) < (coalesce(timestamptz 'epoch' + list.key::double precision * interval '1 microsecond', 'infinity'), list.after_id)
    ORDER BY ${order} LIMIT ${most}`;
}

/** No index has this order: all relationships of the node are read, but no others. */
function nextById({ ownerId }: Access, isOut: boolean, most: number): Sql {
  const { end, other } = endsOf(isOut);
  return sql`SELECT r.id, r.other, 0::bigint AS key, row_number() OVER (ORDER BY r.id)::integer AS n
    FROM (
      SELECT r.id, ${other} AS other FROM relationships AS r
      WHERE r.owner_id = ${ownerId} AND ${end} = list.node_id AND r.deleted_at IS NULL OFFSET 0
    ) AS r
    WHERE r.id > list.after_id ORDER BY r.id LIMIT ${most}`;
}
