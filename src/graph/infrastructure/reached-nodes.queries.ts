import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { type Access, NOTHING_RECEIVED, type Received, ReceivedAccesses } from '../../privacy/index.js';
import { Node } from '../domain/node.js';
import { type NodeRecord } from '../domain/node-record.js';
import { FACT_COLUMNS, type NodeFilter, passing, readableNodes } from './node-filter.js';
import { NodeTagNames } from './node-tag-names.queries.js';
import { type Counted, NodeTotals } from './node-totals.js';
import { nodeColumns } from './nodes.repository.js';
import { NodesAsShown } from './nodes-as-shown.js';
import { type NodeListing, type NodePage, NodesQueries } from './nodes.queries.js';
import { armsOf, receivedIn } from './received-nodes.js';

/** Whose nodes a list is about. */
export type Whose = 'owned' | 'shared' | 'all';

export interface ReachedListing extends NodeListing {
  access: Whose;
  /** The same question about nodes that others share, whose tags are not the caller's. */
  receivedFilter: NodeFilter;
}

/** With the access to the owner of each node that is not the caller's own. */
export interface ReachedPage extends NodePage {
  accesses: ReadonlyMap<string, Access>;
}

export interface ReadableNode {
  access: Access;
  record: NodeRecord;
}

const NONE: ReadonlyMap<string, Access> = new Map();

/** Own nodes and those that others share, as one list: sorted, paged and counted together (decisions 10.7). */
@Injectable()
export class ReachedNodes {
  constructor(
    private readonly database: Database,
    private readonly nodes: NodesQueries,
    private readonly totals: NodeTotals,
    private readonly asShown: NodesAsShown,
    private readonly tagNames: NodeTagNames,
    private readonly received: ReceivedAccesses,
  ) {}

  /** Who has received nothing pays nothing: it is the own list then. */
  async list(access: Access, listing: ReachedListing): Promise<ReachedPage> {
    const received = listing.access === 'owned' ? NOTHING_RECEIVED : await this.received.of(access);
    return this.listWithin({ own: access, received }, listing);
  }

  async count(access: Access, filters: Pick<ReachedListing, 'filter' | 'receivedFilter'>): Promise<number> {
    const received = await this.received.of(access);
    return this.total({ own: access, received }, { ...filters, access: 'all' });
  }

  /** Own may be a group's graph, and received what its members share in. */
  async listWithin(
    reach: { own: Access; received: Received },
    listing: ReachedListing,
  ): Promise<ReachedPage> {
    const { own, received } = reach;
    if (received.accesses.length === 0 || listing.receivedFilter.matchesNothing) {
      const filter = listing.access === 'shared' ? { matchesNothing: true } : listing.filter;
      return { ...(await this.nodes.list(own, { ...listing, filter })), accesses: NONE };
    }
    if (this.decidesAsShown(reach, listing)) return this.listAsShown(reach, listing);
    const [records, total] = await Promise.all([this.page(reach, listing), this.total(reach, listing)]);
    return { records, total, accesses: accessesByOwner(received) };
  }

  /** A node that somebody shares with the caller, and the access to its owner that knows its tags by name. */
  async find(caller: Access, id: string): Promise<{ access: Access; node: Node } | null> {
    const { accesses } = await this.received.of(caller);
    if (accesses.length === 0) return null;
    const [record] = await this.database.read<NodeRecord>(
      sql`SELECT ${nodeColumns('n')} FROM nodes AS n
        WHERE n.owner_id = ANY(${accesses.map(({ ownerId }) => ownerId)}::uuid[]) AND n.id = ${id}`,
      'received-node',
    );
    const access = record && accesses.find(({ ownerId }) => ownerId === record.owner_id);
    if (!access) return null;
    return { access: await this.tagNames.knowing(access, record.tag_ids), node: Node.of(record) };
  }

  /** Those of the given nodes that the caller may read, own and received, each with the access to its owner. */
  async readable(caller: Access, ids: readonly string[]): Promise<Map<string, ReadableNode>> {
    const own = await this.nodes.readable(caller, ids);
    const received = await this.received.of(caller);
    const records = await this.database.read<NodeRecord>(
      sql`SELECT ${nodeColumns('n')} FROM nodes AS n
        WHERE ${receivedNodes(received, {})} AND n.id = ANY(${ids}::uuid[])`,
      'received-readable',
    );
    const accesses = await this.tagNames.knowingAll(accessesByOwner(received), records);
    const access = ({ owner_id }: NodeRecord): Access => accesses.get(owner_id) ?? caller;
    return new Map(
      [...own.values(), ...records].map((record) => [record.id, { access: access(record), record }]),
    );
  }

