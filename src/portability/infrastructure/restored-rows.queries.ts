import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type CarriedName } from '../domain/name-mapping.js';
import { type OwnedTable } from '../domain/owned-table.js';
import { accountGone } from '../../kernel/errors/account-gone.js';
import { recipientLock } from '../../privacy/index.js';
import { importLock } from './import-lock.js';

export type ArchivedRow = Readonly<Record<string, unknown>>;

/** Another writer to the log has removed the mark of an import before the import held it. */
export class MarkRemoved extends Error {}

/** Writes the rows of an archive, in the caller's units of work. Values are checked before they come here. */
@Injectable()
export class RestoredRowsQueries {
  constructor(private readonly database: Database) {}

  /**
   * Waits for units that write to this graph or share with its owner, and blocks them and an erasure until the unit ends.
   * The owner can log in meanwhile.
   * @throws NOT_FOUND after an erasure
   */
  async lock(ownerId: string): Promise<void> {
    await this.keepAccount(ownerId);
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${recipientLock(ownerId)}, 0))`,
    );
    await this.database.write(
      sql`INSERT INTO sequences AS s (id, policy) VALUES (${ownerId}, 1)
        ON CONFLICT (id) DO UPDATE SET policy = s.policy + 1`,
    );
  }

  /**
   * Closes the log to other writers from the commit on, until `endFilling`; on a server only while a unit holds the import
   * (`hold`). The account's policy and amounts stay open, so that no act of others waits for an import (ADR 70).
   */
  async markFilling(ownerId: string): Promise<void> {
    const mark = sql.raw(this.database.hasOneConnection ? 'is_filling' : 'is_importing');
    await this.database.write(sql`UPDATE sequences SET ${mark} = true WHERE id = ${ownerId}`);
  }

  /**
   * Keeps the mark in force, and an erasure waiting, until the unit ends. It locks no counter.
   * @throws MarkRemoved; NOT_FOUND after an erasure
   */
  async hold(ownerId: string): Promise<void> {
    await this.keepAccount(ownerId);
    const marked = await this.database.read(
      sql`SELECT id FROM sequences WHERE id = ${ownerId} AND is_importing`,
    );
    if (marked.length === 0) throw new MarkRemoved();
  }

  private async keepAccount(ownerId: string): Promise<void> {
    await this.database.write(sql`SELECT pg_advisory_xact_lock(${importLock(ownerId)})`);
    const found = await this.database.write(sql`SELECT id FROM users WHERE id = ${ownerId} FOR KEY SHARE`);
    if (found.length === 0) throw accountGone();
  }

  async endFilling(ownerId: string): Promise<void> {
    await this.database.write(
      sql`UPDATE sequences SET is_filling = false, is_importing = false, policy = policy + 1
        WHERE id = ${ownerId}`,
    );
  }

  /** Accounts that an import is filling, or has left incomplete. */
  async beingFilled(): Promise<string[]> {
    const rows = await this.database.read<{ id: string }>(sql`SELECT id FROM sequences WHERE is_filling`);
    return rows.map(({ id }) => id);
  }

  /** Shows others the concealed public schemas of an import, and their versions. */
  async reveal(ownerId: string): Promise<void> {
    await this.database.write(
      sql`UPDATE schemas SET scope = 'public', private_to = NULL, created_by_app_id = NULL
        WHERE owner_id = ${ownerId} AND private_to = 'app'`,
    );
  }

  /**
   * @param isConcealed true to hide public schemas from others until `reveal`
   * @returns the bytes by which the rows raise the owner's `graph_bytes`
   */
  async insert(
    owned: OwnedTable,
    ownerId: string,
    rows: readonly ArchivedRow[],
    isConcealed = false,
  ): Promise<number> {
    const statement = this.insertion(
      owned,
      ownerId,
      isConcealed && owned.table === 'schemas' ? rows.map(concealed) : rows,
    );
    const counted = sql.raw(BYTES[owned.table] ?? '0');
    const [sum] = await this.database.write<{ bytes: number }>(
      sql`WITH written AS (${statement} RETURNING ${counted} AS bytes)
        SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM written`,
    );
    return sum?.bytes ?? 0;
  }

  private insertion(owned: OwnedTable, ownerId: string, rows: readonly ArchivedRow[]): Sql {
    const text = JSON.stringify(rows);
    if (owned.table === 'files') return filesInserted(ownerId, text);
    if (owned.table === 'embeddings') return embeddingsInserted(ownerId, text);
    const later = new Set(owned.later);
    const columns = [
      ...Object.keys(owned.columns),
      ...owned.hidden.filter((column) => column === 'name_key' || column === 'created_by_app_id'),
    ].filter((column) => !later.has(column));
    const names = sql.raw(columns.join(', '));
    const values = sql.raw(columns.map((column) => `r.${column}`).join(', '));
    return sql`INSERT INTO ${sql.raw(owned.table)} (owner_id, ${names})
      SELECT ${ownerId}::uuid, ${values} FROM ${recordset(owned.table, text)} AS r`;
  }

  /** Fills in references to rows of the same table, once all of them exist. */
  async fillIn(
    { table, later = [] }: OwnedTable,
    ownerId: string,
    rows: readonly ArchivedRow[],
  ): Promise<void> {
    const assignments = sql.raw(later.map((column) => `${column} = r.${column}`).join(', '));
    await this.database.write(
      sql`UPDATE ${sql.raw(table)} AS t SET ${assignments} FROM ${recordset(table, JSON.stringify(rows))} AS r
        WHERE t.owner_id = ${ownerId} AND t.id = r.id`,
    );
  }

  async insertBlobs(ownerId: string, blobs: readonly object[], at: Date): Promise<void> {
    await this.database.write(
      sql`INSERT INTO blobs (owner_id, id, sha256, size_bytes, created_at)
        SELECT ${ownerId}::uuid, r.id, r.sha256, r.size_bytes, ${at}
        FROM ${recordset('blobs', JSON.stringify(blobs))} AS r`,
    );
  }

  /** The number of entries that others have written to the log before the import, which comes behind them. */
  async entriesBefore(ownerId: string): Promise<number> {
    const [row] = await this.database.read<{ changes: number }>(
      sql`SELECT changes FROM sequences WHERE id = ${ownerId}`,
    );
    return row?.changes ?? 0;
  }

  /** Sets the counter to the end of the log, as if it had been written here. The next times do not fall. */
  async setCounter(ownerId: string): Promise<void> {
    await this.database.write(
      sql`UPDATE sequences AS s SET changes = c.sequence, changed_at = greatest(s.changed_at, c.changed_at)
        FROM (SELECT sequence, changed_at FROM changes WHERE owner_id = ${ownerId} ORDER BY sequence DESC LIMIT 1) AS c
        WHERE s.id = ${ownerId}`,
    );
  }

  /**
   * Gathers statistics of the tables that an import fills most. Without them a server expects one row of an owner who
   * is new, and goes through all of their rows for each that it looks up.
   */
  async analyze(): Promise<void> {
    await this.database.write(sql`ANALYZE nodes, relationships, tags, changes, contributions, node_words`);
  }

  async keepNames(ownerId: string, names: readonly CarriedName[]): Promise<void> {
    await this.database.write(
      sql`INSERT INTO carried_names (owner_id, name, carried_as)
        SELECT ${ownerId}::uuid, r.name, r.carried_as FROM ${recordset('carried_names', JSON.stringify(names))} AS r`,
    );
  }
}

/** The bytes that a row counts in `graph_bytes`, as in `amounts_of` of the migration `quotas`. */
const BYTES: Readonly<Record<string, string>> = {
  changes: 'plain_bytes(snapshot) + plain_bytes(changed_fields)',
  embeddings: '4 * dimensions',
};

const filesInserted = (ownerId: string, text: string): Sql =>
  sql`INSERT INTO files (owner_id, node_id, blob_id, media_type)
    SELECT ${ownerId}::uuid, r.node_id, b.id, r.media_type
    FROM json_to_recordset(${text}::json) AS r (node_id uuid, sha256 text, media_type text)
    LEFT JOIN blobs AS b ON b.owner_id = ${ownerId} AND b.sha256 = r.sha256`;

const embeddingsInserted = (ownerId: string, text: string): Sql =>
  sql`INSERT INTO embeddings (owner_id, node_id, dimensions, model, unit, updated_at, graph_view, tag_ids, schema_id,
      node_type, node_created_at, is_deleted)
    SELECT ${ownerId}::uuid, r.node_id, r.dimensions, r.model, r.unit, r.updated_at, n.graph_view, n.tag_ids, n.schema_id,
      n.node_type, n.created_at, n.deleted_at IS NOT NULL
    FROM ${recordset('embeddings', text)} AS r
    JOIN nodes AS n ON n.owner_id = ${ownerId} AND n.id = r.node_id`;

/** A reserved app id: archives have no schema of an app's, so it marks a public schema. */
const CONCEALED = {
  scope: 'private',
  private_to: 'app',
  created_by_app_id: '00000000-0000-0000-0000-000000000000',
};

const concealed = (row: ArchivedRow): ArchivedRow =>
  row['scope'] === 'public' ? { ...row, ...CONCEALED } : row;

/** json, not jsonb: authors of schemas find the order of their properties unchanged. */
const recordset = (table: string, text: string): Sql =>
  sql`json_populate_recordset(NULL::${sql.raw(table)}, ${text}::json)`;
