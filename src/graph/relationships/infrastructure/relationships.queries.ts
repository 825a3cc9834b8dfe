import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import {
  type Access,
  type NodeFacts,
  NO_INCOMING_SHARES,
  type IncomingShares,
  SharedAccesses,
  sees,
  sharersOf,
} from '../../../privacy/index.js';
import { type MovableEdge } from '../domain/merged-edges.js';
import { type Relationship } from '../domain/relationship.js';
import { type EdgeWithEnds, isReadable } from '../domain/relationship-view.js';
import { candidatesAmong, type Counted, MergedLists, newestFirst, NodeTotals } from '../../lists/index.js';
import {
  EDGE_WITH_ENDS,
  type EdgeRow,
  EDGES_ONE_BY_ONE,
  edgesWithinBytes,
  isByShownType,
  LIVING_EDGES,
  LIVING_EDGES_ONE_BY_ONE,
  readableEdges,
  type RelationshipFilter,
  type RelationshipListing,
  type RelationshipPage,
  withEnds,
} from './relationship-rows.js';
import { mergedRelationships } from './merged-relationships.js';
import { RelationshipsAsShown } from './relationships-as-shown.js';

/** The most relationships that one statement reads where a caller goes through all of them. */
const EDGES_OF_A_PART = 1_000;

/** The most relationships of an owner that are counted by looking up each one's nodes; 20 µs each. */
const MOST_ONE_BY_ONE = 10_000;

/**
 * Reads relationships. Both ends' visibility is part of each statement (rule 3.19), so that totals are
 * exact.
 */
@Injectable()
export class RelationshipsQueries {
  constructor(
    private readonly database: Database,
    private readonly totals: NodeTotals,
    private readonly asShown: RelationshipsAsShown,
    private readonly received: SharedAccesses,
    private readonly lists: MergedLists,
  ) {}

  /** A living relationship of living nodes, without a permission check. */
  async find(ownerId: string, id: string): Promise<EdgeWithEnds | null> {
    const [row] = await this.database.read<EdgeRow>(
      sql`SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES_ONE_BY_ONE} WHERE r.owner_id = ${ownerId} AND r.id = ${id} AND r.deleted_at IS NULL`,
      'relationship',
    );
    return row ? withEnds(row) : null;
  }

  /** The facts of the living nodes among these, without a permission check. */
  async facts(ownerId: string, nodeIds: readonly string[]): Promise<Map<string, NodeFacts>> {
    const facts = await this.database.read<NodeFacts>(
      sql`SELECT id, tag_ids AS "tagIds", schema_id AS "schemaId", node_type AS "nodeType", created_at AS "createdAt"
        FROM nodes WHERE owner_id = ${ownerId} AND id = ANY(${nodeIds}::uuid[]) AND deleted_at IS NULL`,
      'nodes-facts',
    );
    return new Map(facts.map((fact) => [fact.id, fact]));
  }

  /**
   * A living relationship of living nodes, of the caller's graph or between two shared nodes, and the
   * access to its graph; the own access for an absent one. Does not check that the caller can read it, but
   * an own one that the caller cannot read takes as many statements as an absent one.
   */
  async reach(caller: Access, id: string): Promise<{ access: Access; found: EdgeWithEnds | null }> {
    const found = await this.find(caller.ownerId, id);
    if (found !== null && isReadable(caller, found)) return { access: caller, found };
    return (await this.findReceived(caller, id)) ?? { access: caller, found };
  }

  private async findReceived(
    caller: Access,
    id: string,
  ): Promise<{ access: Access; found: EdgeWithEnds } | null> {
    const received = await this.received.of(caller);
    if (received.ownerIds.length === 0) return null;
    const rows = await this.database.read<EdgeRow>(
      sql`SELECT found.* FROM ${sharersOf(caller.ownerId, 'all')} AS sharer CROSS JOIN LATERAL (
        SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES_ONE_BY_ONE}
        WHERE r.owner_id = sharer.owner_id AND r.id = ${id} AND r.deleted_at IS NULL OFFSET 0) AS found`,
      'received-relationship',
    );
    for (const row of rows) {
      const access = received.accessTo(row.owner_id);
      const found = withEnds(row);
      if (access !== undefined && isReadable(access, found)) return { access, found };
    }
    return null;
  }

  /**
   * The access to the graph of this node: the caller's own, or that of its sharer. Also the own access when
   * the caller can read no such node, in as many statements as for an absent one.
   */
  async accessTo(caller: Access, nodeId: string): Promise<Access> {
    const own = (await this.facts(caller.ownerId, [nodeId])).get(nodeId);
    if (own && sees(caller.nodes.read, own)) return caller;
    const received = await this.received.of(caller);
    if (received.ownerIds.length === 0) return caller;
    const rows = await this.database.read<NodeFacts & { ownerId: string }>(
      sql`SELECT owner_id AS "ownerId", ${FACTS} FROM (
          ${candidatesAmong(caller, received, { ids: [nodeId], columns: sql.raw('n.*') })}) AS found
        WHERE deleted_at IS NULL`,
      'received-facts',
    );
    for (const facts of rows) {
      const access = received.accessTo(facts.ownerId);
      if (access !== undefined && sees(access.nodes.read, facts)) return access;
    }
    return caller;
  }

