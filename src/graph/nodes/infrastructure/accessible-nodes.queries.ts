import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import {
  type Access,
  compileVisibility,
  type NodeFacts,
  NO_INCOMING_SHARES,
  type IncomingShares,
  SharedAccesses,
  sees,
} from '../../../privacy/index.js';
import { Node } from '../domain/node.js';
import { type NodeRecord } from '../../common/index.js';
import {
  candidatesAmong,
  FACT_COLUMNS,
  isAmong,
  isReceived,
  MergedLists,
  nodeColumns,
  type NodeFilter,
  readableNodes,
  rowsAt,
  shownTime,
  STORED_TIME,
} from '../../lists/index.js';
import { NodeTagNames } from '../../tags/index.js';
import { mergedNodes } from './merged-nodes.js';
import { MaskedNodeSearch } from './masked-node-search.js';
import { NodesQueries } from './nodes.queries.js';
import { type NodeListing, type NodePage } from './node-listing.js';
import { type AccessibleGraphs, type AccessibleListing, type AccessiblePage } from './accessible-nodes.js';
import { isJudgedAsShown, receivedSource, shownSources } from './shown-sources.js';
import { ShownVersions } from './shown-versions.js';

/** A node, and the access that decides on it. */
export interface AccessibleNode {
  access: Access;
  node: Node;
}

export interface ReadableNode {
  access: Access;
  record: NodeRecord;
}

export interface OwnedFacts extends NodeFacts {
  ownerId: string;
}

/** A node by the title that its reader is shown. */
export interface NamedNode {
  id: string;
  title: string;
}

interface FoundFacts extends OwnedFacts {
  isDeleted: boolean;
}

const OWNED_FACTS = sql.raw(`n.id, n.owner_id AS "ownerId", n.tag_ids AS "tagIds", n.schema_id AS "schemaId",
  n.node_type AS "nodeType", n.created_at AS "createdAt", n.deleted_at IS NOT NULL AS "isDeleted"`);

/** Apps may be shown other titles than the stored ones, which are the presenter's to show. */
function refuseMasked({ isOwner }: Access): void {
  if (!isOwner) throw new Error('stored titles are for people');
}

const isStill = (received: IncomingShares, record: NodeRecord): boolean =>
  isReceived(received, record.owner_id, Node.of(record).facts);

const NONE: ReadonlyMap<string, Access> = new Map();

/** Own and shared nodes as one list: sorted, paged and counted together (rule 10.7). */
@Injectable()
export class AccessibleNodes {
  constructor(
    private readonly database: Database,
    private readonly nodes: NodesQueries,
    private readonly lists: MergedLists,
    private readonly versions: ShownVersions,
    private readonly asShown: MaskedNodeSearch,
    private readonly tagNames: NodeTagNames,
    private readonly received: SharedAccesses,
  ) {}

  /** A list for callers; without received nodes it costs the same as the own list. */
  async list(access: Access, listing: AccessibleListing): Promise<AccessiblePage> {
    const received = listing.access === 'owned' ? NO_INCOMING_SHARES : await this.received.of(access);
    return this.listWithin({ own: access, received }, listing);
  }

  async count(
    access: Access,
    filters: Pick<AccessibleListing, 'filter' | 'receivedFilter'>,
  ): Promise<number> {
    const received = await this.received.of(access);
    return this.total({ own: access, received }, { ...filters, access: 'all' });
  }

  /** The same for any accessible nodes: own may be a group's graph, and received its members' shares. */
  async listWithin(reach: AccessibleGraphs, listing: AccessibleListing): Promise<AccessiblePage> {
    const { own, received } = reach;
    if (received.ownerIds.length === 0 || listing.receivedFilter.matchesNothing) {
      const filter = listing.access === 'shared' ? { matchesNothing: true } : listing.filter;
      return { ...(await this.nodes.list(own, { ...listing, filter })), accesses: NONE };
    }
    if (this.needsMaskedEvaluation(reach, listing)) return this.listAsShown(reach, listing);
    const { records, total } =
      listing.sort === 'updated_at'
        ? await this.versions.ordered(own, (behind) => this.merged(reach, listing, shownTime(behind)))
        : await this.merged(reach, listing, STORED_TIME);
    return { records, total, accesses: accessesTo(received, records) };
  }