  private page(
    { own, received }: { own: Access; received: Received },
    { access, filter, receivedFilter, sort, order, limit, offset }: ReachedListing,
  ): Promise<NodeRecord[]> {
    const direction = sql.raw(order === 'asc' ? 'ASC' : 'DESC');
    const most = limit + offset;
    const arms = armsOf(received, receivedFilter).map((arm) =>
      arm.first({ key: sortKey(arm, sort), direction, most }),
    );
    if (access === 'all') {
      const key = sortKey(own, sort);
      arms.unshift(sql`(SELECT n.owner_id, n.id, ${key} AS key FROM nodes AS n WHERE ${readableNodes(own, filter)}
        ORDER BY ${key} ${direction}, n.id ${direction} LIMIT ${most})`);
    }
    if (arms.length === 0) return Promise.resolve([]);
    const by = sql`key ${direction}, id ${direction}`;
    return this.database.read<NodeRecord>(
      sql`SELECT ${nodeColumns('n')}
        FROM (SELECT * FROM (${sql.join(arms, ' UNION ALL ')}) AS found ORDER BY ${by} LIMIT ${limit} OFFSET ${offset}) AS page
        JOIN nodes AS n ON n.owner_id = page.owner_id AND n.id = page.id
        ORDER BY page.key ${direction}, page.id ${direction}`,
      'reached-page',
    );
  }

  private async total(
    reach: { own: Access; received: Received },
    listing: Pick<ReachedListing, 'access' | 'filter' | 'receivedFilter'>,
  ): Promise<number> {
    const { own, received } = reach;
    const owned = listing.access === 'shared' ? 0 : await this.nodes.count(own, listing.filter);
    if (received.accesses.length === 0 || listing.receivedFilter.matchesNothing) return owned;
    if (this.decidesAsShown(reach, listing))
      return owned + (await this.countReceivedAsShown(received, listing.receivedFilter));
    return owned + (await this.countReceived(own, received, listing.receivedFilter));
  }

  /** Kept like any total, as long as all owners' graphs stand still. */
  private countReceived(own: Access, received: Received, filter: NodeFilter): Promise<number> {
    const owners = received.accesses.map(({ ownerId }) => ownerId);
    const count = async (): Promise<Counted> => {
      const counts = armsOf(received, filter).map((arm) => arm.select(sql`count(*)`));
      const [counted] = await this.database.read<Counted>(
        sql`SELECT ${counts.length === 0 ? sql`0::bigint` : sql.join(counts, ' + ')} AS total,
          coalesce((SELECT sum(changes) FROM sequences WHERE id = ANY(${owners}::uuid[])), 0)::bigint AS changes`,
        'received-count',
      );
      return counted as Counted;
    };
    const { key, changes } = received;
    return this.totals.total({ ownerId: own.ownerId, key, changes }, JSON.stringify(filter), count);
  }

  private decidesAsShown(
    { own, received }: { own: Access; received: Received },
    question: Pick<ReachedListing, 'filter' | 'receivedFilter'> & Partial<NodeListing>,
  ): boolean {
    return (
      this.asShown.decides(own, question) ||
      received.accesses.some((one) =>
        this.asShown.decides(one, { ...question, filter: question.receivedFilter }),
      )
    );
  }

  private async listAsShown(
    { own, received }: { own: Access; received: Received },
    listing: ReachedListing,
  ): Promise<ReachedPage> {
    const accesses = accessesByOwner(received);
    const mine = {
      condition: readableNodes(own, { ...listing.filter, search: undefined }),
      accessTo: () => own,
    };
    const sources = [
      ...(listing.access === 'shared' ? [] : [mine]),
      this.asSource(received, listing.receivedFilter),
    ];
    return { ...(await this.asShown.listOf(sources, listing)), accesses };
  }

  private countReceivedAsShown(received: Received, filter: NodeFilter): Promise<number> {
    return this.asShown.countOf([this.asSource(received, filter)], filter);
  }

  private asSource(received: Received, filter: NodeFilter) {
    const accesses = accessesByOwner(received);
    return {
      condition: receivedNodes(received, { ...filter, search: undefined }),
      accessTo: (record: NodeRecord): Access => accesses.get(record.owner_id) as Access,
    };
  }
}

/** Living nodes that are received and pass a filter; `search` is not for this. */
const receivedNodes = (received: Received, filter: NodeFilter): Sql =>
  sql`${receivedIn(received, sql.raw('n.owner_id'), FACT_COLUMNS)} AND ${passing(filter, 'full')}`;

const accessesByOwner = ({ accesses }: Received): Map<string, Access> =>
  new Map(accesses.map((access) => [access.ownerId, access]));

/** Titles in the order of their code points; one that is not shown sorts as none (decisions 3.16). */
function sortKey({ exposure }: Pick<Access, 'exposure'>, sort: NodeListing['sort']): Sql {
  if (sort !== 'title') return sql.raw(`n.${sort}`);
  return sql.raw(exposure.detail === 'minimal' ? `''::text COLLATE "C"` : 'n.title COLLATE "C"');
}
