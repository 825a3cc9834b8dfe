import { type Sql, sql } from './sql.js';

/** The most content of a page, whatever its `limit` (docs/reliability.md). */
export const PAGE_BYTES = 4 * 1024 * 1024;

/** The cost of a row beside its content: ids, times, numbers. */
const ROW_BYTES = 300;

/** The requested part of a list. */
export interface Room {
  limit: number;
  offset: number;
}

/** The columns of a table that hold content of any size. */
export interface Content {
  texts?: readonly string[];
  documents?: readonly string[];
  /** Columns of type json, which are stored as their text. */
  jsonTexts?: readonly string[];
}

/** The number of documents that `content_before` takes. */
const DOCUMENTS = 6;

/**
 * The size of a row's content, for {@link withinPageBytes}. The length of a text is known without decompressing it; a
 * compressed document must be decompressed, because it can be a hundred times its stored size.
 */
export function contentBytes(alias: string, { texts = [], documents = [], jsonTexts = [] }: Content): Sql {
  const sizes = [...texts, ...jsonTexts.map((name) => `${name}::text`)].map(
    (name) => `coalesce(octet_length(${alias}.${name}), 0)`,
  );
  const columns = documents.map((name) => `${alias}.${name}`);
  if (columns.length > DOCUMENTS) throw new Error(`a row has more than ${DOCUMENTS} documents`);
  const missing = Array.from({ length: DOCUMENTS - documents.length }, () => 'NULL');
  return sql.raw([[ROW_BYTES, ...sizes].join(' + '), ...columns, ...missing].join(', '));
}

export interface OrderedRows {
  /** The rows of a page; `order` and `bytes` use its table names. */
  from: Sql;
  columns: Sql;
  order: Sql;
  /** The {@link contentBytes} of the rows. */
  bytes: Sql;
  /** The names of the columns in the outer statement. */
  names: Sql;
  /**
   * The number of rows that are included whatever their size, default 1. Their order among themselves is not defined.
   */
  atLeast?: number;
}

/** The most bytes in a part of a page, or one row: no part blocks the embedded database for long (ADR 42). */
export const PART_BYTES = 512 * 1024;

/**
 * The first rows of a page, in their order, up to the row that reaches PART_BYTES. The rest is never loaded into the
 * process, and its documents are not read (migration `content-before`).
 */
export const withinPageBytes = ({ from, columns, order, bytes, names, atLeast = 1 }: OrderedRows): Sql =>
  sql`SELECT ${names} FROM (
      SELECT ${columns}, content_before(${PART_BYTES}, ${bytes})
        OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND ${sql.raw(String(atLeast))} PRECEDING) AS bytes_before FROM ${from}
    ) AS page WHERE page.bytes_before < ${PART_BYTES} ORDER BY page.bytes_before`;

/** Counts the approximate JSON size of the items of a page. */
export class ByteBudget {
  private left = PAGE_BYTES;

  get isUsedUp(): boolean {
    return this.left <= 0;
  }

  take(item: unknown): void {
    this.left -= sizeOf(item);
  }
}

/** An object or array in memory: its text may have two characters. */
const CONTAINER_BYTES = 64;

/** The approximate size of a value as JSON, without serializing it; objects and arrays count as in memory. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Date) return 26;
  let size = CONTAINER_BYTES;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item) + 1;
  else for (const [key, item] of Object.entries(value)) size += key.length + 4 + sizeOf(item);
  return size;
}
