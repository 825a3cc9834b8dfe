import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import {
  type Access,
  type NodeFacts,
  NOTHING_RECEIVED,
  type Received,
  ReceivedAccesses,
  sees,
} from '../../privacy/index.js';
import { type EdgeWithEnds } from '../domain/relationship-view.js';
import { newestFirst } from './newest-first.js';
import { type Counted, NodeTotals } from './node-totals.js';
import {
  EDGE_WITH_ENDS,
  type EdgeRow,
  isByShownType,
  LIVING_EDGES,
  readableEdges,
  receivedEdges,
  type RelationshipFilter,
  type RelationshipListing,
  type RelationshipPage,
  withEnds,
} from './relationship-rows.js';
import { singleNodes } from './received-nodes.js';
import { RelationshipsAsShown } from './relationships-as-shown.js';

/** Reading relationships. Both ends' visibility is part of each statement (decisions 3.19), so that totals are exact. */
@Injectable()
export class RelationshipsQueries {
  constructor(
    private readonly database: Database,
    private readonly totals: NodeTotals,
    private readonly asShown: RelationshipsAsShown,
    private readonly received: ReceivedAccesses,
  ) {}

  /** A living relationship of living nodes, whoever asks. */
  async find(ownerId: string, id: string): Promise<EdgeWithEnds | null> {
    const [row] = await this.database.read<EdgeRow>(
      sql`SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES} WHERE r.owner_id = ${ownerId} AND r.id = ${id} AND r.deleted_at IS NULL`,
      'relationship',
    );
    return row ? withEnds(row) : null;
  }

  /** What rules look at in living nodes among these, whoever asks. */
  async facts(ownerId: string, nodeIds: readonly string[]): Promise<Map<string, NodeFacts>> {
    const facts = await this.database.read<NodeFacts>(
      sql`SELECT id, tag_ids AS "tagIds", schema_id AS "schemaId", node_type AS "nodeType", created_at AS "createdAt"
        FROM nodes WHERE owner_id = ${ownerId} AND id = ANY(${nodeIds}::uuid[]) AND deleted_at IS NULL`,
      'nodes-facts',
    );
    return new Map(facts.map((fact) => [fact.id, fact]));
  }

  /** A living relationship between two nodes that others share with the caller, and the access to their owner. */
  async findReceived(caller: Access, id: string): Promise<{ access: Access; found: EdgeWithEnds } | null> {
    const { accesses } = await this.received.of(caller);
    if (accesses.length === 0) return null;
    const owners = accesses.map(({ ownerId }) => ownerId);
    const [row] = await this.database.read<EdgeRow>(
      sql`SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES}
        WHERE r.owner_id = ANY(${owners}::uuid[]) AND r.id = ${id} AND r.deleted_at IS NULL`,
      'received-relationship',
    );
    const access = row && accesses.find(({ ownerId }) => ownerId === row.owner_id);
    return access ? { access, found: withEnds(row) } : null;
  }

  /**
   * The access to the graph that has this node: the caller's own, or of who shares it. The own one also where the
   * caller can read no such node.
   */
  async accessTo(caller: Access, nodeId: string): Promise<Access> {
    if ((await this.facts(caller.ownerId, [nodeId])).size > 0) return caller;
    const { accesses } = await this.received.of(caller);
    if (accesses.length === 0) return caller;
    const [found] = await this.database.read<NodeFacts & { ownerId: string }>(
      sql`SELECT owner_id AS "ownerId", ${FACTS} FROM nodes
        WHERE owner_id = ANY(${accesses.map(({ ownerId }) => ownerId)}::uuid[]) AND id = ${nodeId} AND deleted_at IS NULL`,
      'received-facts',
    );
    const access = found && accesses.find(({ ownerId }) => ownerId === found.ownerId);
    return access && sees(access.nodes.read, found) ? access : caller;
  }

  /** Newest first. However many: the page, and the totals unless they are known. */
  async list(access: Access, listing: RelationshipListing): Promise<RelationshipPage> {
    const { filter } = listing;
    const received = filter.access === 'owned' ? NOTHING_RECEIVED : await this.received.of(access);
    if (isByShownType(access, filter)) return this.asShown.list(access, received, listing);
    const [rows, own, others] = await Promise.all([
      this.page(access, received, listing),
      this.count(access, filter),
      this.countReceived(access, received, filter),
    ]);
    return { edges: rows.map(withEnds), total: own + others };
  }

