import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { contentBytes, withinPageBytes } from '../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { carriesAnyOf, compileVisibility, type Visibility } from '../../privacy/index.js';
import { type LoggedNode } from '../domain/logged-node.js';
import { type Base, type NodeKey, type Pass } from '../domain/replica.js';

/** The nodes of a pass to look at next. */
export interface Stretch {
  ownerId: string;
  /** The pass, whose next keys are above the one that it has reached. */
  pass: Pass;
  /** The end of the log for this request. */
  head: number;
  narrowing: Narrowing | null;
  limit: number;
}

/** A node as its last change up to the end of the pass left it. */
export interface VisitedNode extends LoggedNode {
  /** Its place in the order of the pass. */
  key: number;
}

/** Nodes that the database can leave out because they would have no entry. */
export type Narrowing =
  /** Nothing is held: only the present visibility matters. */
  | { kind: 'seen'; by: Visibility }
  /**
   * Unchanged rules, except for the names of these tags: nodes that changed after the position, or carry one of them.
   */
  | { kind: 'touched'; since: number; tagIds: readonly string[] };

/** The state of a node after its last change above one position and up to another. */
export interface AskedState {
  id: string;
  after?: number;
  upTo: number;
}

/** A row for each requested state, whose columns are null where the node has no state. */
type StateRow = LoggedNode | Record<keyof LoggedNode, null>;

/** The most nodes whose states one statement looks for. */
const AT_ONCE = 128;

/** The most rows of the log that one statement passes over, however often its nodes were changed. */
const STRETCH = 20_000;

/** The most changes since a pass's start that are read at once to find their nodes; above, all nodes are walked. */
const FEW_CHANGES = 2_000;

const COLUMNS = sql.raw('c.sequence, c.entity_id AS id, c.snapshot AS node, c.changed_at AS "changedAt"');
const FACTS = {
  id: sql.raw('c.entity_id'),
  tagIds: sql.raw('c.tag_ids'),
  schemaId: sql.raw('c.schema_id'),
  nodeType: sql.raw('c.node_type'),
  createdAt: sql.raw('c.node_created_at'),
};
const LIVING = sql.raw(`(c.snapshot->>'deleted_at' IS NULL)`);

/** Nodes as the change log keeps them. Rows of the log never change, so an answer never changes. */
@Injectable()
export class LoggedNodesQueries {
  constructor(private readonly database: Database) {}

  /**
   * Nodes in the order of their keys, each with the state at its key.
   * @returns also the key up to which nothing else exists, and whether the size has ended the search
   */
  async next(stretch: Stretch): Promise<{ nodes: VisitedNode[]; reached: number; isCut: boolean }> {
    const { pass, limit } = stretch;
    const upTo = isAmongFewChanges(stretch)
      ? pass.end.changes
      : Math.min(pass.end.changes, pass.reached + STRETCH);
    const isByCreation = pass.order === 'creation';
    const from = isByCreation ? inOrderOfCreation(stretch, upTo) : inOrderOfLastChange(stretch, upTo);
    const rows = await this.database.read<VisitedNode & { found: number }>(
      withinPageBytes({
        from: sql`(${from} LIMIT ${limit}) AS c`,
        columns: sql`c.key, ${COLUMNS}, count(*) OVER () AS found`,
        order: sql`c.key`,
        bytes: contentBytes('c', { documents: ['snapshot'] }),
        names: sql`page.key, page.sequence, page.id, page.node, page."changedAt", page.found`,
      }),
      isByCreation ? 'sync-next-created' : 'sync-next',
    );
    const nodes = rows.map(({ found, ...node }) => node);
    const isCut = nodes.length < (rows[0]?.found ?? 0);
    const isLast = !isCut && nodes.length < limit;
    return { nodes, reached: isLast ? upTo : (nodes.at(-1) as VisitedNode).key, isCut };
  }

  /**
   * The last state of each node between two positions, in the order of the list; null for a node without one. Each part
   * holds few bytes, and is read when the one before has been used.
   * @param only living: deleted states are passed over
   */
  async *states(
    ownerId: string,
    asked: readonly AskedState[],
    only: 'any' | 'living' = 'any',
  ): AsyncGenerator<(LoggedNode | null)[]> {
    for (let from = 0; from < asked.length;) {
      const rows = await this.database.read<StateRow>(
        lastStatesQuery(ownerId, asked.slice(from, from + AT_ONCE), only),
        'sync-states',
      );
      yield rows.map((row) => (row.node === null ? null : row));
      from += rows.length;
    }
  }

  /** The keys of nodes in a completed pass; nodes that did not exist yet may be missing. */
  async keysIn(ownerId: string, ids: readonly string[], base: Base): Promise<Map<string, NodeKey>> {
    const changed = sql`c.owner_id = ${ownerId} AND c.entity = 'node' AND c.entity_id = asked.id`;
    const first = sql`SELECT min(c.sequence) FROM changes AS c WHERE ${changed}`;
    const last = sql`SELECT max(c.sequence) FROM changes AS c WHERE ${changed} AND c.sequence <= ${base.end.changes}`;
    const keys =
      base.order === 'creation'
        ? sql`(${first}) AS key, (${first} AND c.sequence > ${base.start}) AS touched`
        : sql`(${last}) AS key, (${last}) AS touched`;
    const rows = await this.database.read<NodeKey & { id: string }>(
      sql`SELECT asked.id, ${keys} FROM unnest(${ids}::uuid[]) AS asked (id)`,
      `sync-keys-by-${base.order === 'creation' ? 'creation' : 'change'}`,
    );
    return new Map(rows.flatMap(({ id, ...key }) => (key.key === null ? [] : [[id, key] as const])));
  }

