import type pg from 'pg';

/** `uuid[]`, a type for which the driver has no name. */
const IDS = 2951 as number;

type Types = Pick<typeof pg.types, 'builtins' | 'getTypeParser' | 'setTypeParser'>;
type ParseIds = (text: string) => (string | null)[];

/** Values are read the driver's way but for these; how is set for all connections. */
export function setValueParsers(types: Types): void {
  types.setTypeParser(types.builtins.INT8, Number);
  types.setTypeParser(IDS, idsParser(types.getTypeParser(IDS) as ParseIds));
}

/**
 * The driver's parser looks at each character by itself: for a thousand nodes with fifty tags each that takes longer
 * than all the rest of them.
 */
const idsParser =
  (driversOwn: ParseIds): ParseIds =>
  (text) => {
    if (text === '{}') return [];
    const isPlain = text.startsWith('{') && text[1] !== '{' && !text.includes('NULL');
    return isPlain ? text.slice(1, -1).split(',') : driversOwn(text);
  };
