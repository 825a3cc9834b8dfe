/** The rows of a part of a page, and the number of items in the whole list. */
interface FoundRows<Row> {
  rows: Row[];
  total: number;
}

/**
 * The places of one page that only a look at everything finds. All of them are found with the first part; the further
 * parts only read rows, in the order of the places, by the rules of their own time.
 */
export class FoundPlaces<Place> {
  private rest: readonly Place[] | null = null;
  private total = 0;

  get areFound(): boolean {
    return this.rest !== null;
  }

  /** @param total the number of items in the whole list */
  keep(places: readonly Place[], total: number): void {
    this.rest = places;
    this.total = total;
  }

  /**
   * The next rows. Those that cannot be read any longer are left out.
   * @param limit the most places that are looked at at once
   * @param read the rows of the first of some places; large ones may not be all of them
   */
  async next<Row>(
    limit: number,
    read: (places: readonly Place[]) => Promise<{ rows: Row[]; lookedAt: number }>,
  ): Promise<FoundRows<Row>> {
    let rest = this.rest ?? [];
    let rows: Row[] = [];
    while (rest.length > 0 && rows.length === 0) {
      const part = await read(rest.slice(0, limit));
      rows = part.rows;
      rest = rest.slice(part.lookedAt);
    }
    this.rest = rest;
    return { rows, total: this.total };
  }
}
