import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type World } from '../support/world.js';

/**
 * The graph of one user: all living nodes, edges and tags, without versions and times of change.
 * @param without more columns to leave out
 */
export async function graphExport(world: World, ownerId: string, without: string[] = []): Promise<string> {
  const database = world.nest.get(Database);
  const rows = (table: string) =>
    database.read(sql`SELECT to_jsonb(t) - ${['version', 'updated_at', ...without]}::text[] AS row FROM ${sql.raw(table)} t
      WHERE owner_id = ${ownerId} AND deleted_at IS NULL ORDER BY id`);
  const [nodes, edges, tags] = [await rows('nodes'), await rows('relationships'), await rows('tags')];
  return JSON.stringify({ nodes, edges, tags }, null, 1);
}

export interface Logged {
  entity: string;
  entity_id: string;
  action: string;
  version: number;
  changed_fields: Record<string, { old: unknown; new: unknown }> | null;
  snapshot: Record<string, unknown>;
  changed_by_type: string;
  changed_by_user_id: string | null;
  changed_by_app_id: string | null;
  changed_by_agent_id: string | null;
  proposal_id: string | null;
}

/** @param entityId of this thing only */
export const changesOf = (world: World, ownerId: string, entityId?: string): Promise<Logged[]> =>
  world.nest.get(Database).read<Logged>(
    sql`SELECT * FROM changes WHERE owner_id = ${ownerId}
      AND ${entityId === undefined ? sql.raw('TRUE') : sql`entity_id = ${entityId}`} ORDER BY sequence`,
  );
