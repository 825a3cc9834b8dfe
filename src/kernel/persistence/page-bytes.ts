import { type Sql, sql } from './sql.js';

/** A page of a list ends when it holds this much content, whatever its `limit` (docs/reliability.md). */
export const PAGE_BYTES = 4 * 1024 * 1024;

/** What a row costs beside its content: ids, times, numbers. */
const ROW_BYTES = 300;

/** Which part of a list. */
export interface Room {
  limit: number;
  offset: number;
}

/** Which columns of a table hold content of any size. */
export interface Content {
  texts?: readonly string[];
  documents?: readonly string[];
}

/** The documents that `content_before` takes. */
const DOCUMENTS = 6;

/**
 * The size of a row's content, for {@link withinPageBytes}. The length of a text is known without unpacking it; a document
 * has to be unpacked where the database has compressed it, for a compressed one can be a hundred times as large as it looks.
 */
export function contentBytes(alias: string, { texts = [], documents = [] }: Content): Sql {
  const sizes = texts.map((name) => `coalesce(octet_length(${alias}.${name}), 0)`);
  const columns = documents.map((name) => `${alias}.${name}`);
  if (columns.length > DOCUMENTS) throw new Error(`a row has more than ${DOCUMENTS} documents`);
  const missing = Array.from({ length: DOCUMENTS - documents.length }, () => 'NULL');
  return sql.raw([[ROW_BYTES, ...sizes].join(' + '), ...columns, ...missing].join(', '));
}

export interface OrderedRows {
  /** The rows of a page; the names it gives to tables are those of `order` and `bytes`. */
  from: Sql;
  columns: Sql;
  order: Sql;
  /** {@link contentBytes} of them. */
  bytes: Sql;
  /** The names of the columns, as the outer statement has them. */
  names: Sql;
  /** So many rows are there whatever they hold; 1 unless it is given. Their order among themselves is not kept. */
  atLeast?: number;
}

/**
 * A page is read in parts that hold no more than this, or one row: no part keeps others from the embedded database for long
 * (ADR 42).
 */
export const PART_BYTES = 512 * 1024;

/**
 * The first rows of a page, in their order, until they hold so many bytes; at least one. The rest is never read into the
 * process, and its documents are not looked at (migration `content-before`).
 */
export const withinPageBytes = ({ from, columns, order, bytes, names, atLeast = 1 }: OrderedRows): Sql =>
  sql`SELECT ${names} FROM (
      SELECT ${columns}, content_before(${PART_BYTES}, ${bytes})
        OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND ${sql.raw(String(atLeast))} PRECEDING) AS bytes_before FROM ${from}
    ) AS page WHERE page.bytes_before < ${PART_BYTES} ORDER BY page.bytes_before`;

/** Counts what is put into a page, by its size as JSON, roughly. */
export class ByteBudget {
  private left = PAGE_BYTES;

  get isUsedUp(): boolean {
    return this.left <= 0;
  }

  take(item: unknown): void {
    this.left -= sizeOf(item);
  }
}

/** Without making the JSON. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Date) return 26;
  let size = 2;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item) + 1;
  else for (const [key, item] of Object.entries(value)) size += key.length + 4 + sizeOf(item);
  return size;
}