  /**
   * A living shared node that the caller can read, and the access to its owner, with the names of its tags.
   * Among several nodes of one id, which earlier versions imported, one that the caller can read.
   */
  async find(caller: Access, id: string): Promise<AccessibleNode | null> {
    const received = await this.received.of(caller);
    if (received.ownerIds.length === 0) return null;
    const records = await this.database.read<NodeRecord>(
      candidatesAmong(caller, received, { ids: [id], columns: nodeColumns('n') }),
      'received-node',
    );
    for (const record of records) {
      const access = received.accessTo(record.owner_id);
      const node = Node.of(record);
      // Names are looked up for visible nodes only, so that a hidden node takes as many statements as an
      // absent one.
      if (access === undefined || node.isDeleted || !sees(access.nodes.read, node.facts)) continue;
      return { access: await this.tagNames.knowing(access, record.tag_ids), node };
    }
    return null;
  }

  /** The accesses to the owners of received nodes, with the names of the nodes' tags. */
  namingTags(
    accesses: ReadonlyMap<string, Access>,
    records: readonly NodeRecord[],
  ): Promise<ReadonlyMap<string, Access>> {
    return this.tagNames.knowingAll(accesses, records);
  }

  /** The owners and facts of the given nodes that the caller may read, own and received, by id. */
  async facts(caller: Access, ids: readonly string[]): Promise<Map<string, OwnedFacts>> {
    const readable = await this.reached<FoundFacts>(caller, ids, {
      columns: OWNED_FACTS,
      name: 'reached-facts',
    });
    return new Map(readable.map(({ isDeleted: _, ...facts }) => [facts.id, facts]));
  }

