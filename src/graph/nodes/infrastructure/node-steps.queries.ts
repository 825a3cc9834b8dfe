import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { contentBytes, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { sql } from '../../../kernel/database/sql.js';
import { type StepContents, type StepOutline } from '../domain/version-visibility.js';

/** A row of the change log about a node, without its contents. */
export interface LoggedStep extends StepOutline {
  nodeId: string;
  sequence: number;
  version: number;
  /** ISO 8601. */
  at: string;
}

interface OutlineRow {
  node_id: string;
  sequence: number;
  version: number;
  action: string;
  at: string;
  fields: string[] | null;
  tag_ids: string[];
  schema_id: string | null;
  node_type: string;
  node_created_at: Date;
  /** The old values of the facts that the step changed. */
  old: { tag_ids?: string[]; node_type?: string; schema_id?: string | null };
}

/** Rows of one statement. */
const ROWS = 500;

const OUTLINE = sql.raw(
  `c.entity_id AS node_id, c.sequence, c.version, c.action, c.snapshot ->> 'updated_at' AS at,
    CASE WHEN c.changed_fields IS NULL THEN NULL ELSE ARRAY(SELECT jsonb_object_keys(c.changed_fields)) END AS fields,
    c.tag_ids, c.schema_id, c.node_type, c.node_created_at,
    (SELECT coalesce(jsonb_object_agg(f.key, f.value -> 'old'), '{}') FROM jsonb_each(c.changed_fields) AS f
      WHERE f.key IN ('tag_ids', 'node_type', 'schema_id')) AS old`,
);

/** Steps of nodes in the change log, for deciding which of them a caller is shown. */
@Injectable()
export class NodeStepsQueries {
  constructor(private readonly database: Database) {}

  /**
   * Steps of nodes after a version of each, in their order; the first ones if there are many.
   * @returns also if there may be more
   */
  async after(
    ownerId: string,
    nodes: readonly { id: string; after: number }[],
  ): Promise<{ steps: LoggedStep[]; isFull: boolean }> {
    const rows = await this.database.read<OutlineRow>(
      sql`SELECT ${OUTLINE}
        FROM unnest(${nodes.map(({ id }) => id)}::uuid[], ${nodes.map(({ after }) => after)}::integer[]) AS asked (id, after)
        JOIN changes AS c ON c.owner_id = ${ownerId} AND c.entity_id = asked.id AND c.entity = 'node' AND c.version > asked.after
        ORDER BY c.sequence LIMIT ${ROWS}`,
      'node-steps',
    );
    return { steps: rows.map(stepOf), isFull: rows.length === ROWS };
  }

  /**
   * The next steps of existing nodes after a position of the log, in their order, and the first step of nodes whose
   * second one is among them. That is looked for by all columns of the index of entities, and its kind afterwards: with
   * statistics from before the owner's rows the planner would choose another index and scan all of them for each node.
   * @returns also if there may be more
   */
  async since(ownerId: string, position: number): Promise<{ steps: LoggedStep[]; isFull: boolean }> {
    const rows = await this.database.read<OutlineRow>(
      sql`SELECT ${OUTLINE}
        FROM (SELECT e.* FROM changes AS e
          WHERE e.owner_id = ${ownerId} AND e.entity = 'node' AND e.version > 1 AND e.sequence > ${position}
          ORDER BY e.sequence LIMIT ${ROWS}) AS edit
        CROSS JOIN LATERAL (
          SELECT edit.* UNION ALL SELECT step.* FROM (
            SELECT s.* FROM changes AS s WHERE edit.version = 2 AND s.owner_id = ${ownerId}
              AND s.entity_id = edit.entity_id AND s.sequence < edit.sequence AND s.version = 1 OFFSET 0
          ) AS step WHERE step.entity = 'node'
        ) AS c ORDER BY c.sequence`,
      'node-steps-since',
    );
    return { steps: rows.map(stepOf), isFull: rows.filter(({ version }) => version > 1).length === ROWS };
  }

  /** The changes of these steps and the states after them, in their order; the first ones if they are large. */
  contents(ownerId: string, sequences: readonly number[]): Promise<(StepContents & { sequence: number })[]> {
    return this.database.read(
      withinPageBytes({
        from: sql`changes AS c WHERE c.owner_id = ${ownerId} AND c.sequence = ANY(${sequences}::bigint[])`,
        columns: sql`c.sequence, c.snapshot AS after, c.changed_fields AS "changedFields"`,
        order: sql`c.sequence`,
        bytes: contentBytes('c', { documents: ['snapshot', 'changed_fields'] }),
        names: sql`sequence, after, "changedFields"`,
      }),
      'node-steps-contents',
    );
  }
}

function stepOf(row: OutlineRow): LoggedStep {
  const { node_id: nodeId, sequence, version, action, at, fields, old } = row;
  const after = {
    id: nodeId,
    tagIds: row.tag_ids,
    schemaId: row.schema_id,
    nodeType: row.node_type,
    createdAt: row.node_created_at,
  };
  const before = {
    ...after,
    tagIds: old.tag_ids ?? after.tagIds,
    nodeType: old.node_type ?? after.nodeType,
    schemaId: old.schema_id === undefined ? after.schemaId : old.schema_id,
  };
  return { nodeId, sequence, version, at, action, fields, before, after };
}
