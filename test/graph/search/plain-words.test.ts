import { readFile } from 'node:fs/promises';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { Chance, seedOf } from '../../properties/random.js';
import { type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { letsIn, node, profile } from '../../support/worlds/nodes.js';

const MIGRATION = new URL(
  '../../../migrations/1764651520000-words-of-types-and-properties.sql',
  import.meta.url,
);

/** The most that a value may have. */
const LONGEST = 100_000;
/** Parts of tokens for which the parser of PostgreSQL looks ahead: compounds, hosts, addresses, paths, tags, numbers. */
const REPEATED = [
  'a-a.',
  'a-',
  'é-é.',
  'a.a/',
  'a@',
  'a@a.',
  'http://',
  '~/a',
  '&amp;<a<a<',
  '<a ',
  "x'y'",
  '1e1',
  '1e-',
  '1.1.',
  '-1.',
  'a1',
  '1a',
  'a_',
  'a\u0301',
  '\u{1D504}-',
];

/** Whole parts only: half a character could not be stored. */
const repeated = (part: string, length: number): string => part.repeat(Math.floor(length / part.length));

describe('word splitting', () => {
  let world: World;
  let alice: TestUser;
  let database: Database;
  beforeAll(async () => {
    world = await World.startHere();
    database = world.nest.get(Database);
  });
  beforeEach(async () => {
    alice = await world.user();
  });
  afterAll(() => world.stop());

  const found = async (client: Client, query: string): Promise<string[]> => {
    const { status, body, text } = await client.post('/nodes/search', { query, limit: 100 });
    if (status !== 200) throw new Error(text);
    return (body.nodes as { title: string }[]).map(({ title }) => title).sort();
  };

  it('the words of a text are found in time that grows with the length of the text, not with its square', async () => {
    const time = async (text: string): Promise<number> => {
      const begun = performance.now();
      await database.read(sql`SELECT length(text_words('', ${text}, '', NULL)) AS words`);
      return performance.now() - begun;
    };
    // The shortest of several is the one that other work of the machine disturbed least.
    const shortest = async (text: string): Promise<number> => {
      const times: number[] = [];
      for (let run = 0; run < 5; run++) times.push(await time(text));
      return Math.min(...times);
    };
    const growth: string[] = [];
    for (const part of REPEATED) {
      const [short, long] = [await shortest(repeated(part, 1_000)), await shortest(repeated(part, 8_000))];
      // Eight times the length: 8 times the time, or 64 where it is quadratic. A millisecond is the way to the database.
      if (long > 24 * Math.max(short, 1)) growth.push(`${part}: ${short} → ${long}`);
    }
    expect(growth).toEqual([]);
  });

  it('the words of a text are stored, and searched by an app with a mask, in the longest values of any pattern', async () => {
    const app = await letsIn(
      world,
      alice,
      profile(
        { read: 'all' },
        { transformations: [{ type: 'truncate', config: { field: 'title', max: 999 } }] },
      ),
    );
    for (const part of REPEATED) await node(alice, { title: part, value: repeated(part, LONGEST) });
    await node(alice, { title: 'last', value: 'harbour' });
    expect(await found(alice, 'harbour')).toEqual(['last']);
    expect(await found(app, 'harbour')).toEqual(['last']);
  });

  it('the words of a text are runs of letters and digits only, whatever characters separate them', async () => {
    const chance = new Chance(seedOf('plain words'));
    const letters = Array.from({ length: 0x7f - 1 }, (_, code) => String.fromCharCode(code + 1));
    const texts = Array.from({ length: 300 }, () =>
      Array.from({ length: 40 }, () =>
        chance.once(3) ? chance.pick([...REPEATED, 'www.', '.org', '—']) : chance.pick(letters),
      ).join(''),
    );
    const kinds = await database.read<{ alias: string }>(
      sql`SELECT DISTINCT kind.alias FROM unnest(${[...texts, ...REPEATED]}::text[]) AS given (text)
        CROSS JOIN ts_parse('default', search_folded(given.text)) AS token
        JOIN ts_token_type('default') AS kind USING (tokid)`,
    );
    const plain = ['asciiword', 'blank', 'numword', 'sfloat', 'uint', 'word'];
    expect(kinds.map(({ alias }) => alias).filter((alias) => !plain.includes(alias))).toEqual([]);
    expect(kinds.length).toBeGreaterThan(2);
  });

  it.each([
    ['foo-bar', ['foo-bar', 'foo', 'bar', 'foo-b', 'bar foo']],
    ['example.org', ['example.org', 'example', 'org', 'example.o']],
    ['http://example.org/a/b.html?c=d', ['http://example.org/a/b.html?c=d', 'example.org', 'b.html', '/a/b']],
    ['jane.doe@example.org', ['jane.doe@example.org', 'jane', 'doe', '@example.org']],
    ["O'Neill", ["o'neill", 'O’Neill', 'neill', "o'n"]],
    ['3.14', ['3.14', '3.1', '14']],
    ['-5 and +1e-7', ['-5', '5', '1e-7']],
    ['v1.2.3-rc.1', ['v1.2.3-rc.1', '1.2.3 v1', 'rc']],
    ['src/graph/index.ts', ['src/graph/index.ts', 'index.ts', 'graph']],
    ['AT&T &amp; <b>bold</b> snake_case 50%', ['at&t', '&amp;', '<b>bold</b>', 'bold', 'snake_case', '50%']],
  ])('words of %s are found by the text and by each of its parts', async (title, queries) => {
    await node(alice, { title, value: 'before' });
    await node(alice, { title: 'other', value: title });
    await node(alice, { title: 'neither' });
    for (const query of queries)
      expect([query, await found(alice, query)]).toEqual([query, [title, 'other'].sort()]);
  });

  it("words of an earlier release's nodes are indexed anew by the migration, and others stay", async () => {
    const plain = await node(alice, { title: 'plain' });
    await node(alice, { title: 'mail', value: 'jane@example.org' });
    const unit = world.nest.get(UnitOfWork);
    await unit.run(() =>
      database.write(sql`UPDATE node_words SET words = to_tsvector('simple', 'jane@example.org')
        || array_to_tsvector(ARRAY[${`OWNER ${alice.id}`}]) WHERE owner_id = ${alice.id} AND node_id <> ${plain.id}`),
    );
    const rowOfPlain = async () =>
      database.read(
        sql`SELECT xmin::text AS written FROM node_words WHERE owner_id = ${alice.id} AND node_id = ${plain.id}`,
      );
    const before = await rowOfPlain();
    expect(await found(alice, 'example')).toEqual([]);
    const migration = await readFile(MIGRATION, 'utf8');
    await database.dataSource.query(migration.slice(migration.indexOf('LOCK TABLE')));
    expect(await found(alice, 'example')).toEqual(['mail']);
    expect(await found(alice, 'jane@example.org')).toEqual(['mail']);
    expect(await rowOfPlain()).toEqual(before);
  });
});
