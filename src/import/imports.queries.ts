import { Injectable } from '@nestjs/common';
import { Database } from '../kernel/database/database.js';
import { sql } from '../kernel/database/sql.js';
import { type SourceState } from './import-state.js';

/** A named import. */
export interface ImportRecord {
  id: string;
  name: string;
  /** The key in the marks of its nodes. */
  collection: string;
  importer: string;
  /** A hash of the folder; null when unknown. */
  place: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A name that only the change log has, from an earlier version of the service. */
interface LoggedImport {
  name: string;
  importer: string;
  created_at: Date;
  updated_at: Date;
}

/** A living or deleted node of an import, and the last text of its source. */
export interface ImportedText {
  ref: string;
  title: string | null;
  value: string | null;
}

/** A node that an import made. */
export interface MadeNode {
  id: string;
  title: string;
}

/** An error for an import that was undone while it ran. The message is one line for the operator. */
export class ImportUndone extends Error {
  constructor() {
    super('this import was undone while it ran, and what it wrote is deleted; run it again for a new import');
  }
}

/**
 * The tables `imports` and `imported_nodes`, and the entries of imports in the change log. Writes need a
 * unit of work.
 */
@Injectable()
export class ImportsQueries {
  constructor(private readonly database: Database) {}

  list(ownerId: string): Promise<ImportRecord[]> {
    return this.database.read<ImportRecord>(
      sql`SELECT id, name, collection, importer, place, created_at, updated_at FROM imports
        WHERE owner_id = ${ownerId} AND undone_at IS NULL ORDER BY created_at, name`,
    );
  }

  /** Imports that only the change log knows, by the reasons of created nodes. */
  listLogged(ownerId: string): Promise<LoggedImport[]> {
    return this.database.read<LoggedImport>(
      sql`SELECT c.name, c.importer, min(c.changed_at) AS created_at, max(c.changed_at) AS updated_at
        FROM (
          SELECT substr(reason, 11) AS name, snapshot #>> '{metadata,source,importer}' AS importer, changed_at
          FROM changes
          WHERE owner_id = ${ownerId} AND entity = 'node' AND action = 'created' AND changed_by_app_id IS NULL
            AND reason LIKE 'import of _%'
        ) AS c
        WHERE c.importer IN ('markdown-vault', 'json-resume')
          AND NOT EXISTS (SELECT FROM imports AS i WHERE i.owner_id = ${ownerId} AND c.name IN (i.name, i.collection))
        GROUP BY c.name, c.importer`,
    );
  }

  /** Saves an import, unless the account is being erased. */
  async save(ownerId: string, record: ImportRecord): Promise<void> {
    const { id, name, collection, importer, place, created_at, updated_at } = record;
    await this.database.write(
      sql`INSERT INTO imports (owner_id, id, name, collection, importer, place, created_at, updated_at)
        SELECT id, ${id}::uuid, ${name}, ${collection}, ${importer}, ${place}, ${created_at}::timestamptz, ${updated_at}::timestamptz
        FROM users WHERE id = ${ownerId} FOR KEY SHARE
        ON CONFLICT (owner_id, id) DO UPDATE SET place = excluded.place, updated_at = excluded.updated_at`,
    );
  }

