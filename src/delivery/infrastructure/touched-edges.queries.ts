import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type EdgePlace } from '../domain/subscription.js';
import { type SubscriptionKey } from './subscriptions.repository.js';

/** A change of a node whose relationships are looked at. */
export interface NodeStep {
  sequence: number;
  nodeId: string;
}

/** Some of the relationships, in the order of the lists. */
export interface TouchedPart {
  edges: { id: string; place: EdgePlace }[];
  /** The place behind the part; null: nothing is behind it. */
  rest: EdgePlace | null;
}

interface Part extends NodeStep {
  subscription: SubscriptionKey;
  /** The key behind which the list continues; null: from its beginning. */
  after: string | null;
  /** The most rows looked at. */
  limit: number;
}

/** A row that was looked at, and its key in the list. */
interface Row {
  list: number;
  id: string;
  key: string;
  isTouched: boolean;
}

/** Rows of id, key and is_touched in the order of their keys: a list reads no more of them than its limit. */
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
    return sql`SELECT r.id, r.id::text AS key, true AS is_touched FROM (SELECT 1) AS one${start}, LATERAL (
        SELECT r.id, r.created_at FROM relationships AS r
        WHERE r.owner_id = ${ownerId} AND ${column} = ${nodeId} AND r.deleted_at IS NULL ${behind}
        ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}) AS r
      ORDER BY r.created_at DESC, r.id DESC`;
  };

/** Relationships that are deleted now: only the end of those that the receiver may have can be an event. */
const gone =
  (end: 'from' | 'to'): List =>
  ({ subscription: { ownerId, id }, nodeId, after, limit }) =>
    sql`SELECT r.id, r.id::text AS key, (SELECT true FROM webhook_told_nodes AS t
          WHERE t.owner_id = ${ownerId} AND t.subscription_id = ${id} AND t.node_id = r.id) IS TRUE AS is_touched
      FROM (SELECT r.id FROM relationships AS r
        WHERE r.owner_id = ${ownerId} AND ${sql.raw(`r.${end}_node_id`)} = ${nodeId} AND r.deleted_at IS NOT NULL
          ${after === null ? sql.empty : sql`AND r.id > ${after}`}
        ORDER BY r.id LIMIT ${limit}) AS r ORDER BY r.id`;

/** Relationships that a later merge has moved away from the node, by the last of these changes. */
const moved =
  (end: 'from' | 'to'): List =>
  ({ subscription: { ownerId }, sequence, nodeId, after, limit }) => {
    const isMove = (change: string) =>
      sql`${sql.raw(change)}.owner_id = ${ownerId} AND ${sql.raw(change)}.entity = 'relationship'
        AND ${sql.raw(`${change}.changed_fields ? '${end}_node_id'`)}
        AND ${sql.raw(`${change}.changed_fields -> '${end}_node_id' ->> 'old'`)} = ${nodeId}`;
    return sql`SELECT c.entity_id AS id, c.sequence::text AS key,
        (SELECT ${nodeId} IN (r.from_node_id, r.to_node_id) FROM relationships AS r
          WHERE r.owner_id = ${ownerId} AND r.id = c.entity_id) IS NOT TRUE
        AND NOT EXISTS (SELECT FROM changes AS d
          WHERE ${isMove('d')} AND d.entity_id = c.entity_id AND d.sequence > c.sequence) AS is_touched
      FROM (SELECT c.entity_id, c.sequence FROM changes AS c
        WHERE ${isMove('c')} AND c.sequence > ${after === null ? sequence : Number(after)}
        ORDER BY c.sequence LIMIT ${limit}) AS c ORDER BY c.sequence`;
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

  /**
   * The next ones behind a place; some of them may not have had the node then. One statement begins all lists, which are
   * short for most nodes; within a long one it reads no other.
   * @param limit the most rows looked at in each list
   */
  async next(
    subscription: SubscriptionKey,
    step: NodeStep,
    { from, limit }: { from: EdgePlace | null; limit: number },
  ): Promise<TouchedPart> {
    const { sequence } = step;
    const [first, after] = [from?.list ?? 0, from?.after ?? null];
    const lists = after === null ? LISTS.slice(first) : LISTS.slice(first, first + 1);
    const rows = await this.rows(
      lists.map((list, place) => [first + place, list({ subscription, ...step, after, limit })]),
    );
    const edges: TouchedPart['edges'] = [];
    for (const list of lists.keys()) {
      const own = rows.filter((row) => row.list === first + list);
      const placeOf = ({ key }: Row): EdgePlace => ({ sequence, list: first + list, after: key });
      edges.push(
        ...own.filter(({ isTouched }) => isTouched).map((row) => ({ id: row.id, place: placeOf(row) })),
      );
      if (own.length >= limit) return { edges, rest: placeOf(own.at(-1) as Row) };
    }
    const next = first + lists.length;
    return { edges, rest: next === LISTS.length ? null : { sequence, list: next, after: null } };
  }

  private rows(lists: readonly (readonly [number, Sql])[]): Promise<Row[]> {
    const parts = lists.map(
      ([list, rows]) =>
        sql`SELECT ${list}::int AS list, row_number() OVER () AS place, part.* FROM (${rows}) AS part`,
    );
    return this.database.read<Row>(
      sql`SELECT list, id, key, is_touched AS "isTouched" FROM (${sql.join(parts, ' UNION ALL ')}) AS touched
        ORDER BY list, place`,
      'touched-edges',
    );
  }
}
