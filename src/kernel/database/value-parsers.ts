import type pg from 'pg';

/** The type `uuid[]`, for which the driver has no name. */
const IDS = 2951 as number;

type Types = Pick<typeof pg.types, 'builtins' | 'getTypeParser' | 'setTypeParser'>;
type ParseIds = (text: string) => (string | null)[];

/** Replaces the driver's parsers for bigint and uuid[], on all connections. */
export function setValueParsers(types: Types): void {
  types.setTypeParser(types.builtins.INT8, Number);
  types.setTypeParser(IDS, idsParser(types.getTypeParser(IDS) as ParseIds));
}

/**
 * Parses `uuid[]` quickly: the driver's parser handles each character by itself, which for a thousand nodes with fifty
 * tags each takes longer than all the rest.
 */
const idsParser =
  (driversOwn: ParseIds): ParseIds =>
  (text) => {
    if (text === '{}') return [];
    const isPlain = text.startsWith('{') && text[1] !== '{' && !text.includes('NULL');
    return isPlain ? text.slice(1, -1).split(',') : driversOwn(text);
  };
