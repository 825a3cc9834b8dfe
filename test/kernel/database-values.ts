import pg from 'pg';
import { setValueParsers } from '../../src/kernel/database/value-parsers.js';

const id = '0190b0f0-0000-7000-8000-000000000001';
const other = '0190b0f0-0000-7000-8000-000000000002';

/** SQL expression → value in the program. The same on the embedded database and on a server. */
const results: [expression: string, value: unknown][] = [
  ['NULL::text', null],
  ['true', true],
  ['42::int4', 42],
  ['9007199254740991::int8', Number.MAX_SAFE_INTEGER],
  ['count(*)', 1],
  ['ARRAY[1, 2]::int4[]', [1, 2]],
  ['0.1::float8 + 0.2::float8', 0.1 + 0.2],
  ['0.1::float4', 0.1],
  [`'NaN'::float8`, NaN],
  [`'-Infinity'::float8`, -Infinity],
  ['12345678901234567890.123456789::numeric', '12345678901234567890.123456789'],
  [`'ä€😀 "quoted" \\ '' '::text`, `ä€😀 "quoted" \\ ' `],
  [`'\\x00ff10'::bytea`, Buffer.from([0, 255, 16])],
  [`''::bytea`, Buffer.alloc(0)],
  [`'2026-02-03 04:05:06.789+02'::timestamptz`, new Date('2026-02-03T02:05:06.789Z')],
  [`'0044-03-15 12:00:00+00 BC'::timestamptz`, new Date('-000043-03-15T12:00:00Z')],
  [`'2026-02-03 04:05:06'::timestamp`, new Date(2026, 1, 3, 4, 5, 6)],
  [`'2026-02-03'::date`, new Date(2026, 1, 3)],
  [`'{"a": [1, null, {"b": "ä"}], "c": 1.5}'::jsonb`, { a: [1, null, { b: 'ä' }], c: 1.5 }],
  [`'"text"'::jsonb`, 'text'],
  [`'null'::jsonb`, null],
  [`'[1]'::json`, [1]],
  [`'${id}'::uuid`, id],
  [`ARRAY['${id}', '${other}']::uuid[]`, [id, other]],
  [`'{}'::uuid[]`, []],
  [`ARRAY['${id}']::uuid[]`, [id]],
  [`ARRAY['${id}', NULL]::uuid[]`, [id, null]],
  [`ARRAY[ARRAY['${id}'], ARRAY['${other}']]::uuid[]`, [[id], [other]]],
  [`'[0:1]={${id},${other}}'::uuid[]`, [id, other]],
  [`ARRAY['a,b', '"', NULL, '']::text[]`, ['a,b', '"', null, '']],
  [`ARRAY['2026-02-03 00:00:00+00']::timestamptz[]`, [new Date('2026-02-03T00:00:00Z')]],
  [`ARRAY['{"a": 1}']::jsonb[]`, [{ a: 1 }]],
  [`ARRAY[1, 2]::int8[]`, ['1', '2']],
  [`'[1,2.5]'::vector`, '[1,2.5]'],
];

/** Type, value sent as a parameter → value read back. */
const parameters: [type: string, sent: unknown, received: unknown][] = [
  ['text', null, null],
  ['text', undefined, null],
  ['text', 'ä€😀', 'ä€😀'],
  ['int8', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['int8', 12345678901234567n, 12345678901234568],
  ['boolean', false, false],
  ['float8', 1e-300, 1e-300],
  ['numeric', '0.10', '0.10'],
  ['bytea', Buffer.from([0, 1, 254, 255]), Buffer.from([0, 1, 254, 255])],
  ['timestamptz', new Date('2026-02-03T02:05:06.789Z'), new Date('2026-02-03T02:05:06.789Z')],
  ['jsonb', { a: { b: [1, 'x'] } }, { a: { b: [1, 'x'] } }],
  ['jsonb', JSON.stringify([1, { a: 2 }]), [1, { a: 2 }]],
  ['uuid', id, id],
  ['uuid[]', [id, other], [id, other]],
  ['uuid[]', [], []],
  ['text[]', ['a,b', '"{}"', '', null], ['a,b', '"{}"', '', null]],
  ['int4[]', [3, 1, 2], [3, 1, 2]],
  ['jsonb[]', [JSON.stringify({ a: 1 })], [{ a: 1 }]],
  ['vector', '[1,2,3]', '[1,2,3]'],
];

interface Side {
  open(): Promise<pg.Pool>;
  close(): Promise<void>;
}

setValueParsers(pg.types);

/** One suite for both databases. */
export function readsValues(name: string, { open, close }: Side) {
  describe(`values of ${name}`, () => {
    let pool: pg.Pool;
    beforeAll(async () => {
      pool = await open();
      await pool.query('CREATE EXTENSION IF NOT EXISTS vector');
    });
    afterAll(async () => {
      await pool.end();
      await close();
    });

    it.each(results)('%s', async (expression, value) => {
      const text = `SELECT ${expression} AS value`;
      const name = `value ${results.findIndex(([of]) => of === expression)}`;
      const answers = [await pool.query(text), await pool.query({ name, text, values: [] })];
      for (const { rows } of answers) expect(rows).toEqual([{ value }]);
    });

    it.each(parameters)('%s parameter %p', async (type, sent, received) => {
      const { rows } = await pool.query(`SELECT $1::${type} AS value`, [sent]);
      expect(rows).toEqual([{ value: received }]);
    });

    it('a long text and a long answer', async () => {
      const text = 'ä'.repeat(3_000_000);
      const { rows } = await pool.query('SELECT $1::text AS text, n FROM generate_series(1, 5) n', [text]);
      expect(rows.map(({ text: back, n }) => [back === text, n])).toEqual(
        [1, 2, 3, 4, 5].map((n) => [true, n]),
      );
    });
  });
}
