import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { contentBytes, PAGE_BYTES, withinPageBytes } from '../../kernel/persistence/page-bytes.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { carriesAnyOf, compileVisibility, type Visibility } from '../../privacy/index.js';
import { type LoggedNode } from '../domain/logged-node.js';

/** Which nodes of a pass are looked at next. */
export interface Stretch {
  ownerId: string;
  /** Keys above this one, … */
  after: number;
  /** … up to this one. */
  upTo: number;
  /** The end of the pass: a node's key is its last change up to here. */
  end: number;
  /** Where the log ends for this request. */
  head: number;
  narrowing: Narrowing | null;
  limit: number;
}

/** What the database can leave out because it would come to nothing. */
export type Narrowing =
  /** Nothing is held: only what is seen now matters. */
  | { kind: 'seen'; by: Visibility }
  /** The rules stand, but for the names of these tags: nodes that changed after the position, or carry one of them. */
  | { kind: 'touched'; since: number; tagIds: readonly string[] };

/** At most this many rows of the log are passed over in one statement, however often its nodes were changed. */
const STRETCH = 20_000;

const COLUMNS = sql.raw('c.sequence, c.entity_id AS id, c.snapshot AS node, c.changed_at AS "changedAt"');
const FACTS = {
  id: sql.raw('c.entity_id'),
  tagIds: sql.raw('c.tag_ids'),
  schemaId: sql.raw('c.schema_id'),
  nodeType: sql.raw('c.node_type'),
  createdAt: sql.raw('c.node_created_at'),
};
const LIVING = sql.raw(`(c.snapshot->>'deleted_at' IS NULL)`);

/** Nodes as the change log keeps them. Rows of the log never change, so that each answer is the same for ever. */
@Injectable()
export class LoggedNodesQueries {
  constructor(private readonly database: Database) {}

  /**
   * Nodes in the order of their keys, each with the state at its key.
   * @returns also how far the search came: there is nothing else up to there; and whether their size has ended it
   */
  async next(stretch: Stretch): Promise<{ nodes: LoggedNode[]; reached: number; isCut: boolean }> {
    const { ownerId, after, end, limit } = stretch;
    const upTo = Math.min(stretch.upTo, after + STRETCH);
    const rows = await this.database.read<LoggedNode & { found: number }>(
      withinPageBytes({
        from: sql`(
          SELECT c.sequence, c.entity_id, c.snapshot, c.changed_at FROM changes AS c
          WHERE c.owner_id = ${ownerId} AND c.entity = 'node' AND c.sequence > ${after} AND c.sequence <= ${upTo}
            AND NOT ${changedBetween(sql`c.sequence`, sql`${end}`)} AND ${likely(narrowed(stretch))}
          ORDER BY c.sequence LIMIT ${limit}
        ) AS c`,
        columns: sql`${COLUMNS}, count(*) OVER () AS found`,
        order: sql`c.sequence`,
        most: PAGE_BYTES,
        bytes: contentBytes('c', { documents: ['snapshot'] }),
        names: sql`page.sequence, page.id, page.node, page."changedAt", page.found`,
      }),
      'sync-next',
    );
    const nodes = rows.map(({ found, ...node }) => node);
    const isCut = nodes.length < (rows[0]?.found ?? 0);
    const isLast = !isCut && nodes.length < limit;
    return { nodes, reached: isLast ? upTo : (nodes.at(-1) as LoggedNode).sequence, isCut };
  }

  /** Those of the nodes that changed after a position, with their state at another. */
  async changedAfter(
    ownerId: string,
    ids: readonly string[],
    { after, upTo }: { after: number; upTo: number },
  ): Promise<Map<string, LoggedNode>> {
    const rows = await this.database.read<LoggedNode>(
      sql`SELECT DISTINCT ON (c.entity_id) ${COLUMNS} FROM changes AS c
        WHERE c.owner_id = ${ownerId} AND c.entity = 'node' AND c.entity_id = ANY(${ids}::uuid[])
          AND c.sequence > ${after} AND c.sequence <= ${upTo}
        ORDER BY c.entity_id, c.sequence DESC`,
      'sync-changed',
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The state of each node at a position of its own; a node that was not there yet is missing from the answer. */
  async at(
    ownerId: string,
    asked: readonly { id: string; upTo: number }[],
    only: 'any' | 'living' = 'any',
  ): Promise<Map<string, LoggedNode>> {
    if (asked.length === 0) return new Map();
    const condition = only === 'living' ? LIVING : sql.raw('TRUE');
    const rows = await this.database.read<LoggedNode>(
      sql`SELECT s.* FROM unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ upTo }) => upTo)}::bigint[]) AS asked (id, upto)
        CROSS JOIN LATERAL (
          SELECT ${COLUMNS} FROM changes AS c
          WHERE c.owner_id = ${ownerId} AND c.entity = 'node' AND c.entity_id = asked.id AND c.sequence <= asked.upto
            AND ${condition}
          ORDER BY c.sequence DESC LIMIT 1) AS s`,
      'sync-at',
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The keys of nodes at a position. */
  async keysAt(ownerId: string, ids: readonly string[], upTo: number): Promise<Map<string, number>> {
    const rows = await this.database.read<{ id: string; key: number | null }>(
      sql`SELECT asked.id, (SELECT max(c.sequence) FROM changes AS c
          WHERE c.owner_id = ${ownerId} AND c.entity = 'node' AND c.entity_id = asked.id AND c.sequence <= ${upTo}) AS key
        FROM unnest(${ids}::uuid[]) AS asked (id)`,
      'sync-keys',
    );
    return new Map(rows.flatMap(({ id, key }) => (key === null ? [] : [[id, key] as const])));
  }

  /** When a position of the log was written; null where there is none. */
  async timeOf(ownerId: string, sequence: number): Promise<Date | null> {
    const [row] = await this.database.read<{ at: Date }>(
      sql`SELECT changed_at AS at FROM changes WHERE owner_id = ${ownerId} AND sequence = ${sequence}`,
      'sync-time',
    );
    return row?.at ?? null;
  }
}

/**
 * The planner expects what it has no statistics for to let one row in two hundred through, and so reads and sorts the whole
 * stretch for each page. Of a CASE it expects one in two, and follows the index until the page is full.
 */
const likely = (condition: Sql): Sql => sql`CASE WHEN ${condition} THEN TRUE END`;

function narrowed({ narrowing, end, head }: Stretch): Sql {
  if (narrowing === null) return sql.raw('TRUE');
  const condition =
    narrowing.kind === 'seen'
      ? // The columns first: most rows that are not seen need not be unpacked.
        sql`(${compileVisibility(narrowing.by, FACTS)} AND ${LIVING})`
      : sql`(c.sequence > ${narrowing.since} OR ${carriesAnyOf(FACTS.tagIds, narrowing.tagIds)})`;
  // What has changed since the pass began is looked at as it is now.
  return head > end ? sql`(${condition} OR ${changedBetween(sql`${end}`, sql`${head}`)})` : condition;
}

/** Whether the node has a change above one position up to another. */
const changedBetween = (after: Sql, upTo: Sql): Sql => sql`EXISTS (SELECT 1 FROM changes AS l
  WHERE l.owner_id = c.owner_id AND l.entity_id = c.entity_id AND l.entity = 'node'
    AND l.sequence > ${after} AND l.sequence <= ${upTo})`;
