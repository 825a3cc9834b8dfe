const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Reads all rows in pages, by their ids. No page is empty; a short page is the last. */
export async function* pagesById<Row extends { id: string }>(
  size: number,
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after = BEFORE_ALL;
  for (;;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < size) return;
    after = last.id;
  }
}
