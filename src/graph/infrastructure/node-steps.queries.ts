import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';
import { type StepContents, type StepOutline } from '../domain/version-visibility.js';

/** A row of the change log about a node, without its contents. */
export interface LoggedStep extends StepOutline {
  nodeId: string;
  sequence: number;
  version: number;
  /** ISO 8601. */
  at: string;
}

/** A change of an existing node. */
export interface LoggedEdit {
  nodeId: string;
  sequence: number;
  version: number;
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
const EDITS = 2_000;

const OLD = sql.raw(
  `(SELECT coalesce(jsonb_object_agg(f.key, f.value -> 'old'), '{}') FROM jsonb_each(c.changed_fields) AS f
    WHERE f.key IN ('tag_ids', 'node_type', 'schema_id')) AS old`,
);

/** Steps of nodes in the change log, for deciding which of them a caller is shown. */
@Injectable()
export class NodeStepsQueries {
  constructor(private readonly database: Database) {}

  /**
   * The first steps of each node after a version of it, in the order of the versions.
   * @returns also if there may be more
   */
  async after(
    ownerId: string,
    nodes: readonly { id: string; after: number }[],
  ): Promise<{ steps: LoggedStep[]; isFull: boolean }> {
    const rows = await this.database.read<OutlineRow>(
      sql`SELECT c.entity_id AS node_id, c.sequence, c.version, c.action, c.snapshot ->> 'updated_at' AS at,
          CASE WHEN c.changed_fields IS NULL THEN NULL ELSE ARRAY(SELECT jsonb_object_keys(c.changed_fields)) END AS fields,
          c.tag_ids, c.schema_id, c.node_type, c.node_created_at, ${OLD}
        FROM unnest(${nodes.map(({ id }) => id)}::uuid[], ${nodes.map(({ after }) => after)}::integer[]) AS asked (id, after)
        JOIN changes AS c ON c.owner_id = ${ownerId} AND c.entity_id = asked.id AND c.entity = 'node' AND c.version > asked.after
        ORDER BY c.entity_id, c.sequence LIMIT ${ROWS}`,
      'node-steps',
    );
    return { steps: rows.map(stepOf), isFull: rows.length === ROWS };
  }

  /** The changes of these steps, and the states after them. */
  contents(ownerId: string, sequences: readonly number[]): Promise<(StepContents & { sequence: number })[]> {
    return this.database.read(
      sql`SELECT c.sequence, c.snapshot AS after, c.changed_fields AS "changedFields" FROM changes AS c
        WHERE c.owner_id = ${ownerId} AND c.sequence = ANY(${sequences}::bigint[])`,
      'node-steps-contents',
    );
  }

  /** The next changes of existing nodes after a position of the log. */
  async edits(ownerId: string, after: number): Promise<{ edits: LoggedEdit[]; isFull: boolean }> {
    const edits = await this.database.read<LoggedEdit>(
      sql`SELECT c.entity_id AS "nodeId", c.sequence, c.version FROM changes AS c
        WHERE c.owner_id = ${ownerId} AND c.entity = 'node' AND c.version > 1 AND c.sequence > ${after}
        ORDER BY c.sequence LIMIT ${EDITS}`,
      'node-edits',
    );
    return { edits, isFull: edits.length === EDITS };
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
