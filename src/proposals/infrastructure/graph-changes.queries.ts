import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';
import { type ChangedFields, type JsonObject, type NodeSnapshot } from '../../graph/index.js';

/** One step that a proposal took in the graph. */
export interface GraphChange {
  entity: 'node' | 'relationship' | 'tag';
  entity_id: string;
  action: string;
  version: number;
  changed_fields: ChangedFields | null;
  snapshot: JsonObject;
}

/** What the change log knows of the graph. */
@Injectable()
export class GraphChangesQueries {
  constructor(private readonly database: Database) {}

  /** The state of a node at one version; null where the log has none. */
  async nodeAt(ownerId: string, nodeId: string, version: number): Promise<JsonObject | null> {
    const [row] = await this.database.read<{ snapshot: JsonObject }>(
      sql`SELECT snapshot FROM changes WHERE owner_id = ${ownerId} AND entity = 'node' AND entity_id = ${nodeId}
        AND version = ${version} ORDER BY sequence DESC LIMIT 1`,
      'proposal-base',
    );
    return row?.snapshot ?? null;
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
