import { jest } from '@jest/globals';
import { NodeDuplicates } from '../../../src/graph/nodes/infrastructure/node-duplicates.queries.js';
import { NodesRepository } from '../../../src/graph/nodes/infrastructure/nodes.repository.js';
import { CallerPlaces } from '../../../src/kernel/caller-places.js';
import { Database } from '../../../src/kernel/database/database.js';
import { HeldRows, MOST_HELD_ROWS } from '../../../src/kernel/held-rows.js';
import { requestContext, SYSTEM_ACTOR } from '../../../src/kernel/request-context.js';
import { type Client } from '../../support/client.js';
import { until } from '../../support/until.js';
import { type TestUser, type World } from '../../support/world.js';
import { letsIn, node, profile } from '../../support/worlds/nodes.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { item } from './batches.js';

const MAY = { discover: 'all', read: 'all', create: 'all', edit: 'all' } as const;

describe('the look-ups of a batch', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));
  afterEach(() => jest.restoreAllMocks());

  const items = (count: number) => Array.from({ length: count }, (_, index) => item(`n${index}`));
  const overwrite = (nodes: object[], key?: string) =>
    alice.post(
      '/nodes/batch',
      { nodes, on_duplicate: 'overwrite' },
      key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
    );
  const reads = () => {
    const names: string[] = [];
    const database = world.nest.get(Database);
    const read = database.read.bind(database);
    jest.spyOn(database, 'read').mockImplementation((statement, name) => {
      if (/duplicates/.test(name ?? '')) names.push(name ?? '');
      return read(statement, name);
    });
    return names;
  };

  it('a batch that overwrites looks for duplicates twice, without and with the lock', async () => {
    await alice.post('/nodes/batch', { nodes: items(3) });
    const names = reads();
    expect((await overwrite(items(3))).body.summary).toMatchObject({ updated: 3 });
    expect(names).toEqual(['nodes-duplicates-glance', 'nodes-duplicates']);
  });

  it('a batch under an Idempotency-Key that skips duplicates looks for them once', async () => {
    const names = reads();
    const headers = { 'Idempotency-Key': 'once' };
    expect((await alice.post('/nodes/batch', { nodes: items(3) }, { headers })).status).toBe(201);
    expect(names).toEqual(['nodes-duplicates']);
  });

  it('a batch waits for room for duplicates that others made since it counted them (rule 11.9i)', async () => {
    const duplicates = world.nest.get(NodeDuplicates);
    const find = duplicates.find.bind(duplicates);
    jest.spyOn(duplicates, 'find').mockImplementationOnce(async (...given) => {
      const found = await find(...given);
      for (const one of items(11)) await node(alice, one);
      return found;
    });
    const held = world.nest.get(HeldRows);
    const releases: (() => void)[] = [];
    const holding = ['one', 'another'].map((caller) =>
      requestContext.run({ requestId: '', actor: SYSTEM_ACTOR, changeReason: null, caller }, () =>
        held.run(MOST_HELD_ROWS, () => new Promise<void>((resolve) => releases.push(resolve))),
      ),
    );
    const rows: number[] = [];
    const run = held.run.bind(held);
    jest.spyOn(held, 'run').mockImplementation((count, work) => (rows.push(count), run(count, work)));
    const lock = jest.spyOn(world.nest.get(NodesRepository), 'lock');
    let isDone = false;
    const writing = overwrite(items(11), 'counted').finally(() => (isDone = true));
    await until(() => isDone || rows.includes(11), 'it waits for room for eleven rows');
    expect([isDone, lock.mock.calls.length]).toEqual([false, 0]);
    for (const release of releases) release();
    await Promise.all(holding);
    expect((await writing).body.summary).toMatchObject({ updated: 11, created: 0 });
  });

  describe('apps that are shown other values', () => {
    let app: Client;
    const transformations = [{ type: 'pii_redaction' }];
    beforeEach(async () => {
      await node(alice, { title: 'ask ada@example.org' });
      app = await letsIn(world, alice, profile(MAY, { transformations }));
    });

    it.each([
      ['a batch', () => app.post('/nodes/batch', { nodes: items(1) }), 201],
      ['a search for words', () => app.post('/nodes/search', { query: 'ada' }), 200],
      ['a filter of relationships by type', () => app.get('/relationships?relationship_type=knows'), 200],
      ['a filter of tags by category', () => app.get('/tags?category=topic'), 200],
    ])(
      '%s over masked values takes one of the three places of its caller (rule 3.15e)',
      async (_, ask, status) => {
        const database = world.nest.get(Database);
        const read = database.read.bind(database);
        const ends: (() => void)[] = [];
        const reading = jest.spyOn(database, 'read').mockImplementation(async (statement, name) => {
          if (name === 'nodes-as-shown') await new Promise<void>((resolve) => ends.push(resolve));
          return read(statement, name);
        });
        const searches = [1, 2, 3].map(() => app.get('/nodes?search=ask'));
        await until(() => ends.length === 3, 'three searches are decided');
        reading.mockRestore();
        const takes = jest.spyOn(CallerPlaces.prototype, 'take');
        let isDone = false;
        const asking = ask().finally(() => (isDone = true));
        const waits = () => takes.mock.results.some(({ value }) => typeof value !== 'function');
        await until(() => isDone || waits(), 'it waits for a place');
        expect(isDone).toBe(false);
        for (const end of ends) end();
        expect((await asking).status).toBe(status);
        for (const search of searches) expect((await search).status).toBe(200);
      },
    );
  });
});
