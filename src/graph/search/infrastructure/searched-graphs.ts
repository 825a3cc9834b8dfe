import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, type IncomingShares } from '../../../privacy/index.js';
import { FACT_COLUMNS, receivedIn, sharesOfOwners, type SharesOfOwners } from '../../lists/index.js';
import { fieldOfProperty, type NodeRecord } from '../../common/index.js';
import { passingNodes, type SearchFilter, searchedNodes } from './search-filter.js';

/** The graphs that a search looks through: the caller's own, and what others share with them. */
export interface SearchedGraphs {
  own: Access;
  filter: SearchFilter;
  received: IncomingShares;
  /** The same filter for received nodes, whose tags are not the caller's. */
  receivedFilter: SearchFilter;
}

/** Sharers whose nodes one statement looks through. */
const MOST_SHARERS = 100;
/** The most single nodes that the shares of one statement name, or those of one sharer. */
const MOST_NAMED = 5_000;

export const searchesOwn = ({ filter }: SearchedGraphs): boolean => filter.matchesNothing !== true;

export const searchesReceived = ({ received, receivedFilter }: SearchedGraphs): boolean =>
  received.ownerIds.length > 0 && receivedFilter.matchesNothing !== true;

/** The access by which a searched node is shown. */
export const accessTo = (
  { own, received }: SearchedGraphs,
  { owner_id }: Pick<NodeRecord, 'owner_id'>,
): Access => (owner_id === own.ownerId ? own : (received.accessTo(owner_id) as Access));

/** The shares in parts that a statement may look through: a person may receive from thousands (rule 10.7h). */
export function receivedParts(graphs: SearchedGraphs): SharesOfOwners[] {
  if (!searchesReceived(graphs)) return [];
  const { received } = graphs;
  const parts: string[][] = [];
  let room = 0;
  for (const ownerId of [...received.ownerIds].sort()) {
    const named = numberNamed(received, ownerId);
    const last = parts.at(-1);
    if (last === undefined || last.length === MOST_SHARERS || named > room) {
      parts.push([ownerId]);
      room = MOST_NAMED - named;
    } else {
      last.push(ownerId);
      room -= named;
    }
  }
  return parts.map((ownerIds) => sharesOfOwners(received, ownerIds));
}

function numberNamed({ accessTo: to }: IncomingShares, ownerId: string): number {
  const granted = to(ownerId)?.granted;
  if (granted === undefined) return 0;
  const parts = granted.kind === 'or' ? granted.parts : [granted];
  return parts.reduce((sum, part) => sum + (part.kind === 'id-in' ? part.ids.length : 0), 0);
}

/**
 * The search as far as the database decides it: where the caller is shown other values at the paths of a filter than the
 * stored ones, the values as shown decide (rule 4.22b).
 */
export function judgedAsStored(graphs: SearchedGraphs): SearchedGraphs {
  const { own, filter, receivedFilter } = graphs;
  const isMasked = filter.properties?.some((one) => own.exposure.transforms(fieldOfProperty(one)));
  if (isMasked !== true || !own.exposure.shows('metadata')) return graphs;
  const properties = undefined;
  return { ...graphs, filter: { ...filter, properties }, receivedFilter: { ...receivedFilter, properties } };
}

/** The condition that a row of `nodes AS n` is searched, as one of the own nodes or of these received ones. */
export function foundNodes(graphs: SearchedGraphs, shares: SharesOfOwners): Sql {
  const own = searchesOwn(graphs) ? [sql`(${searchedNodes(graphs.own, graphs.filter)})`] : [];
  const others = shares.accesses.length === 0 ? [] : [sql`(${receivedNodes(graphs, shares)})`];
  const either = [...own, ...others];
  return either.length === 0 ? sql.raw('FALSE') : sql`(${sql.join(either, ' OR ')})`;
}

/** The condition that a row of `nodes AS n` is one of these received nodes and passes the filter. */
export function receivedNodes({ own, receivedFilter }: SearchedGraphs, shares: SharesOfOwners): Sql {
  const readable = receivedIn(shares, sql.raw('n.owner_id'), FACT_COLUMNS);
  return sql`${readable} AND ${passingNodes(exposureOf(shares, own), receivedFilter, readable)}`;
}

/** All that a caller receives is shown in one way: a person is shown it whole, an app as its profile says. */
export const exposureOf = ({ accesses }: SharesOfOwners, own: Access): Access['exposure'] =>
  accesses[0]?.exposure ?? own.exposure;
