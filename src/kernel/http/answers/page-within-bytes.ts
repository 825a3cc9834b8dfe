import { ByteBudget, type Room } from '../../database/page-bytes.js';
import { CallerPlaces } from '../../caller-places.js';
import { DomainError } from '../../errors/domain-error.js';
import { requestContext } from '../../request-context.js';
import { rest, type Slices } from '../../slices.js';

export interface RowsOfList<Row> {
  rows: readonly Row[];
  /** Number of items in the whole list. */
  total: number;
}

export interface PageWithinBytes<Shown> {
  items: Shown[];
  total: number;
  /** The applied limit: the number of items where their size has ended the page. */
  limit: number;
  offset: number;
}

type Items<T> = Iterable<T> | AsyncIterable<T>;

export interface PagedList<Row, Shown> extends Room {
  /** Reads the first rows of a part of the list; fewer than the part has where they are large. */
  read: (room: Room) => Promise<RowsOfList<Row>>;
  /** Items are taken one after the other until the page is full: an item that does not fit is not shown. */
  show: (rows: readonly Row[]) => Items<Shown> | Promise<Items<Shown>>;
  /**
   * True if the caller is shown everything stored in the rows read last. Otherwise the page ends by the size of what is
   * shown: its end must not reveal how large the hidden rest is (rule 4.7b).
   */
  isWhole: () => boolean;
  /** The work of showing: the page ends with the item that takes it beyond half of its time. */
  slices?: Pick<Slices, 'isHalfSpent'>;
  /** The number of rows to read at a time; small where the database does not stop by their size. */
  atOnce?: number;
}

/** Larger pages are read in parts, so that the database measures at most this many rows in vain. */
const ROWS_AT_ONCE = 200;

/**
 * The number of pages of several parts that are made at a time for one user, across all apps, and the time for which
 * further ones wait.
 */
const MADE_AT_ONCE = 2;
const PATIENCE_MS = 60_000;
const largePages = new CallerPlaces(MADE_AT_ONCE, PATIENCE_MS, (most) => tooManyPages('caller', most));

/** The number of such pages of a process, for any person: each holds several times its bytes. */
const OF_A_PROCESS = 8;
const allLargePages = new CallerPlaces(OF_A_PROCESS, PATIENCE_MS, (most) => tooManyPages('process', most));

/**
 * The items of a page that ends at its `limit`, when it is full or when its time is up, but not before its first item.
 * Rows are read in parts, so that few rows of a large page are held beside its items.
 * @throws TOO_MUCH_UNDER_WAY when other large pages, of this user or of all, are not finished in time
 */
export async function pageWithinBytes<Row, Shown>(
  list: PagedList<Row, Shown>,
): Promise<PageWithinBytes<Shown>> {
  const page = new GrowingPage(list);
  const first = await page.read();
  if (!page.isLarge) {
    await page.show(first);
    if (page.isOver) return page.whole;
  }
  const makeRest = async (): Promise<PageWithinBytes<Shown>> => {
    if (page.isLarge && page.isEmpty) await page.show(first);
    while (!page.isOver) await page.show(await page.read());
    return page.whole;
  };
  return asLargePage(makeRest);
}

/**
 * Makes an answer that may become as large as a page, while it holds one of the places for such pages.
 * @throws TOO_MUCH_UNDER_WAY like {@link pageWithinBytes}
 */
export async function asLargePage<T>(make: () => Promise<T>): Promise<T> {
  const person = requestContext.reader();
  if (person === null) return make();
  return largePages.run(person, () => allLargePages.run('process', make));
}

class GrowingPage<Row, Shown> {
  /** True once the database has ended a part by its size. */
  isLarge = false;
  isOver = false;
  /** True if no further item has room or time. */
  private isFull = false;
  private readonly budget = new ByteBudget();
  private readonly items: Shown[] = [];
  private isWhole = true;
  private total = 0;
  private requested: number;

  constructor(private readonly list: PagedList<Row, Shown>) {
    this.requested = list.atOnce ?? ROWS_AT_ONCE;
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  get whole(): PageWithinBytes<Shown> {
    const { items, total } = this;
    const { limit, offset } = this.list;
    const isToLimit = items.length === limit || offset + items.length >= total;
    return { items, total, limit: isToLimit ? limit : items.length, offset };
  }

  async read(): Promise<readonly Row[]> {
    const { limit, offset, read, isWhole } = this.list;
    const requested = Math.min(limit - this.items.length, this.requested);
    const { rows, total } = await read({ limit: requested, offset: offset + this.items.length });
    // A search returns no total with an empty part.
    if (rows.length > 0 || this.isEmpty) this.total = total;
    this.isWhole &&= isWhole();
    if (rows.length < requested && offset + this.items.length + rows.length < this.total) {
      this.isLarge = true;
      // More rows would be measured in vain.
      this.requested = Math.max(1, rows.length);
    }
    return rows;
  }

  async show(rows: readonly Row[]): Promise<void> {
    const { limit, offset, show, slices, atOnce = ROWS_AT_ONCE } = this.list;
    const isCounted = this.isLarge || !this.isWhole || limit > atOnce;
    for await (const item of await show(rows)) {
      this.items.push(item);
      if (isCounted) this.budget.take(item);
      this.isFull = this.budget.isUsedUp || slices?.isHalfSpent === true;
      if (this.isFull) break;
      await rest();
    }
    const { length } = this.items;
    this.isOver = this.isFull || length === limit || offset + length >= this.total || rows.length === 0;
  }
}

function tooManyPages(limit: 'caller' | 'process', max_large_pages: number): DomainError {
  const whose = limit === 'caller' ? 'of your large pages' : 'large pages';
  const message = `Too many ${whose} are in progress; try again when some of them have ended`;
  return new DomainError('TOO_MUCH_UNDER_WAY', message, { limit, max_large_pages });
}

/**
 * Presents rows one by one. An item that does not fit is not presented at all, because presenting counts as showing.
 * Data prepared for a row is used at once: prepared for whole pages at a time, it would drop out of caches before it is
 * used.
 */
export async function* shownInTurn<Row, Shown>(
  rows: readonly Row[],
  show: (row: Row) => Promise<Shown>,
): AsyncIterable<Shown> {
  for (const row of rows) yield await show(row);
}
