import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { contentBytes, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type NodeFacts } from '../../../privacy/index.js';
import { type AskedThing, type LoggedStep } from '../../common/index.js';
import { type LoggedEdge } from '../domain/logged-edge.js';

interface FactsRow {
  tag_ids: string[] | null;
  schema_id: string | null;
  node_type: string;
  created_at: string | Date;
}

/** The last change of an end up to a moment, as JSON has it; null if there was none. */
interface EndRow extends FactsRow {
  sequence: number;
  at: string;
  is_gone: boolean;
  is_merged: boolean;
}

interface EdgeRow {
  id: string | null;
  sequence: number;
  at: Date;
  is_gone: boolean;
  edge: LoggedEdge['edge'];
  from_node: EndRow | null;
  to_node: EndRow | null;
}

/** Relationships as the change log keeps them, with the nodes at their ends. */
@Injectable()
export class LoggedEdges {
  constructor(private readonly database: Database) {}

  /** The state of each after its last change up to a position, in the order of the list; null if it has none. */
  async states(ownerId: string, asked: readonly AskedThing[]): Promise<(LoggedEdge | null)[]> {
    const states: (LoggedEdge | null)[] = [];
    while (states.length < asked.length) {
      const rows = await this.database.read<EdgeRow>(
        statesQuery(ownerId, asked.slice(states.length)),
        'logged-relationships',
      );
      states.push(...rows.map(stateOf));
    }
    return states;
  }

  /** The facts of nodes after their last changes. */
  async endsNow(ownerId: string, nodeIds: readonly string[]): Promise<ReadonlyMap<string, NodeFacts>> {
    if (nodeIds.length === 0) return new Map();
    const rows = await this.database.read<{ id: string } & FactsRow>(
      sql`SELECT asked.id, n.* FROM unnest(${[...new Set(nodeIds)]}::uuid[]) AS asked (id), LATERAL (
          SELECT tag_ids, schema_id, node_type, node_created_at AS created_at FROM changes
          WHERE owner_id = ${ownerId} AND entity = 'node' AND entity_id = asked.id
          ORDER BY sequence DESC LIMIT 1) AS n`,
      'logged-ends',
    );
    return new Map(rows.map(({ id, ...facts }) => [id, factsOf(id, facts)]));
  }
}

/** The last change of the node at an end, as columns of that name. */
const joinedEnd = (end: 'from' | 'to'): Sql =>
  sql.raw(`LEFT JOIN LATERAL (
      SELECT n.sequence AS ${end}_sequence, n.changed_at AS ${end}_at, n.tag_ids AS ${end}_tag_ids,
        n.schema_id AS ${end}_schema_id, n.node_type AS ${end}_type, n.node_created_at AS ${end}_created_at,
        n.snapshot AS ${end}_snapshot
      FROM changes AS n WHERE n.owner_id = e.owner_id AND n.entity = 'node'
        AND n.entity_id = (e.snapshot->>'${end}_node_id')::uuid AND n.sequence <= asked.upto
      ORDER BY n.sequence DESC LIMIT 1) AS ${end}_end ON TRUE`);

/** The end as JSON. Its document is read here only, behind the bound of the bytes. */
const endOfPage = (end: 'from' | 'to'): Sql =>
  sql.raw(`CASE WHEN page.${end}_sequence IS NOT NULL THEN jsonb_build_object('sequence', page.${end}_sequence,
      'at', page.${end}_at, 'is_gone', page.${end}_snapshot->>'deleted_at' IS NOT NULL,
      'is_merged', page.${end}_snapshot->>'merged_into' IS NOT NULL, 'tag_ids', page.${end}_tag_ids,
      'schema_id', page.${end}_schema_id, 'node_type', page.${end}_type, 'created_at', page.${end}_created_at)
    END AS ${end}_node`);

function statesQuery(ownerId: string, asked: readonly AskedThing[]): Sql {
  const [ids, upTo] = [asked.map(({ id }) => id), asked.map((thing) => thing.upTo)];
  return withinPageBytes({
    from: sql`(SELECT * FROM unnest(${ids}::uuid[], ${upTo}::bigint[]) WITH ORDINALITY AS asked (id, upto, place)
      LEFT JOIN LATERAL (
        SELECT owner_id, entity_id, sequence, changed_at, action, snapshot FROM changes
        WHERE owner_id = ${ownerId} AND entity = 'relationship' AND entity_id = asked.id AND sequence <= asked.upto
        ORDER BY sequence DESC LIMIT 1) AS e ON TRUE
      ${joinedEnd('from')} ${joinedEnd('to')}) AS c`,
    columns: sql`c.*`,
    order: sql`c.place`,
    bytes: contentBytes('c', { documents: ['snapshot', 'from_snapshot', 'to_snapshot'] }),
    names: sql`page.entity_id AS id, page.sequence, page.changed_at AS at, page.action = 'deleted' AS is_gone,
      page.snapshot AS edge, ${endOfPage('from')}, ${endOfPage('to')}`,
  });
}

function stateOf({
  id,
  sequence,
  at,
  is_gone: isGone,
  edge,
  from_node,
  to_node,
}: EdgeRow): LoggedEdge | null {
  if (id === null) return null;
  const dates = { created_at: new Date(edge.created_at), updated_at: new Date(edge.updated_at) };
  return {
    id,
    steps: [{ sequence, at, isGone }, ...stepsOf(from_node), ...stepsOf(to_node)],
    edge: { ...edge, ...dates },
    from: from_node && factsOf(edge.from_node_id, from_node),
    to: to_node && factsOf(edge.to_node_id, to_node),
  };
}

const stepsOf = (end: EndRow | null): LoggedStep[] =>
  end === null
    ? []
    : [{ sequence: end.sequence, at: new Date(end.at), isGone: end.is_gone, isMerged: end.is_merged }];

const factsOf = (id: string, { tag_ids, schema_id, node_type, created_at }: FactsRow): NodeFacts => ({
  id,
  tagIds: tag_ids ?? [],
  schemaId: schema_id,
  nodeType: node_type,
  createdAt: new Date(created_at),
});