  /** The time at which a position of the log was written; null if it does not exist. */
  async timeOf(ownerId: string, sequence: number): Promise<Date | null> {
    const [row] = await this.database.read<{ at: Date }>(
      sql`SELECT changed_at AS at FROM changes WHERE owner_id = ${ownerId} AND sequence = ${sequence}`,
      'sync-time',
    );
    return row?.at ?? null;
  }
}

function lastStatesQuery(ownerId: string, asked: readonly AskedState[], only: 'any' | 'living'): Sql {
  const [ids, after, upTo] = [
    asked.map(({ id }) => id),
    asked.map((state) => state.after ?? 0),
    asked.map((state) => state.upTo),
  ];
  return withinPageBytes({
    from: sql`unnest(${ids}::uuid[], ${after}::bigint[], ${upTo}::bigint[])
      WITH ORDINALITY AS asked (id, after, upto, place) LEFT JOIN LATERAL (
        SELECT c.sequence, c.entity_id, c.snapshot, c.changed_at FROM changes AS c
        WHERE c.owner_id = ${ownerId} AND c.entity = 'node' AND c.entity_id = asked.id
          AND c.sequence > asked.after AND c.sequence <= asked.upto AND (${only === 'any'} OR ${LIVING})
        ORDER BY c.sequence DESC LIMIT 1) AS c ON TRUE`,
    columns: COLUMNS,
    order: sql`asked.place`,
    bytes: contentBytes('c', { documents: ['snapshot'] }),
    names: sql`page.sequence, page.id, page.node, page."changedAt"`,
  });
}

/**
 * The planner expects a condition without statistics to pass one row in two hundred, and so would read and sort the
 * whole stretch for each page. It expects half of a CASE, and follows the index until the page is full.
 */
const likely = (condition: Sql): Sql => sql`CASE WHEN ${condition} THEN TRUE END`;

/** Finds each node at its last change up to the end of the pass. */
const inOrderOfLastChange = (stretch: Stretch, upTo: number): Sql =>
  sql`SELECT c.sequence AS key, c.sequence, c.entity_id, c.snapshot, c.changed_at FROM changes AS c
    WHERE c.owner_id = ${stretch.ownerId} AND c.entity = 'node'
      AND c.sequence > ${stretch.pass.reached} AND c.sequence <= ${upTo}
      AND NOT ${changedBetween(sql`c.sequence`, sql`${stretch.pass.end.changes}`)} AND ${likely(narrowed(stretch))}
    ORDER BY c.sequence`;

/** Finds each node at its first change, or by any since the pass's start if those are few. */
function inOrderOfCreation(stretch: Stretch, upTo: number): Sql {
  const { ownerId, pass, head } = stretch;
  const owned = sql`owner_id = ${ownerId} AND entity = 'node'`;
  const [start, end] = [pass.start, pass.end.changes];
  const found = isAmongFewChanges(stretch)
    ? sql`(SELECT DISTINCT entity_id FROM changes
        WHERE ${owned} AND sequence > ${start} AND sequence <= ${head}) AS t
      CROSS JOIN LATERAL (SELECT sequence, entity_id FROM changes
        WHERE ${owned} AND entity_id = t.entity_id ORDER BY sequence LIMIT 1) AS f`
    : sql`(SELECT c.sequence, c.entity_id FROM changes AS c
        WHERE ${owned} AND NOT ${changedBetween(sql`0`, sql`c.sequence - 1`)}) AS f`;
  return sql`SELECT f.sequence AS key, c.sequence, c.entity_id, c.snapshot, c.changed_at FROM ${found}
    CROSS JOIN LATERAL (SELECT * FROM changes
      WHERE ${owned} AND entity_id = f.entity_id AND sequence <= ${end} ORDER BY sequence DESC LIMIT 1) AS c
    WHERE f.sequence > ${pass.reached} AND f.sequence <= ${upTo}
      AND ${likely(sql.and([sinceStart(stretch), narrowed(stretch)]))}
    ORDER BY f.sequence`;
}

/**
 * Changes up to the moment of the page, not of the pass: a hidden change before the pass began must not decide which
 * pass brings a change after it.
 */
function sinceStart({ pass: { start, end }, head }: Stretch): Sql | false {
  if (start === 0) return false;
  return sql`(c.sequence > ${start} OR ${changedBetween(sql`${end.changes}`, sql`${head}`)})`;
}

const isAmongFewChanges = ({ pass: { order, start }, head }: Stretch): boolean =>
  order === 'creation' && start > 0 && head - start <= FEW_CHANGES;

function narrowed({ narrowing, pass: { end: until }, head }: Stretch): Sql {
  const end = until.changes;
  if (narrowing === null) return sql.raw('TRUE');
  const condition =
    narrowing.kind === 'seen'
      ? // The columns first: most rows that are not seen need not be unpacked.
        sql`(${compileVisibility(narrowing.by, FACTS)} AND ${LIVING})`
      : sql`(c.sequence > ${narrowing.since} OR ${carriesAnyOf(FACTS.tagIds, narrowing.tagIds)})`;
  // Nodes that changed since the pass began are judged in their current state.
  return head > end ? sql`(${condition} OR ${changedBetween(sql`${end}`, sql`${head}`)})` : condition;
}

/** True if the node has a change above one position up to another. */
const changedBetween = (after: Sql, upTo: Sql): Sql => sql`EXISTS (SELECT 1 FROM changes AS l
  WHERE l.owner_id = c.owner_id AND l.entity_id = c.entity_id AND l.entity = 'node'
    AND l.sequence > ${after} AND l.sequence <= ${upTo})`;
