import { Injectable } from '@nestjs/common';
import { OwnerCounters } from '../../kernel/change-log/owner-counters.js';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

/** The state of a graph and of its rules that the disclosures of a proposal were computed from. */
export interface ComparedState {
  ownerId: string;
  /** The owner's change counter before anything else was read. */
  changes: number;
  /** The policy versions of the owner and of the compared apps. */
  policies: ReadonlyMap<string, number>;
  /** The existing nodes that the proposal names. */
  nodeIds: readonly string[];
}

/** The fields of a node by which rules judge it and the relationships at it, as the change log names them. */
const STANDING = ['tag_ids', 'node_type', 'schema_id'];

/** Finds changes since the disclosures of a proposal were computed that could make them others (rule 8.10d). */
@Injectable()
export class ComparedStateQueries {
  constructor(
    private readonly database: Database,
    private readonly counters: OwnerCounters,
  ) {}

  /** True if nothing has been committed since that disclosures depend on. Values of other nodes may have changed. */
  async isCurrent({ ownerId, changes, policies, nodeIds }: ComparedState): Promise<boolean> {
    const now = await this.counters.current([...policies.keys()]);
    if ([...policies].some(([id, policy]) => (now.get(id)?.policy ?? 0) !== policy)) return false;
    if ((now.get(ownerId)?.changes ?? 0) === changes) return true;
    const [row] = await this.database.read<{ hasChanged: boolean }>(
      sql`SELECT EXISTS (SELECT FROM changes c WHERE c.owner_id = ${ownerId} AND c.sequence > ${changes} AND (
          (c.entity = 'node' AND (c.entity_id = ANY(${nodeIds}::uuid[]) OR c.changed_fields ?| ${STANDING}::text[]))
          OR (c.entity = 'relationship' AND (c.snapshot ->> 'from_node_id' = ANY(${nodeIds}::text[])
            OR c.snapshot ->> 'to_node_id' = ANY(${nodeIds}::text[]))))) AS "hasChanged"`,
      'proposal-compared-state',
    );
    return row?.hasChanged === false;
  }
}
