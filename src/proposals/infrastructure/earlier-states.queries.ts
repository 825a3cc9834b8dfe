import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type NodeFacts } from '../../privacy/index.js';

export interface EarlierStates {
  /** The facts of past states, by the id of the node that has them now. */
  states: ReadonlyMap<string, NodeFacts[]>;
  /** False if there are more than are read. */
  isComplete: boolean;
}

/** The most different states of nodes together: they differ in tags, type or schema. */
const MOST_STATES = 1_000;

/** Reads the visibility facts of past states of nodes. */
@Injectable()
export class EarlierStatesQueries {
  constructor(private readonly database: Database) {}

  /** The different facts of all versions of these nodes, and of contributions that merges brought to them. */
  async of(ownerId: string, nodeIds: readonly string[]): Promise<EarlierStates> {
    if (nodeIds.length === 0) return { states: new Map(), isComplete: true };
    const rows = await this.database.read<NodeFacts & { of: string }>(
      sql`SELECT DISTINCT s.of, s.id, s.tag_ids AS "tagIds", s.schema_id AS "schemaId", s.node_type AS "nodeType",
          s.node_created_at AS "createdAt"
        FROM (
          SELECT entity_id AS of, entity_id AS id, tag_ids, schema_id, node_type, node_created_at FROM changes
          WHERE owner_id = ${ownerId} AND entity = 'node' AND entity_id = ANY(${nodeIds}::uuid[])
          UNION ALL
          SELECT node_id, came_from[1], tag_ids, schema_id, node_type, node_created_at FROM contributions
          WHERE owner_id = ${ownerId} AND node_id = ANY(${nodeIds}::uuid[]) AND came_from <> '{}'
        ) AS s LIMIT ${MOST_STATES + 1}`,
      'proposal-earlier-states',
    );
    const states = new Map<string, NodeFacts[]>();
    for (const { of, ...facts } of rows) {
      const known = states.get(of);
      if (known === undefined) states.set(of, [facts]);
      else known.push(facts);
    }
    return { states, isComplete: rows.length <= MOST_STATES };
  }
}
