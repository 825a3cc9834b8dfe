import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type CarriedName } from '../domain/name-mapping.js';
import { type OwnedTable } from '../domain/owned-table.js';
import { RESTORED } from '../domain/restored-tables.js';

/** The number of row positions held at a time. */
const PLACES = 5_000;
/** The most rows of a piece; it also ends with the row that brings it to its bytes. */
const MOST_ROWS = 100;
const PIECE_BYTES = 512 * 1024;
/** Each statement scans whole tables, for any number of ids. */
const IDS_ASKED = 100_000;

/** Stored bytes that a file of the owner refers to. */
export interface OwnBlob {
  id: string;
  sha256: string;
  size: number;
}

/** Rows are no longer where they were. */
export class RowsMoved extends Error {}

/**
 * The contents of an archive: all data of one owner, as stored. Reads use the snapshot they are called in.
 */
@Injectable()
export class ArchiveRowsQueries {
  constructor(private readonly database: Database) {}

  /**
   * Rows as JSON texts in their order, in pieces of limited size, for any number and size of rows. Each piece
   * is a statement of its own, so that nothing is held between them, unless the caller holds a snapshot.
   * @throws RowsMoved when some of the rows were changed or deleted meanwhile
   */
  async *lines(owned: OwnedTable, ownerId: string): AsyncGenerator<string[]> {
    let places: string[] = [];
    do {
      places = await this.placesAfter(owned, ownerId, places.at(-1));
      const pieces = this.database.readPieces(places, (some) => linesAt(owned, ownerId, some), {
        most: MOST_ROWS,
        lookedAt: (rows: readonly Line[], { length }) => {
          if (rows.length < length && (rows.at(-1)?.bytes ?? 0) < PIECE_BYTES) throw new RowsMoved();
          return rows.length;
        },
      });
      for await (const rows of pieces) yield rows.map(({ line }) => line.replace(LINE_BREAKS, ' '));
    } while (places.length === PLACES);
  }

  /** The positions of the rows that follow this one in their order: as many as are held at a time. */
  private async placesAfter(owned: OwnedTable, ownerId: string, last?: string): Promise<string[]> {
    const { table, joined = '' } = owned;
    const [from, order] = [sql.raw(`${table} AS t ${joined}`), sql.raw(owned.order)];
    const following =
      last === undefined
        ? sql`true`
        : sql`(${order}) > (SELECT ${order} FROM ${from} WHERE t.ctid = ${last}::tid)`;
    const rows = await this.database.read<{ place: string }>(
      sql`SELECT t.ctid::text AS place FROM ${from} WHERE ${ownedBy(owned, ownerId)} AND ${following}
        ORDER BY ${order} LIMIT ${PLACES}`,
    );
    // A deleted row has no successors.
    if (rows.length === 0 && last !== undefined) await this.refuseMoved(table, last);
    return rows.map(({ place }) => place);
  }

  private async refuseMoved(table: string, place: string): Promise<void> {
    const found = await this.database.read(sql`SELECT 1 FROM ${sql.raw(table)} WHERE ctid = ${place}::tid`);
    if (found.length === 0) throw new RowsMoved();
  }

  /** A mark that differs after each change of the data that an import restores. */
  async mark(ownerId: string): Promise<string> {
    const [row] = await this.database.read<{ mark: string }>(
      sql`SELECT concat_ws(' ', (SELECT concat_ws(' ', changes, policy) FROM sequences WHERE id = ${ownerId}),
        (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM imports WHERE owner_id = ${ownerId}),
        (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM imported_nodes WHERE owner_id = ${ownerId}),
        (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM sessions WHERE owner_id = ${ownerId})) AS mark`,
    );
    return row?.mark ?? '';
  }

  blobs(ownerId: string): Promise<OwnBlob[]> {
    return this.database.read<OwnBlob>(
      sql`SELECT b.id, b.sha256, b.size_bytes AS size FROM blobs AS b
        WHERE b.owner_id = ${ownerId}
          AND EXISTS (SELECT FROM files AS f WHERE f.owner_id = b.owner_id AND f.blob_id = b.id)
        ORDER BY b.sha256`,
    );
  }

  carriedNames(ownerId: string): Promise<CarriedName[]> {
    return this.database.read<CarriedName>(
      sql`SELECT name, carried_as FROM carried_names WHERE owner_id = ${ownerId} ORDER BY name`,
    );
  }