  /** The titles of the given nodes of a person's own graph, by id; without ids it sends no statement. */
  async ownTitles(owner: Access, ids: readonly string[]): Promise<ReadonlyMap<string, NamedNode>> {
    if (ids.length === 0) return new Map();
    refuseMasked(owner);
    const rows = await this.database.read<NamedNode>(
      sql`SELECT n.id, n.title FROM nodes AS n
        WHERE ${readableNodes(owner, {})} AND n.id = ANY(${[...new Set(ids)]}::uuid[])`,
      'own-titles',
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * The titles of nodes, own and received, that a person can read. The owner of each is known, so that none is looked
   * for in the graphs of other sharers.
   */
  async titles(
    person: Access,
    places: readonly Pick<OwnedFacts, 'ownerId' | 'id'>[],
  ): Promise<readonly (NamedNode & { ownerId: string })[]> {
    if (places.length === 0) return [];
    refuseMasked(person);
    const received = await this.received.of(person);
    const found = await this.database.read<FoundFacts & { title: string }>(
      sql`SELECT ${OWNED_FACTS}, n.title FROM ${rowsAt(places, 'nodes', 'n')}`,
      'titles-at',
    );
    return found
      .filter(({ isDeleted, title: _, ...facts }) => {
        if (isDeleted) return false;
        if (facts.ownerId === person.ownerId) return sees(person.nodes.read, facts);
        return isReceived(received, facts.ownerId, facts);
      })
      .map(({ id, title, ownerId }) => ({ id, title, ownerId }));
  }

  private async reached<Found extends FoundFacts>(
    caller: Access,
    ids: readonly string[],
    { columns, name }: { columns: Sql; name: string },
  ): Promise<Found[]> {
    const received = await this.received.of(caller);
    const own = sql`(SELECT ${columns} FROM nodes AS n WHERE ${readableNodes(caller, {})} AND n.id = ANY(${ids}::uuid[]))`;
    const found = await this.database.read<Found>(
      received.ownerIds.length === 0
        ? own
        : sql`${own} UNION ALL ${candidatesAmong(caller, received, { ids, columns })}`,
      name,
    );
    return found.filter(
      ({ isDeleted, ...facts }) =>
        !isDeleted && (facts.ownerId === caller.ownerId || isReceived(received, facts.ownerId, facts)),
    );
  }

  /**
   * The given nodes that the caller may read, own and received, in the order of the ids, each with the access to its
   * owner, until they fill a page.
   * @param preferred the node that is meant where an own and a received one have one id, which earlier versions imported
   * @returns also the number of ids looked at
   */
  async firstReadable(
    caller: Access,
    ids: readonly string[],
    preferred: 'own' | 'received' = 'received',
  ): Promise<{ nodes: Map<string, ReadableNode>; lookedAt: number }> {
    const own = await this.nodes.firstReadable(caller, ids);
    const received = await this.received.of(caller);
    const places = (await this.candidates(caller, received, ids)).filter(({ isDeleted }) => !isDeleted);
    const others = await this.nodes.firstOf(ids, sql`${isAmong(places)} AND n.deleted_at IS NULL`);
    const records = [...others.records.values()].filter((record) => isStill(received, record));
    const accesses = await this.tagNames.knowingAll(accessesTo(received, records), records);
    const access = ({ owner_id }: NodeRecord): Access => accesses.get(owner_id) ?? caller;
    const mine = [...own.records.values()];
    const nodes = (preferred === 'own' ? [...records, ...mine] : [...mine, ...records]).map(
      (record) => [record.id, { access: access(record), record }] as const,
    );
    return { nodes: new Map(nodes), lookedAt: Math.min(own.lookedAt, others.lookedAt) };
  }

  /**
   * The same nodes, locked until the unit of work ends; deleted ones too. As many statements for hidden as for
   * absent nodes, and hidden ones are not locked. All units lock in one order, so that no two
   * deadlock.
   */
  async lock(caller: Access, ids: readonly string[]): Promise<Map<string, AccessibleNode>> {
    if (ids.length === 0) return new Map();
    const received = await this.received.of(caller);
    const places = await this.candidates(caller, received, ids);
    const owners = [...new Set([caller.ownerId, ...places.map(({ ownerId }) => ownerId)])];
    const own = sql`n.owner_id = ${caller.ownerId} AND ${compileVisibility(caller.nodes.read, FACT_COLUMNS)}`;
    const found = await this.database.write<NodeRecord>(
      sql`SELECT ${nodeColumns('n')} FROM nodes AS n
        WHERE n.owner_id = ANY(${owners}::uuid[]) AND n.id = ANY(${ids}::uuid[]) AND ((${own}) OR ${isAmong(places)})
        ORDER BY n.owner_id, n.id FOR UPDATE`,
      'reached-lock',
    );
    // Others may have changed a received node since the candidates were read.
    const records = found.filter((record) => record.owner_id === caller.ownerId || isStill(received, record));
    const accesses = accessesTo(received, records);
    return new Map(
      records.map((record) => {
        const access = accesses.get(record.owner_id) ?? caller;
        return [record.id, { access, node: Node.of(record) }];
      }),
    );
  }

  /** The received nodes among these that the caller may read, deleted ones too. */
  private async candidates(
    caller: Access,
    received: IncomingShares,
    ids: readonly string[],
  ): Promise<FoundFacts[]> {
    if (received.ownerIds.length === 0) return [];
    const found = await this.database.read<FoundFacts>(
      candidatesAmong(caller, received, { ids, columns: OWNED_FACTS }),
      'received-candidates',
    );
    return found.filter(({ ownerId, ...facts }) => isReceived(received, ownerId, facts));
  }

  private async total(
    reach: AccessibleGraphs,
    listing: Pick<AccessibleListing, 'access' | 'filter' | 'receivedFilter'>,
  ): Promise<number> {
    const { received } = reach;
    const owned = await this.nodes.count(reach.own, listing.filter);
    if (received.ownerIds.length === 0 || listing.receivedFilter.matchesNothing) return owned;
    if (this.needsMaskedEvaluation(reach, listing))
      return owned + (await this.countReceivedAsShown(received, listing.receivedFilter));
    const order = { sort: 'updated_at', order: 'desc' } as const;
    const own = { total: owned, updatedAt: STORED_TIME };
    return this.lists.count(mergedNodes(reach, { ...listing, ...order }, own));
  }

  /** @param updatedAt the shown time of change of own nodes */
  private async merged(
    reach: AccessibleGraphs,
    listing: AccessibleListing,
    updatedAt: Sql,
  ): Promise<NodePage> {
    const own = listing.access === 'shared' ? 0 : await this.nodes.count(reach.own, listing.filter);
    const list = mergedNodes(reach, listing, { total: own, updatedAt });
    const { rows: records, total } = await this.lists.page<NodeRecord>(list, listing);
    return { records, total };
  }

  private needsMaskedEvaluation(
    reach: AccessibleGraphs,
    question: Pick<AccessibleListing, 'filter' | 'receivedFilter'> & Partial<NodeListing>,
  ): boolean {
    // The places of received nodes are cached by their stored times.
    const isByShownTime = question.sort === 'updated_at' && !reach.received.isShownWhole;
    return isByShownTime || isJudgedAsShown(this.asShown, reach, question);
  }

  private async listAsShown(reach: AccessibleGraphs, listing: AccessibleListing): Promise<AccessiblePage> {
    const page = await this.asShown.listOf(shownSources(reach, listing), listing);
    return { ...page, accesses: accessesTo(reach.received, page.records) };
  }

  private countReceivedAsShown(received: IncomingShares, filter: NodeFilter): Promise<number> {
    return this.asShown.countOf([receivedSource(received, filter)], filter);
  }
}

const accessesTo = (received: IncomingShares, records: readonly NodeRecord[]): Map<string, Access> =>
  new Map(
    records.flatMap(({ owner_id }) => {
      const access = received.accessTo(owner_id);
      return access ? [[owner_id, access] as const] : [];
    }),
  );
