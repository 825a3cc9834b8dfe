import { jest } from '@jest/globals';
import { Database } from '../../../src/kernel/database/database.js';
import { type Sql, sql } from '../../../src/kernel/database/sql.js';
import { type Explained, visitedRows } from '../../support/plans.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { item } from './batches.js';

const METHODS = ['read', 'readCommitted'] as const;
const LOOK_UP = 'nodes-duplicates-glance';

interface Sent {
  method: (typeof METHODS)[number];
  statement: Sql;
}

describe('a batch that looks for duplicates', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));
  afterEach(() => jest.restoreAllMocks());

  const values = (from: number) =>
    Array.from({ length: 100 }, (_, i) => item('same', { value: `value ${from + i}` }));

  /** The look-ups sent during some work. */
  async function lookUps(work: () => Promise<unknown>): Promise<Sent[]> {
    const database = world.nest.get(Database);
    const sent: Sent[] = [];
    for (const method of METHODS) {
      const original = database[method].bind(database);
      jest.spyOn(database, method).mockImplementation((statement, name) => {
        if (name === LOOK_UP) sent.push({ method, statement });
        return original(statement, name);
      });
    }
    await work();
    jest.restoreAllMocks();
    return sent;
  }

  /** The rows of nodes that PostgreSQL visits for the look-up of this batch. */
  async function visited(caller: Pick<TestUser, 'post'>, nodes: unknown[]): Promise<number> {
    const [look] = await lookUps(() => caller.post('/nodes/batch', { nodes }));
    const explain = sql`EXPLAIN (ANALYZE, FORMAT JSON) ${(look as Sent).statement}`;
    const [explained] = await world.nest.get(Database).read<Explained>(explain);
    return visitedRows('nodes', (explained as Explained)['QUERY PLAN'][0].Plan);
  }

  it('visits at most one row for each item, however many nodes have its title', async () => {
    for (const from of [0, 100, 200]) await alice.post('/nodes/batch', { nodes: values(from) });
    for (let i = 0; i < 20; i++) await node(alice, { title: 'twin', value: 'equal' });
    for (const nodes of [values(150), [item('same'), item('twin')], [item('twin', { value: 'equal' })]])
      expect(await visited(alice, nodes)).toBeLessThanOrEqual(nodes.length);
  });

  it('passes over duplicates that an app cannot read once, however many items equal them', async () => {
    const open = await tagId(alice, 'open');
    for (let i = 0; i < 20; i++) await node(alice, { title: 'twin', value: 'equal' });
    const app = await letsIn(world, alice, profile({ discover: 'all', read: [open], create: 'all' }));
    const twins = Array.from({ length: 100 }, () => item('twin', { value: 'equal', tags: ['open'] }));
    expect(await visited(app, twins)).toBeLessThan(30);
  });

  it('a batch reads as its person does: gives way to others and counts in their share (rules 11.9d and 11.9e)', async () => {
    const sent = await lookUps(() => alice.post('/nodes/batch', { nodes: [item('a')] }));
    expect(sent.map(({ method }) => method)).toEqual(['read']);
  });

  it('tells titles and values apart that are equal when they are joined', async () => {
    const pairs = [
      item('a', { value: '=b' }),
      item('a=', { value: 'b' }),
      item('a=b'),
      item('a=b', { value: '' }),
    ];
    const views = pairs.map((pair) => ({ ...pair, graph_view: 'neutral' }));
    for (const nodes of [pairs, views])
      expect((await alice.post('/nodes/batch', { nodes })).body.summary).toMatchObject({ created: 4 });
    expect((await alice.post('/nodes/batch', { nodes: views })).body.summary).toMatchObject({ skipped: 4 });
  });
});
