/** A table with data of owners; one of the registry in `owned-tables.ts`. */
export interface OwnedTable {
  readonly table: string;
  /**
   * restored: in the archive's `data`, and imported again. listed: in `listed`, for people to read:
   * permissions and the relations of two parties must be agreed again (ADR 17). left out: derived from the rest,
   * or without meaning elsewhere.
   */
  readonly fate: 'restored' | 'listed' | 'left out';
  /**
   * own: rows are deleted by their owner_id. departure: the context deletes them, because others have a part
   * in them.
   */
  readonly erased: 'own' | 'departure';
  /** The columns of a row in an archive, and the kind of each value, see {@link fits}. */
  readonly columns: Readonly<Record<string, string>>;
  /**
   * Columns that are never exported: secrets, and derived values. The owner is named once for the whole
   * archive.
   */
  readonly hidden: readonly string[];
  /** The order of rows in an archive. */
  readonly order: string;
  /** The condition for the owner of row `t`, where it is not `owner_id`; `$owner` stands for the user. */
  readonly whose?: string;
  /** Other tables beside `t`. */
  readonly joined?: string;
  /** Columns that are not `t`'s of the same name. */
  readonly expressions?: Readonly<Record<string, string>>;
  /** Columns that refer to rows of the same table, filled in when all of them exist. */
  readonly later?: readonly string[];
  /** The entry's name, where one table yields two. */
  readonly entry?: string;
}

type Rest = Partial<
  Pick<OwnedTable, 'hidden' | 'whose' | 'joined' | 'expressions' | 'later' | 'entry' | 'erased'>
>;

export const ownedTable = (
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
/** Half of what the column holds: a restored version leaves room for every later change. */
export const VERSION = { version: 'int:1:1000000000' };

/** The name of the table's entry in an archive. */
export const entryNameOf = ({ fate, entry, table }: OwnedTable): string =>
  `${fate === 'restored' ? 'data' : 'listed'}/${entry ?? table}.ndjson`;