  /** Relationships, newest first. For any number of them: the page, and the totals unless they are cached. */
  async list(access: Access, listing: RelationshipListing): Promise<RelationshipPage> {
    const { filter } = listing;
    const received = filter.access === 'owned' ? NO_INCOMING_SHARES : await this.received.of(access);
    if (isByShownType(access, filter)) return this.asShown.list(access, received, listing);
    if (received.ownerIds.length > 0) return this.merged(access, received, listing);
    const [rows, total] = await Promise.all([this.page(access, listing), this.count(access, filter)]);
    return { edges: rows.map(withEnds), total };
  }

  /** The first relationships at these nodes that the caller can read. */
  readableAt(access: Access, nodeIds: readonly string[], limit: number): Promise<Relationship[]> {
    return this.database.read<Relationship>(
      sql`SELECT r.* ${readableAt(access, nodeIds)} LIMIT ${limit}`,
      'relationships-readable-at',
    );
  }

  /** The same without their texts, which may be a hundred times as long. */
  movableAt(access: Access, nodeIds: readonly string[], limit: number): Promise<MovableEdge[]> {
    return this.database.read<MovableEdge>(
      sql`SELECT r.id, r.from_node_id, r.to_node_id, r.relationship_type, r.graph_view, r.created_at
        ${readableAt(access, nodeIds)} LIMIT ${limit}`,
      'relationships-movable-at',
    );
  }

  /**
   * The next living relationships at these nodes, with the facts of both ends, in the order of their ids, until they fill
   * a part of a page. The nodes may be deleted. No permission check.
   */
  async nextAt(ownerId: string, nodeIds: readonly string[], after: string): Promise<EdgeWithEnds[]> {
    const next = sql`SELECT ${EDGE_WITH_ENDS} FROM ${EDGES_ONE_BY_ONE}
      WHERE r.owner_id = ${ownerId} AND r.deleted_at IS NULL AND r.id > ${after}
        AND (r.from_node_id = ANY(${nodeIds}::uuid[]) OR r.to_node_id = ANY(${nodeIds}::uuid[]))
      ORDER BY r.id LIMIT ${EDGES_OF_A_PART}`;
    const rows = await this.database.read<EdgeRow>(
      edgesWithinBytes(next, sql`r.id`),
      'relationships-next-at',
    );
    return rows.map(withEnds);
  }

  private async merged(
    access: Access,
    received: IncomingShares,
    listing: RelationshipListing,
  ): Promise<RelationshipPage> {
    const own = await this.count(access, listing.filter);
    const list = mergedRelationships({ access, received, own }, listing.filter);
    const { rows, total } = await this.lists.page<EdgeRow>(list, listing);
    return { edges: rows.map(withEnds), total };
  }

  private page(access: Access, { filter, limit, offset }: RelationshipListing): Promise<EdgeRow[]> {
    const order = newestFirst(access, 'r');
    return this.database.read<EdgeRow>(
      edgesWithinBytes(
        sql`SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES_ONE_BY_ONE} WHERE ${readableEdges(access, filter)}
          ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
        order,
      ),
      'relationships-page',
    );
  }

  private async count(access: Access, filter: RelationshipFilter): Promise<number> {
    if (filter.access === 'shared') return 0;
    const count = async (): Promise<Counted> => {
      // Unnamed, so that it is planned for this owner: a generic plan may read all nodes for each edge. So may any plan as
      // long as the statistics lack the owner; up to a number of edges, no plan is a choice.
      const readable = readableEdges(access, filter);
      const [counted] = await this.database.read<Counted>(
        sql`SELECT CASE WHEN (SELECT relationships FROM sequences WHERE id = ${access.ownerId}) <= ${MOST_ONE_BY_ONE}
            THEN (SELECT count(*) FROM ${LIVING_EDGES_ONE_BY_ONE} WHERE ${readable})
            ELSE (SELECT count(*) FROM ${LIVING_EDGES} WHERE ${readable}) END AS total,
          coalesce((SELECT changes FROM sequences WHERE id = ${access.ownerId}), 0) AS changes`,
      );
      return counted as Counted;
    };
    return this.totals.total(access, `relationships ${JSON.stringify(filter)}`, count);
  }
}

/** The relationships at these nodes that the caller can read, in the order of their ids. */
const readableAt = (access: Access, nodeIds: readonly string[]): Sql =>
  sql`FROM ${LIVING_EDGES_ONE_BY_ONE} WHERE ${readableEdges(access, { access: 'owned' })}
    AND (r.from_node_id = ANY(${nodeIds}::uuid[]) OR r.to_node_id = ANY(${nodeIds}::uuid[])) ORDER BY r.id`;

const FACTS = sql.raw(
  'id, tag_ids AS "tagIds", schema_id AS "schemaId", node_type AS "nodeType", created_at AS "createdAt"',
);
