import { readFile } from 'node:fs/promises';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { letsIn, node, profile } from '../../support/worlds/nodes.js';

const MIGRATION = new URL(
  '../../../migrations/1764651520000-words-of-types-and-properties.sql',
  import.meta.url,
);
const MOST = 4_000;

/** Different words with a digit, which have no stem; their alphabetical order is not the one in which they come. */
const words = (count: number): string[] => Array.from({ length: count }, (_, index) => word(index * 7_919));
const word = (number: number): string => {
  const letters = [17_576, 676, 26, 1].map((place) =>
    String.fromCharCode(97 + (Math.floor(number / place) % 26)),
  );
  return [letters[0], number % 10, ...letters.slice(2)].join('');
};

describe('long values (rule 4.18)', () => {
  let world: World;
  let alice: TestUser;
  let app: Client;
  let database: Database;
  beforeAll(async () => {
    world = await World.startHere();
    database = world.nest.get(Database);
  });
  beforeEach(async () => {
    alice = await world.user();
    const transformations = [{ type: 'truncate', config: { field: 'title', max: 999 } }];
    app = await letsIn(world, alice, profile({ read: 'all' }, { transformations }));
  });
  afterAll(() => world.stop());

  const found = async (query: string): Promise<boolean[]> => {
    const answers = await Promise.all([alice, app].map((client) => client.post('/nodes/search', { query })));
    return answers.map(({ body }) => (body.nodes as unknown[]).length > 0);
  };
  const entries = async (): Promise<number> => {
    const [row] = await database.read<{ words: number }>(
      sql`SELECT max(length(words)) AS words FROM node_words WHERE owner_id = ${alice.id}`,
    );
    return row?.words ?? 0;
  };
  const ALL = [true, true];
  const NONE = [false, false];

  it('the first words of a long value are found by their owner and by an app with a mask, those after the 4,000th by neither', async () => {
    const text = words(19_800);
    expect(new Set(text).size).toBe(19_800);
    const { id } = await node(alice, { title: 'of many words', value: text.join(' ') });
    expect(await found(text[0]!)).toEqual(ALL);
    expect(await found(text[MOST - 1]!)).toEqual(ALL);
    expect(await found(`${text[MOST - 1]!} many`)).toEqual(ALL);
    expect(await found(text[MOST]!)).toEqual(NONE);
    expect(await found(text.at(-1)!)).toEqual(NONE);
    // The words of title and type, and the owner, are not among those of the value.
    expect(await entries()).toBe(MOST + 5);
    await alice.put(`/nodes/${id}`, { value: [...text].reverse().join(' ') });
    expect(await found(text.at(-1)!)).toEqual(ALL);
    expect(await found(text[0]!)).toEqual(NONE);
    expect(await entries()).toBe(MOST + 5);
  });

  it('the first words of a long value are different words: repeated ones leave room for those that follow', async () => {
    const [first, last] = [words(MOST - 1), 'zzzzlast'];
    await node(alice, { title: 'repeated', value: [...first, ...first, last].join('-') });
    expect(await found(last)).toEqual(ALL);
    await node(alice, { title: 'one more', value: ['a0', ...first, 'zzzzmore'].join('-') });
    expect(await found('zzzzmore')).toEqual(NONE);
  });

  it('the first words of a long value are cut by the migration in the nodes of an earlier release, and other rows stay', async () => {
    const text = words(6_000);
    const long = await node(alice, { title: 'of before', value: text.join(' ') });
    await node(alice, { title: 'short', value: 'harbour' });
    await world.nest.get(UnitOfWork).run(() =>
      database.write(
        sql`UPDATE node_words SET words = search_words(${text.join(' ')})
          || array_to_tsvector(ARRAY[${`OWNER ${alice.id}`}]) WHERE owner_id = ${alice.id} AND node_id = ${long.id}`,
      ),
    );
    const rowOfShort = () =>
      database.read(
        sql`SELECT xmin::text AS written FROM node_words WHERE owner_id = ${alice.id} AND node_id <> ${long.id}`,
      );
    const before = await rowOfShort();
    expect((await found(text[5_999]!))[0]).toBe(true);
    const migration = await readFile(MIGRATION, 'utf8');
    await database.dataSource.query(migration.slice(migration.indexOf('LOCK TABLE')));
    expect(await found(text[5_999]!)).toEqual(NONE);
    expect(await found(text[MOST - 1]!)).toEqual(ALL);
    expect(await rowOfShort()).toEqual(before);
  });
});
