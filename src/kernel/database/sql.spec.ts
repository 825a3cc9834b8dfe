import fc from 'fast-check';
import { type Sql, sql } from './sql.js';

describe('the template tag', () => {
  it('numbers parameters across nested fragments', () => {
    const where = sql.and([sql`a = ${1}`, false, sql`b IN (${sql.join([sql`${2}`, sql`${3}`])})`]);
    const statement = sql`SELECT ${sql.raw('c')} FROM t WHERE ${where} LIMIT ${4}`;
    expect(statement.text).toBe('SELECT c FROM t WHERE a = $1 AND b IN ($2, $3) LIMIT $4');
    expect(statement.values).toEqual([1, 2, 3, 4]);
  });

  it('sql has a neutral element for nothing', () => {
    expect(sql.and([]).text).toBe('TRUE');
    expect(sql.join([]).text).toBe('');
  });

  it('sql hides lists from the planner and leaves other parameters as they are', () => {
    const statement = sql.plannedOnce(sql`a = ${1} AND b = ANY(${[2]}::uuid[]) AND c > ${3}::timestamptz`);
    expect(statement.text).toBe('a = $1 AND b = ANY((SELECT $2::uuid[])::uuid[]) AND c > $3::timestamptz');
    expect(statement.values).toEqual([1, [2], 3]);
  });

  it('a long list of ids is sent once, as one text, in all places that read it as ids', () => {
    const ids = Array.from(
      { length: 100 },
      (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    );
    const statement = sql`a = ANY(${ids}::uuid[]) AND b = ${1} AND (c = ANY(${[...ids]}::uuid[]) OR d = ANY(${ids}::text[]))`;
    expect(statement.text).toBe(
      'a = ANY($1::uuid[]) AND b = $2 AND (c = ANY($1::uuid[]) OR d = ANY($3::text[]))',
    );
    expect(statement.values).toEqual([`{${ids.join()}}`, 1, ids]);
    expect(sql`x = ${0} AND ${statement}`.textFrom(5)).toBe(
      'x = $5 AND a = ANY($6::uuid[]) AND b = $7 AND (c = ANY($6::uuid[]) OR d = ANY($8::text[]))',
    );
  });

  it('a list with anything but ids is left to the driver, which quotes it', () => {
    const ids = Array.from({ length: 100 }, () => '00000000-0000-4000-8000-000000000000');
    const odd = [...ids, '00000000-0000-4000-8000-000000000000,NULL'];
    expect(sql`a = ANY(${odd}::uuid[])`.values).toEqual([odd]);
  });

  it('sql never lets a value into the text', () => {
    const tree = fc.letrec<{ sql: Sql }>((tie) => ({
      sql: fc.oneof(
        { maxDepth: 4 },
        fc.string().map((value) => sql`x = ${value}`),
        fc.tuple(tie('sql'), tie('sql')).map(([a, b]) => sql`(${a} OR ${b})`),
      ),
    })).sql;
    fc.assert(
      fc.property(tree, (statement) => {
        expect(statement.text.replace(/\$\d+/g, '')).toMatch(/^[x =()OR]*$/);
        expect([...statement.text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n))).toEqual(
          statement.values.map((_, i) => i + 1),
        );
      }),
    );
  });
});
