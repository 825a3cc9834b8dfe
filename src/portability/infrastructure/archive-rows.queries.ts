import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { type CarriedName } from '../domain/carried-names.js';
import { type OwnedTable } from '../domain/owned-table.js';
import { RESTORED } from '../domain/restored-tables.js';

const FETCHED = 100;

/** Stored bytes that some file of the owner stands for. */
export interface OwnBlob {
  id: string;
  sha256: string;
  size: number;
}

/** Rows are no longer where they were. */
export class RowsMoved extends Error {}

/** What an archive is made of: everything of one owner, as it is stored. Reads are of the snapshot they are called in. */
@Injectable()
export class ArchiveRowsQueries {
  constructor(private readonly database: Database) {}

  /** Rows as JSON texts, a few at a time, however many there are. */
  async *lines(owned: OwnedTable, ownerId: string): AsyncGenerator<string[]> {
    await this.database.read(
      sql`DECLARE exported NO SCROLL CURSOR FOR ${linesOf(selection(owned, ownerId))}`,
    );
    for (;;) {
      const rows = await this.database.read<{ line: string }>(sql.raw(`FETCH ${FETCHED} FROM exported`));
      yield rows.map(({ line }) => line);
      if (rows.length < FETCHED) break;
    }
    await this.database.read(sql.raw('CLOSE exported'));
  }

  /**
   * The same without a transaction, which would keep everybody else from an only connection: a few rows with each
   * statement.
   * @throws RowsMoved when some of them were changed or deleted meanwhile
   */
  async *pieces(owned: OwnedTable, ownerId: string): AsyncGenerator<string[]> {
    const { table, joined = '', order } = owned;
    const rows = await this.database.read<{ place: string }>(
      sql`SELECT t.ctid::text AS place FROM ${sql.raw(`${table} AS t ${joined}`)}
        WHERE ${ownedBy(owned, ownerId)} ORDER BY ${sql.raw(order)}`,
    );
    const places = rows.map(({ place }) => place);
    for (let start = 0; start < places.length; start += FETCHED) {
      const piece = places.slice(start, start + FETCHED);
      const selected = selection(owned, ownerId, sql`t.ctid = ANY(${piece}::tid[])`);
      const lines = await this.database.read<{ line: string }>(linesOf(selected));
      if (lines.length < piece.length) throw new RowsMoved();
      yield lines.map(({ line }) => line);
    }
  }

  /** Another one after each change of what an import brings back. */
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

  /** Whether nothing has ever been written to the graph: what an import may fill. */
  async isEmpty(ownerId: string): Promise<boolean> {
    const tables = RESTORED.map(
      ({ table }) => sql`EXISTS (SELECT FROM ${sql.raw(table)} WHERE owner_id = ${ownerId})`,
    );
    const [row] = await this.database.read<{ used: boolean }>(
      sql`SELECT ${sql.join(tables, ' OR ')}
        OR EXISTS (SELECT FROM sequences WHERE id = ${ownerId} AND changes > 0) AS used`,
    );
    return row?.used === false;
  }

  /** Which of these ids and URIs some schema has. */
  async takenSchemaNames(ids: readonly string[], uris: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.read<{ id: string; schema_uri: string }>(
      sql`SELECT id, schema_uri FROM schemas WHERE id = ANY(${ids}::uuid[]) OR schema_uri = ANY(${uris}::text[])`,
    );
    return new Set(rows.flatMap(({ id, schema_uri }) => [id, schema_uri]));
  }
}

/** A line break between the parts of a value is as good as a space; within a text it is escaped. */
const linesOf = (selected: Sql): Sql =>
  sql`SELECT translate(row_to_json(r)::text, E'\n\r', '  ') AS line FROM (${selected}) AS r`;

function ownedBy({ whose }: OwnedTable, ownerId: string): Sql {
  const condition = (whose ?? 't.owner_id = $owner').split('$owner').map((part) => sql.raw(part));
  const owner = sql`${ownerId}::uuid`;
  return condition.reduce((all, part) => sql`${all}${owner}${part}`);
}

function selection(owned: OwnedTable, ownerId: string, further = sql`true`): Sql {
  const { table, columns, joined, expressions = {}, order } = owned;
  const chosen = Object.keys(columns).map((column) => `${expressions[column] ?? `t.${column}`} AS ${column}`);
  return sql`SELECT ${sql.raw(chosen.join(', '))} FROM ${sql.raw(`${table} AS t ${joined ?? ''}`)}
    WHERE ${ownedBy(owned, ownerId)} AND ${further} ORDER BY ${sql.raw(order)}`;
}