  /**
   * True if the owner has written nothing, and nobody may read the graph. Shares by others, follows that have not been
   * accepted or have ended, and the entries of both in the log do not count: an import continues that log (ADR 98).
   */
  async isEmpty(ownerId: string): Promise<boolean> {
    const tables = RESTORED.filter(({ table }) => table !== 'changes').map(
      ({ table }) => sql`EXISTS (SELECT FROM ${sql.raw(table)} WHERE owner_id = ${ownerId})`,
    );
    const [row] = await this.database.read<{ used: boolean }>(
      sql`SELECT ${sql.join(tables, ' OR ')}
        OR EXISTS (SELECT FROM shares WHERE owner_id = ${ownerId} AND revoked_at IS NULL)
        OR EXISTS (SELECT FROM changes AS c WHERE c.owner_id = ${ownerId} AND (${BY_OTHERS}) IS NOT TRUE) AS used`,
    );
    return row?.used === false;
  }

  /** The URIs among these that some schema has. */
  async takenSchemaUris(uris: readonly string[]): Promise<string[]> {
    const rows = await this.database.read<{ schema_uri: string }>(
      sql`SELECT schema_uri FROM schemas WHERE schema_uri = ANY(${uris}::text[])`,
    );
    return rows.map(({ schema_uri }) => schema_uri);
  }

  /** True if any row of any owner has one of these ids. Scans all stored data. */
  async isSomeTaken(ids: Iterable<string>): Promise<boolean> {
    let some: string[] = [];
    for (const id of ids) {
      if (some.push(id) < IDS_ASKED) continue;
      if (await this.isOneTaken(some)) return true;
      some = [];
    }
    return this.isOneTaken(some);
  }

  private async isOneTaken(ids: readonly string[]): Promise<boolean> {
    const taken = RESTORED.filter(({ columns }) => 'id' in columns).map(
      ({ table }) => sql`EXISTS (SELECT FROM ${sql.raw(table)} WHERE id = ANY(${ids}::uuid[]))`,
    );
    const [row] = await this.database.read<{ taken: boolean }>(
      sql`SELECT ${sql.join(taken, ' OR ')} AS taken`,
    );
    return row?.taken === true;
  }
}

/** The condition of an entry about a share to the owner of the log, or about a follow of them and its share. */
const BY_OTHERS = sql.raw(`c.entity = 'follow' OR c.entity = 'share'
  AND (c.snapshot ->> 'owner_id' <> c.owner_id::text OR c.snapshot ->> 'source' = 'follow')`);

interface Line {
  line: string;
  /** The sum of this line and those before it. */
  bytes: number;
}

/** Line breaks between the parts of a value, where a space is equivalent; within a text they are escaped. */
const LINE_BREAKS = /[\n\r]/g;

/**
 * The rows at these positions, one after the other until they have enough text: each is serialized once, the
 * rest never.
 */
const linesAt = (owned: OwnedTable, ownerId: string, places: readonly string[]): Sql =>
  sql`WITH RECURSIVE piece (place, line, bytes) AS (
      SELECT 0, NULL::text, 0::bigint
      UNION ALL
      SELECT p.place + 1, l.line, p.bytes + octet_length(l.line)
      FROM piece AS p CROSS JOIN LATERAL (
        SELECT row_to_json(r)::text AS line FROM (${selection(owned, ownerId, sql`(${places}::tid[])[p.place + 1]`)}) AS r OFFSET 0
      ) AS l
      WHERE p.place < ${places.length} AND p.bytes < ${PIECE_BYTES}
    )
    SELECT line, bytes FROM piece WHERE place > 0 ORDER BY place`;

function ownedBy({ whose }: OwnedTable, ownerId: string): Sql {
  const condition = (whose ?? 't.owner_id = $owner').split('$owner').map((part) => sql.raw(part));
  const owner = sql`${ownerId}::uuid`;
  return condition.reduce((all, part) => sql`${all}${owner}${part}`);
}

function selection(owned: OwnedTable, ownerId: string, place: Sql): Sql {
  const { table, columns, joined, expressions = {} } = owned;
  const chosen = Object.keys(columns).map((column) => `${expressions[column] ?? `t.${column}`} AS ${column}`);
  return sql`SELECT ${sql.raw(chosen.join(', '))} FROM ${sql.raw(`${table} AS t ${joined ?? ''}`)}
    WHERE ${ownedBy(owned, ownerId)} AND t.ctid = ${place}`;
}