  private page(
    access: Access,
    received: Received,
    { filter, limit, offset }: RelationshipListing,
  ): Promise<EdgeRow[]> {
    const newest = newestFirst(access, 'r');
    const own = sql`SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES} WHERE ${readableEdges(access, filter)} ORDER BY ${newest}`;
    if (received.accesses.length === 0) {
      return this.database.read<EdgeRow>(sql`${own} LIMIT ${limit} OFFSET ${offset}`, 'relationships-page');
    }
    const most = limit + offset;
    const arms = [sql`(${own} LIMIT ${most})`, ...receivedArms(access, received, { filter, most })];
    return this.database.read<EdgeRow>(
      sql`SELECT r.* FROM (${sql.join(arms, ' UNION ALL ')}) AS r ORDER BY ${newest} LIMIT ${limit} OFFSET ${offset}`,
      'reached-relationships-page',
    );
  }

  private async count(access: Access, filter: RelationshipFilter): Promise<number> {
    if (filter.access === 'shared') return 0;
    const count = async (): Promise<Counted> => {
      const [counted] = await this.database.read<Counted>(
        sql`SELECT count(*) AS total, coalesce((SELECT changes FROM sequences WHERE id = ${access.ownerId}), 0) AS changes
          FROM ${LIVING_EDGES} WHERE ${readableEdges(access, filter)}`,
        'relationships-count',
      );
      return counted as Counted;
    };
    return this.totals.total(access, `relationships ${JSON.stringify(filter)}`, count);
  }

  private async countReceived(
    access: Access,
    received: Received,
    filter: RelationshipFilter,
  ): Promise<number> {
    if (received.accesses.length === 0) return 0;
    const owners = received.accesses.map(({ ownerId }) => ownerId);
    const count = async (): Promise<Counted> => {
      const [counted] = await this.database.read<Counted>(
        sql`SELECT count(*) AS total,
            coalesce((SELECT sum(changes) FROM sequences WHERE id = ANY(${owners}::uuid[])), 0)::bigint AS changes
          FROM ${LIVING_EDGES} WHERE ${receivedEdges(access, received, filter)}`,
        'received-relationships-count',
      );
      return counted as Counted;
    };
    const { key, changes } = received;
    const whose = { ownerId: access.ownerId, key, changes };
    return this.totals.total(whose, `relationships ${JSON.stringify(filter)}`, count);
  }
}

/** The newest of each owner; where single nodes are shared, those that start from one of them. */
function receivedArms(
  access: Access,
  received: Received,
  { filter, most }: { filter: RelationshipFilter; most: number },
): Sql[] {
  const { others, ownerIds, ids } = singleNodes(received.accesses);
  const newest = sql`ORDER BY ${newestFirst(access, 'r')} LIMIT ${most}`;
  const owners = others.map(({ ownerId }) => ownerId);
  const within = (accesses: typeof others) => receivedEdges(access, { ...received, accesses }, filter);
  const ofOwners = sql`(SELECT each.* FROM unnest(${owners}::uuid[]) AS giver (owner_id) CROSS JOIN LATERAL (
      SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES} WHERE r.owner_id = giver.owner_id AND ${within(others)} ${newest}
    ) AS each)`;
  const ofNodes = sql`(SELECT ${EDGE_WITH_ENDS} FROM unnest(${ownerIds}::uuid[], ${ids}::uuid[]) AS given (owner_id, id), ${LIVING_EDGES}
    WHERE r.owner_id = given.owner_id AND r.from_node_id = given.id
      AND ${within(received.accesses.filter((one) => !others.includes(one)))} ${newest})`;
  return [...(owners.length > 0 ? [ofOwners] : []), ...(ids.length > 0 ? [ofNodes] : [])];
}

const FACTS = sql.raw(
  'id, tag_ids AS "tagIds", schema_id AS "schemaId", node_type AS "nodeType", created_at AS "createdAt"',
);
