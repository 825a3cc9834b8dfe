import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Expansion } from '../domain/subscription.js';
import { type SubscriptionKey } from './subscriptions.repository.js';

/** A change of a node whose relationships are looked at. */
export interface NodeStep {
  sequence: number;
  nodeId: string;
}

export interface TouchedEdge {
  list: number;
  id: string;
}

interface Part extends NodeStep {
  subscription: SubscriptionKey;
  /** The relationship behind which the list continues; null: from its beginning. */
  after: string | null;
  limit: number;
}

type List = (part: Part) => Sql;

/** The living relationships that have the node at an end now, in the order of the index. */
const living =
  (end: 'from' | 'to'): List =>
  ({ subscription: { ownerId }, nodeId, after, limit }) => {
    const column = sql.raw(`r.${end}_node_id`);
    const start =
      after === null
        ? sql.empty
        : sql`, (SELECT created_at, id FROM relationships WHERE owner_id = ${ownerId} AND id = ${after}) AS l`;
    const behind = after === null ? sql.empty : sql`AND (r.created_at, r.id) < (l.created_at, l.id)`;
    return sql`SELECT r.id FROM (SELECT 1) AS one${start}, LATERAL (
        SELECT r.id, r.created_at FROM relationships AS r
        WHERE r.owner_id = ${ownerId} AND ${column} = ${nodeId} AND r.deleted_at IS NULL ${behind}
        ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}) AS r
      ORDER BY r.created_at DESC, r.id DESC`;
  };

const behindId = (column: string, after: string | null): Sql =>
  after === null ? sql.empty : sql`AND ${sql.raw(column)} > ${after}`;

/** Relationships that are deleted now: only the end of those that the receiver may have can be an event. */
const gone =
  (end: 'from' | 'to'): List =>
  ({ subscription: { ownerId, id }, nodeId, after, limit }) =>
    sql`SELECT r.id FROM relationships AS r JOIN webhook_told_nodes AS t
        ON t.owner_id = r.owner_id AND t.subscription_id = ${id} AND t.node_id = r.id
      WHERE r.owner_id = ${ownerId} AND ${sql.raw(`r.${end}_node_id`)} = ${nodeId} AND r.deleted_at IS NOT NULL
        ${behindId('r.id', after)}
      ORDER BY r.id LIMIT ${limit}`;

/** Relationships that a later merge has moved away from the node. */
const moved =
  (end: 'from' | 'to'): List =>
  ({ subscription: { ownerId }, sequence, nodeId, after, limit }) => {
    const field = `${end}_node_id`;
    return sql`SELECT DISTINCT c.entity_id AS id FROM changes AS c
      WHERE c.owner_id = ${ownerId} AND c.entity = 'relationship' AND c.changed_fields ? ${sql.raw(`'${field}'`)}
        AND c.changed_fields -> ${sql.raw(`'${field}'`)} ->> 'old' = ${nodeId} AND c.sequence > ${sequence}
        ${behindId('c.entity_id', after)}
        AND NOT EXISTS (SELECT FROM relationships AS r WHERE r.owner_id = c.owner_id AND r.id = c.entity_id
          AND ${nodeId} IN (r.from_node_id, r.to_node_id))
      ORDER BY id LIMIT ${limit}`;
  };

const LISTS: readonly List[] = [
  living('from'),
  living('to'),
  gone('from'),
  gone('to'),
  moved('from'),
  moved('to'),
];

/** Finds the relationships that a node had at a change, wherever they are now. */
@Injectable()
export class TouchedEdges {
  constructor(private readonly database: Database) {}

  /** The next ones behind a place; some of them may not have had the node then. */
  next(
    subscription: SubscriptionKey,
    step: NodeStep,
    { from, limit }: { from: Expansion | null; limit: number },
  ): Promise<TouchedEdge[]> {
    const first = from?.list ?? 0;
    const parts = LISTS.slice(first).map((list, place) => {
      const after = place === 0 ? (from?.after ?? null) : null;
      const ids = list({ subscription, ...step, after, limit });
      return sql`SELECT ${first + place}::int AS list, row_number() OVER () AS place, part.id FROM (${ids}) AS part`;
    });
    return this.database.read<TouchedEdge>(
      sql`SELECT list, id FROM (${sql.join(parts, ' UNION ALL ')}) AS touched ORDER BY list, place LIMIT ${limit}`,
      'touched-edges',
    );
  }
}
