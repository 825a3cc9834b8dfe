import { jest } from '@jest/globals';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { Database } from '../../../src/kernel/database/database.js';
import { type Sql, sql } from '../../../src/kernel/database/sql.js';
import { type Client } from '../../support/client.js';
import { type Explained, visitedRows } from '../../support/plans.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

interface Found {
  nodes: { title: string; scores: { text: { score: number } | null } }[];
  total: number;
}

/** A transformation that alters no title of these tests, so that words are sought in shown texts. */
const CUT_TITLES = { type: 'truncate', config: { field: 'title', max: 999 } };

/** The lengths of the values in a statement that judges shown texts. */
const lengthsOfTexts = (values: readonly unknown[]): number[] => {
  const rows = values.find((value) => typeof value === 'string' && value.startsWith('[')) as string;
  return (JSON.parse(rows) as { value: string }[]).map(({ value }) => value.length);
};

describe('bounds', () => {
  let world: World;
  let alice: TestUser;
  /** An app that is shown transformed titles. */
  let app: Client;

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    app = await letsIn(world, alice, profile({ read: 'all' }, { transformations: [CUT_TITLES] }));
  });
  afterEach(() => jest.restoreAllMocks());

  const search = async (client: Client, query: string): Promise<Found> => {
    const answer = await client.post('/nodes/search', { query });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body as Found;
  };
  const made = (title: string, value: string) => node(alice, { title, value });

  it('scores words by how many match, and below that by no more than the best of them alone (rule 4.18)', async () => {
    await made('lights', 'harbour lights of the harbour, and other lights');
    await made('far', `harbour ${'and '.repeat(300)} lights`);
    for (const client of [alice, app]) {
      const scores = async (query: string) => {
        const { nodes } = await search(client, query);
        return new Map(nodes.map((hit) => [hit.title, hit.scores.text?.score as number]));
      };
      const [both, ...single] = await Promise.all(['lights harbour', 'harbour', 'lights'].map(scores));
      expect(both?.size).toBe(2);
      for (const [title, score] of both as Map<string, number>) {
        const alone = single.map((scored) => (scored.get(title) as number) - 1);
        expect(score - 2).toBeGreaterThan(Math.min(...alone) / 2);
        expect(score - 2).toBeLessThanOrEqual(Math.max(...alone));
      }
    }
  });

  it('a search by words is answered for a hundred words of long texts that repeat them', async () => {
    const words = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(' ');
    for (let index = 0; index < 12; index++)
      await made(`text ${index}`, `${words} `.repeat(256).slice(0, 51_000));
    for (const client of [alice, app]) expect(await search(client, words)).toMatchObject({ total: 12 });
  }, 60_000);

  it('a search by words looks up each hit by its id, also for an owner whom the statistics do not know', async () => {
    const many = (title: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        title: `${title} ${index}`,
        node_type: 'note',
        tags: ['a'],
      }));
    const bob = await world.user();
    await bob.post('/nodes/batch', { nodes: many('other', 100) });
    const database = world.nest.get(Database);
    await world.nest.get(UnitOfWork).run(() => database.write(sql`ANALYZE nodes, node_words`));
    await alice.post('/nodes/batch', { nodes: many('harbour', 60) });
    const open = await tagId(alice, 'open');
    const part = await letsIn(world, alice, profile({ discover: [open], read: [open] }));
    let sent: Sql | undefined;
    jest.spyOn(database, 'read').mockImplementation(function (this: Database, statement, name) {
      if (name === 'search') sent = statement;
      return Database.prototype.read.call(this, statement, name);
    });
    expect((await search(part, 'harbour')).total).toBe(0);
    jest.restoreAllMocks();
    const [explained] = await database.read<Explained>(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${sent}`);
    expect(visitedRows('nodes', (explained as Explained)['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(60);
  });

  it('a search by words judges shown texts a hundred thousand characters at a time, or one node, in a statement', async () => {
    const lengths = [60_000, 30_000, 20_000, 100_000, 10, 99_000];
    for (const length of lengths) await made('harbour', 'a '.repeat(length / 2));
    const database = world.nest.get(Database);
    const judged: number[][] = [];
    jest.spyOn(database, 'read').mockImplementation(function (this: Database, statement, name) {
      if (name === 'search-as-shown') judged.push(lengthsOfTexts(statement.values));
      return Database.prototype.read.call(this, statement, name);
    });
    expect((await search(app, 'harbour')).total).toBe(lengths.length);
    expect(judged.flat().sort()).toEqual(lengths.sort());
    for (const part of judged)
      expect(part.length === 1 || part.reduce((sum, length) => sum + length) <= 100_000).toBe(true);
  }, 30_000);

  it('a search with a filter by properties looks at the metadata of readable hits only', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      title: `harbour ${index}`,
      node_type: 'note',
      tags: [index < 5 ? 'open' : 'closed'],
      metadata: { properties: { city: 'Porto' } },
    }));
    await alice.post('/nodes/batch', { nodes: many });
    const open = await tagId(alice, 'open');
    const part = await letsIn(world, alice, profile({ discover: [open], read: [open] }));
    const database = world.nest.get(Database);
    let sent: Sql | undefined;
    jest.spyOn(database, 'read').mockImplementation(function (this: Database, statement, name) {
      if (name === 'search') sent = statement;
      return Database.prototype.read.call(this, statement, name);
    });
    const properties = [{ path: 'city', eq: 'Lisbon' }];
    expect((await part.post('/nodes/search', { query: 'harbour', properties })).body.total).toBe(0);
    jest.restoreAllMocks();
    const [explained] = await database.read<Explained>(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${sent}`);
    expect(visitedRows('nodes', (explained as Explained)['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(5);
  });

  it.each(['stored', 'masked'])(
    'a page of large %s nodes is found once, and read in parts without those that are deleted meanwhile',
    async (kind) => {
      const client = kind === 'masked' ? app : alice;
      const ids: string[] = [];
      for (let number = 0; number < 6; number++)
        ids.push((await made(`harbour ${number}`, '\u5e06'.repeat(100_000))).id);
      const database = world.nest.get(Database);
      const found: string[] = [];
      jest.spyOn(database, 'read').mockImplementation(async function (this: Database, statement, name) {
        if (name === 'search' || name === 'search-part') found.push(name);
        if (name === 'search-part' && found.length === 2) await alice.delete(`/nodes/${ids[2]}`);
        return Database.prototype.read.call(this, statement, name);
      });
      const { nodes, total } = await search(client, 'harbour');
      jest.restoreAllMocks();
      expect(nodes.map(({ title }) => title)).toEqual([5, 4, 3, 1, 0].map((number) => `harbour ${number}`));
      expect(total).toBe(6);
      expect(found[0]).toBe('search');
      expect(new Set(found.slice(1))).toEqual(new Set(['search-part']));
    },
    60_000,
  );
});