  /**
   * Waits for units of work that hold the import open; after the commit none can. No effect on an import
   * that is already undone.
   */
  async markUndone(ownerId: string, id: string, at: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE imports SET undone_at = ${at} WHERE owner_id = ${ownerId} AND id = ${id} AND undone_at IS NULL`,
    );
  }

  /**
   * Prevents an undo of the import of a collection until the unit of work ends. No effect on a
   * collection without a record.
   * @throws ImportUndone
   */
  async holdOpen(ownerId: string, collection: string): Promise<void> {
    const records = await this.database.write<{ undone_at: Date | null }>(
      sql`SELECT undone_at FROM imports WHERE owner_id = ${ownerId} AND collection = ${collection} FOR SHARE`,
    );
    if (records.length > 0 && records.every(({ undone_at }) => undone_at !== null)) throw new ImportUndone();
  }

  /** The import of that name that was undone last. */
  async lastUndone(ownerId: string, name: string): Promise<ImportRecord | null> {
    const [record] = await this.database.read<ImportRecord>(
      sql`SELECT id, name, collection, importer, place, created_at, updated_at FROM imports
        WHERE owner_id = ${ownerId} AND name = ${name} AND undone_at IS NOT NULL ORDER BY undone_at DESC, id LIMIT 1`,
    );
    return record ?? null;
  }

  /** True if an undone import has marked nodes with this collection. */
  async isSpent(ownerId: string, collection: string): Promise<boolean> {
    const rows = await this.database.read(
      sql`SELECT 1 FROM imports WHERE owner_id = ${ownerId} AND collection = ${collection}`,
    );
    return rows.length > 0;
  }

  async statesOf(ownerId: string, nodeIds: readonly string[]): Promise<Map<string, Record<string, unknown>>> {
    if (nodeIds.length === 0) return new Map();
    const rows = await this.database.read<{ node_id: string; source: Record<string, unknown> }>(
      sql`SELECT node_id, source FROM imported_nodes WHERE owner_id = ${ownerId} AND node_id = ANY(${nodeIds}::uuid[])`,
    );
    return new Map(rows.map(({ node_id, source }) => [node_id, source]));
  }

  async keepStates(
    ownerId: string,
    states: readonly { node_id: string; source: SourceState }[],
  ): Promise<void> {
    if (states.length === 0) return;
    await this.database.write(
      sql`INSERT INTO imported_nodes (owner_id, node_id, source)
        SELECT ${ownerId}::uuid, r.node_id, r.source
        FROM jsonb_to_recordset(${JSON.stringify(states)}::jsonb) AS r (node_id uuid, source jsonb)
        ON CONFLICT (owner_id, node_id) DO UPDATE SET source = excluded.source`,
    );
  }

  /** The texts of an import's nodes, found by their marks. A node without a state has no known text. */
  texts(
    ownerId: string,
    { importer, prefix }: { importer: string; prefix: string },
  ): Promise<ImportedText[]> {
    return this.database.read<ImportedText>(
      sql`SELECT n.metadata #>> '{source,ref}' AS ref, i.source ->> 'title' AS title, i.source ->> 'value' AS value
        FROM nodes AS n LEFT JOIN imported_nodes AS i ON i.owner_id = n.owner_id AND i.node_id = n.id
        WHERE n.owner_id = ${ownerId} AND md5(n.metadata #>> '{source,importer}') = md5(${importer}::text)
          AND n.metadata #>> '{source,importer}' = ${importer} AND starts_with(n.metadata #>> '{source,ref}', ${prefix})`,
    );
  }

  /** Living nodes that the import made, by the log: their marks may have been changed or taken off since. */
  made(
    ownerId: string,
    { importers, prefix, reason }: { importers: readonly string[]; prefix: string; reason: string },
  ): Promise<MadeNode[]> {
    return this.database.read<MadeNode>(
      sql`SELECT n.id, n.title FROM changes AS c
        JOIN nodes AS n ON n.owner_id = c.owner_id AND n.id = c.entity_id AND n.deleted_at IS NULL
        WHERE c.owner_id = ${ownerId} AND c.entity = 'node' AND c.action = 'created' AND c.changed_by_app_id IS NULL
          AND c.reason = ${reason} AND c.snapshot #>> '{metadata,source,importer}' = ANY(${importers}::text[])
          AND starts_with(c.snapshot #>> '{metadata,source,ref}', ${prefix})
        ORDER BY n.created_at, n.id`,
    );
  }

  /**
   * The nodes, among these, that were changed or given a vector for another reason than the import, or are at the end of
   * a relationship that was made or changed for another reason.
   */
  async touched(ownerId: string, ids: readonly string[], reason: string): Promise<Set<string>> {
    const isOthers = sql`(c.changed_by_app_id IS NOT NULL OR c.reason IS DISTINCT FROM ${reason})`;
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT m.id FROM unnest(${[...ids]}::uuid[]) AS m (id)
        WHERE EXISTS (SELECT FROM changes AS c WHERE c.owner_id = ${ownerId} AND c.entity_id = m.id
            AND c.entity IN ('node', 'embedding') AND ${isOthers})
          OR EXISTS (SELECT FROM (
              SELECT id FROM relationships WHERE owner_id = ${ownerId} AND from_node_id = m.id AND deleted_at IS NULL
              UNION ALL
              SELECT id FROM relationships WHERE owner_id = ${ownerId} AND to_node_id = m.id AND deleted_at IS NULL
            ) AS r JOIN changes AS c ON c.owner_id = ${ownerId} AND c.entity_id = r.id
            WHERE c.entity = 'relationship' AND ${isOthers})`,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The number of living nodes with a mark of each of these collections. */
  async countMarked(ownerId: string, prefixes: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.read<{ prefix: string; nodes: number }>(
      sql`SELECT left(metadata #>> '{source,ref}', 7) AS prefix, count(*)::int AS nodes FROM nodes
        WHERE owner_id = ${ownerId} AND deleted_at IS NULL AND left(metadata #>> '{source,ref}', 7) = ANY(${prefixes}::text[])
          AND metadata #>> '{source,importer}' IS NOT NULL
        GROUP BY 1`,
    );
    return new Map(rows.map(({ prefix, nodes }) => [prefix, nodes]));
  }
}
