import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { OWNED_TABLES } from '../domain/owned-tables.js';
import { importLock } from './import-lock.js';

const BATCH = 2_000;
/** The same where others wait meanwhile. */
const SLICE = 500;
/** Children before parents. Each table once, for any number of entries in an archive. */
const PURGED = [
  ...new Set(OWNED_TABLES.filter(({ erased }) => erased === 'own').map(({ table }) => table)),
].reverse();
/** Columns that refer to rows of the same table: these are cleared before any of the rows can be deleted. */
const REFERRING = new Map(OWNED_TABLES.map(({ table, later = [] }) => [table, later]));

/** Deletes the data of ended owners. Writes need a unit of work. */
@Injectable()
export class ErasureQueries {
  static readonly tables: readonly string[] = PURGED;

  constructor(private readonly database: Database) {}

  /**
   * Waits for an import into the account, while nothing else is locked. This wait and each further one of the unit of work
   * take two seconds at most: the person's own row is locked no longer, whatever holds a counter that an erasure needs.
   */
  async awaitImport(ownerId: string): Promise<void> {
    await this.database.write(sql`SET LOCAL lock_timeout = '2s'`);
    await this.database.write(sql`SELECT pg_advisory_xact_lock(${importLock(ownerId)})`);
  }

  /**
   * Closes the logs: from this commit on nothing is written to them, and cached facts about their owners are
   * invalid. A log that is closed stays as it is.
   */
  async close(ownerIds: readonly string[], at: Date): Promise<void> {
    for (const id of [...ownerIds].sort()) {
      await this.database.write(
        sql`INSERT INTO sequences AS s (id, policy, is_closed) VALUES (${id}, 1, true)
          ON CONFLICT (id) DO UPDATE SET policy = s.policy + 1, is_closed = true WHERE NOT s.is_closed`,
      );
      await this.database.write(
        sql`INSERT INTO erasures (owner_id, begun_at) VALUES (${id}, ${at}) ON CONFLICT DO NOTHING`,
      );
    }
  }

  /**
   * Tables with rows of the owner, in the order in which they are emptied; one query instead of fifty writes.
   */
  async tablesWith(ownerId: string): Promise<string[]> {
    const looks = PURGED.map(
      (table) =>
        sql`SELECT ${table} AS name WHERE EXISTS (SELECT FROM ${sql.raw(table)} WHERE owner_id = ${ownerId})`,
    );
    const rows = await this.database.read<{ name: string }>(sql.join(looks, ' UNION ALL '));
    const found = new Set(rows.map(({ name }) => name));
    return PURGED.filter((table) => found.has(table));
  }

  /** The same as `purge`, for what an import that has not ended has written: the log ends where it began before. */
  purgeImported(table: string, ownerId: string): Promise<boolean> {
    const isImported = sql`sequence > (SELECT q.changes FROM sequences AS q WHERE q.id = ${ownerId})`;
    return this.purge(table, ownerId, table === 'changes' ? isImported : undefined);
  }

  /** A step towards an empty table, of limited size. @returns true if no such rows are left */
  async purge(table: string, ownerId: string, which = sql`TRUE`): Promise<boolean> {
    const name = sql.raw(table);
    const limit = this.database.hasOneConnection ? SLICE : BATCH;
    const some = (condition: Sql): Sql =>
      sql`ctid = ANY(ARRAY(SELECT ctid FROM ${name} WHERE owner_id = ${ownerId} AND ${condition} LIMIT ${limit}))`;
    for (const column of (REFERRING.get(table) ?? []).map((each) => sql.raw(each))) {
      const cleared = await this.database.write(
        sql`UPDATE ${name} SET ${column} = NULL WHERE ${some(sql`${column} IS NOT NULL`)} RETURNING 1`,
      );
      if (cleared.length > 0) return false;
    }
    const gone = await this.database.write(sql`DELETE FROM ${name} WHERE ${some(which)} RETURNING 1`);
    return gone.length === 0;
  }

  /** Keys of stored bytes, some at a time. @param after the last key of the previous call */
  async blobs(ownerId: string, after: string | null): Promise<string[]> {
    const behind = after === null ? sql`` : sql`AND id > ${after}`;
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT id FROM blobs WHERE owner_id = ${ownerId} ${behind} ORDER BY id LIMIT ${BATCH}`,
    );
    return rows.map(({ id }) => id);
  }

  async forgetBlobs(ownerId: string, keys: readonly string[]): Promise<void> {
    await this.database.write(
      sql`DELETE FROM blobs WHERE owner_id = ${ownerId} AND id = ANY(${keys}::uuid[])`,
    );
  }

  /** Deletes a group that has ended. */
  async forgetGroup(id: string): Promise<void> {
    for (const table of ['group_invitations', 'group_members'])
      await this.database.write(sql`DELETE FROM ${sql.raw(table)} WHERE owner_id = ${id}`);
    await this.database.write(
      sql`DELETE FROM group_connections WHERE owner_id = ${id} OR target_group_id = ${id}`,
    );
    await this.database.write(sql`DELETE FROM group_shares WHERE group_id = ${id}`);
    await this.database.write(sql`DELETE FROM groups WHERE id = ${id}`);
  }

  /** Groups that were disbanded before that time and whose erasure has not begun; some of them, if they are many. */
  async disbanded(before: Date): Promise<string[]> {
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT g.id FROM groups AS g WHERE NOT g.is_active AND g.updated_at < ${before}
        AND NOT EXISTS (SELECT FROM erasures AS e WHERE e.owner_id = g.id) ORDER BY g.id LIMIT ${BATCH}`,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Deleted apps that still have a log: only the app itself, at an earlier time, is decided by it.
   * @param developerId null for apps of all developers
   */
  async endedLogs(developerId: string | null): Promise<string[]> {
    const whose = developerId === null ? sql`TRUE` : sql`a.owner_id = ${developerId}`;
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT a.id FROM apps AS a WHERE ${whose} AND a.deleted_at IS NOT NULL
        AND EXISTS (SELECT FROM changes AS c WHERE c.owner_id = a.id) ORDER BY a.id`,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Deletes some of the apps that were deleted before that time and that no authorization names, with all that is left of
   * them. @returns true if none are left
   */
  async forgetApps(before: Date): Promise<boolean> {
    const gone = sql`SELECT id FROM gone`;
    const deleted = await this.database.write(
      sql`WITH gone AS MATERIALIZED (SELECT a.id FROM apps AS a WHERE a.deleted_at < ${before}
          AND NOT EXISTS (SELECT FROM authorizations AS z WHERE z.app_id = a.id)
          AND NOT EXISTS (SELECT FROM changes AS c WHERE c.owner_id = a.id) LIMIT ${SLICE}),
        keys AS (DELETE FROM api_keys WHERE app_id IN (${gone})),
        usage AS (DELETE FROM app_usage WHERE app_id IN (${gone})),
        counters AS (DELETE FROM sequences WHERE id IN (${gone}))
        DELETE FROM apps WHERE id IN (${gone}) RETURNING id`,
    );
    return deleted.length === 0;
  }

  async begun(): Promise<{ owner_id: string; begun_at: Date }[]> {
    return this.database.read(sql`SELECT owner_id, begun_at FROM erasures ORDER BY begun_at, owner_id`);
  }

  async finish(ownerId: string): Promise<void> {
    await this.database.write(sql`DELETE FROM erasures WHERE owner_id = ${ownerId}`);
  }
}
