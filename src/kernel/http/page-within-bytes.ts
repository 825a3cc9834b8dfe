import { ByteBudget, type Room } from '../persistence/page-bytes.js';
import { rest } from '../slices.js';

export interface RowsOfList<Row> {
  rows: readonly Row[];
  /** Of the whole list. */
  total: number;
}

export interface PageWithinBytes<Shown> {
  items: Shown[];
  total: number;
  /** As it was applied: the number of items where their size has ended the page. */
  limit: number;
  offset: number;
}

type Items<T> = Iterable<T> | AsyncIterable<T>;

export interface PagedList<Row, Shown> extends Room {
  /** Reads the first rows of a part of the list; where they are large, fewer than there are. */
  read: (room: Room) => Promise<RowsOfList<Row>>;
  /** Taken one after the other until the page is full: an item that has no room is not shown. */
  show: (rows: readonly Row[]) => Items<Shown> | Promise<Items<Shown>>;
  /**
   * Whether the caller is shown all that is stored of the rows read last. Otherwise the page ends by the size of what
   * is shown: where it ends must not tell how large the hidden rest is.
   */
  isWhole: () => boolean;
  /** How many rows are read at a time; few where the database does not stop by their size. */
  atOnce?: number;
}

/** Larger pages are read in parts, so that the database measures no more rows than these in vain. */
const ROWS_AT_ONCE = 200;

/** The items of a page that ends at its `limit` or when it is full; at least one where there is one. */
export async function pageWithinBytes<Row, Shown>(
  list: PagedList<Row, Shown>,
): Promise<PageWithinBytes<Shown>> {
  const { limit, offset, read, show, atOnce = ROWS_AT_ONCE } = list;
  const budget = new ByteBudget();
  const items: Shown[] = [];
  let isWhole = true;
  let total = 0;
  for (;;) {
    const asked = Math.min(limit - items.length, atOnce);
    const part = await read({ limit: asked, offset: offset + items.length });
    const { rows } = part;
    // Where a part is empty, a search no longer says how many there are.
    if (rows.length > 0 || items.length === 0) total = part.total;
    isWhole &&= list.isWhole();
    for await (const item of await show(rows)) {
      items.push(item);
      if (!isWhole || limit > atOnce) budget.take(item);
      if (budget.isUsedUp) break;
      await rest();
    }
    const isLast = items.length === limit || offset + items.length >= total || rows.length === 0;
    const isFull = budget.isUsedUp || (isWhole && rows.length < asked);
    if (isLast || isFull) return { items, total, limit: isLast ? limit : items.length, offset };
  }
}

/**
 * What has no room any more is not even presented, which would count as shown. What is prepared for a row is used at
 * once: prepared for all rows of a page, and of other pages meanwhile, the first would be forgotten before they are shown.
 */
export async function* shownInTurn<Row, Shown>(
  rows: readonly Row[],
  show: (row: Row) => Promise<Shown>,
): AsyncIterable<Shown> {
  for (const row of rows) yield await show(row);
}
