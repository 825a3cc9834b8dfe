/** A table that holds something of somebody; one of the registry in `owned-tables.ts`. */
export interface OwnedTable {
  readonly table: string;
  /**
   * restored: in the archive's `data`, and brought back by an import. listed: in `listed`, to be read by people: what
   * gives permission, and what two parties had with each other, is agreed anew (ADR 17). left out: made anew from the
   * rest, or of no meaning anywhere else.
   */
  readonly fate: 'restored' | 'listed' | 'left out';
  /** own: rows go by their owner_id. departure: the context does it, for others have a part in it. */
  readonly erased: 'own' | 'departure';
  /** What an archive says of a row, and of what kind each value must be; {@link ColumnKind}. */
  readonly columns: Readonly<Record<string, string>>;
  /** What never leaves: secrets, and what follows from the rest. The owner is said once for the whole archive. */
  readonly hidden: readonly string[];
  /** The order of rows in an archive. */
  readonly order: string;
  /** Whose the row `t` is, where that is not `owner_id`; `$owner` stands for the user. */
  readonly whose?: string;
  /** Other tables beside `t`. */
  readonly joined?: string;
  /** Columns that are not `t`'s of the same name. */
  readonly expressions?: Readonly<Record<string, string>>;
  /** Refer to rows of the same table, and are filled in when all of them are there. */
  readonly later?: readonly string[];
  /** The entry's name, where one table gives two. */
  readonly entry?: string;
}

type Rest = Partial<
  Pick<OwnedTable, 'hidden' | 'whose' | 'joined' | 'expressions' | 'later' | 'entry' | 'erased'>
>;

export const given = (
  fate: OwnedTable['fate'],
  [table, order]: [table: string, order: string],
  columns: Record<string, string>,
  { hidden = ['owner_id'], erased = 'own', ...rest }: Rest = {},
): OwnedTable => ({ table, fate, erased, columns, hidden, order, ...rest });

export const leftOut = (table: string, erased: OwnedTable['erased'] = 'own'): OwnedTable => ({
  table,
  fate: 'left out',
  erased,
  columns: {},
  hidden: [],
  order: '',
});
export const TIMES = { created_at: 'time', updated_at: 'time' };
export const VERSION = { version: 'int:1:2147483647' };

/** What it is called in an archive. */
export const entryNameOf = ({ fate, entry, table }: OwnedTable): string =>
  `${fate === 'restored' ? 'data' : 'listed'}/${entry ?? table}.ndjson`;
