import { type ChangedFields } from '../../kernel/change-log/changed-fields.js';
import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type JsonObject, type NodeSnapshot } from '../../graph/index.js';

/** One change that a proposal made in the graph. */
export interface GraphChange {
  entity: 'node' | 'relationship' | 'tag';
  entity_id: string;
  action: string;
  version: number;
  changed_fields: ChangedFields | null;
  snapshot: JsonObject;
}

/** Reads of the graph's changes in the change log. */
@Injectable()
export class GraphChangesQueries {
  constructor(private readonly database: Database) {}

  /** The states of a thing at these versions, by version; those that the log does not have are missing. */
  async states(
    entity: 'node' | 'relationship',
    { ownerId, id, versions }: { ownerId: string; id: string; versions: readonly number[] },
  ): Promise<Map<number, JsonObject>> {
    const wanted = [...new Set(versions)];
    const rows = await this.database.read<{ version: number; snapshot: JsonObject }>(
      sql`SELECT version, snapshot FROM changes WHERE owner_id = ${ownerId} AND entity = ${entity}
        AND entity_id = ${id} AND version = ANY(${wanted}::int[]) ORDER BY sequence DESC LIMIT ${wanted.length}`,
      'proposal-base',
    );
    return new Map(rows.map(({ version, snapshot }) => [version, snapshot]));
  }

  /** Returns which of these fields of a node an app has changed after this version. */
  async changedBy(
    appId: string,
    { ownerId, id, since }: { ownerId: string; id: string; since: number },
    fields: readonly string[],
  ): Promise<string[]> {
    const rows = await this.database.read<{ field: string }>(
      sql`SELECT DISTINCT field FROM changes AS c CROSS JOIN LATERAL jsonb_object_keys(c.changed_fields) AS field
        WHERE c.owner_id = ${ownerId} AND c.entity = 'node' AND c.entity_id = ${id} AND c.version > ${since}
          AND c.changed_by_app_id = ${appId} AND field = ANY(${fields}::text[]) ORDER BY field`,
      'proposal-moved',
    );
    return rows.map(({ field }) => field);
  }

  /** Everything that a proposal has changed in the graph, in order. */
  async ofProposal(ownerId: string, proposalId: string): Promise<GraphChange[]> {
    return this.database.read<GraphChange>(
      sql`SELECT entity, entity_id, action, version, changed_fields, snapshot FROM changes
        WHERE owner_id = ${ownerId} AND proposal_id = ${proposalId} AND entity IN ('node', 'relationship', 'tag')
        ORDER BY sequence`,
      'proposal-changes',
    );
  }

  /** Nodes as they were made, by id. */
  async nodesMade(ownerId: string, nodeIds: readonly string[]): Promise<Map<string, NodeSnapshot>> {
    const rows = await this.database.read<{ id: string; snapshot: NodeSnapshot }>(
      sql`SELECT entity_id AS id, snapshot FROM changes WHERE owner_id = ${ownerId} AND entity = 'node'
        AND entity_id = ANY(${nodeIds}::uuid[]) AND action = 'created'`,
      'proposal-nodes-made',
    );
    return new Map(rows.map(({ id, snapshot }) => [id, snapshot]));
  }
}
