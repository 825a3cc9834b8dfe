import { jest } from '@jest/globals';
import { NodeDuplicates } from '../../src/graph/nodes/infrastructure/node-duplicates.queries.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { afterTheLook, item } from '../graph/nodes/batches.js';
import { node } from '../support/worlds/nodes.js';
import { type Answer } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';

/** The embedded database runs one transaction after the other. */
describe('POST /nodes/batch', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
  });
  beforeEach(async () => {
    alice = await world.user();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  /**
   * Sends a request when another one with a key has its locks; that one continues once this is answered or
   * waits for the locks.
   */
  const beforeTheKeyIsKept = (send: () => Promise<Answer>): Promise<Answer> => {
    const database = world.nest.get(Database);
    const write = database.write.bind(database);
    const waiting = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    return new Promise((answered, failed) => {
      let isOver: boolean | null = null;
      jest.spyOn(database, 'write').mockImplementation(async (statement, name) => {
        if (name === 'idempotency-save' && isOver === null) {
          isOver = false;
          void send()
            .finally(() => (isOver = true))
            .then(answered, failed);
          while (!isOver && (await database.readCommitted(waiting)).length === 0);
        }
        return write(statement, name);
      });
    });
  };

  it('a batch leaves others their connections, however many of one owner wait', async () => {
    const small = await World.startHere({ DATABASE_POOL: '2' });
    try {
      const [owner, other] = [await small.user(), await small.user()];
      const duplicates = small.nest.get(NodeDuplicates);
      const find = duplicates.find.bind(duplicates);
      jest.spyOn(duplicates, 'glance').mockResolvedValue(null);
      let goOn = (): void => undefined;
      const isHeld = new Promise<void>((resolve) => {
        jest.spyOn(duplicates, 'find').mockImplementationOnce(async (...given) => {
          resolve();
          await new Promise<void>((go) => (goOn = go));
          return find(...given);
        });
      });
      const batch = (title: string) => owner.post('/nodes/batch', { nodes: [item(title)] });
      const batches = ['a', 'b', 'c', 'd'].map(batch);
      await isHeld;
      for (const title of ['1', '2', '3', '4', '5', '6', '7', '8'])
        expect((await other.post('/nodes', item(title))).status).toBe(201);
      goOn();
      for (const { body } of await Promise.all(batches)) expect(body.summary).toMatchObject({ created: 1 });
      // The same batches again, one after the other: the second finds the nodes that the first made.
      const again = await Promise.all([batch('e'), batch('e')]);
      const created = again.map(({ body }) => body.summary.created as number);
      expect(created.sort()).toEqual([0, 1]);
    } finally {
      await small.stop();
    }
  });

  it('a batch makes what is no duplicate any more once it could be locked', async () => {
    const [renamed, deleted] = [await node(alice, { title: 'a' }), await node(alice, { title: 'b' })];
    afterTheLook(world, async () => {
      await alice.put(`/nodes/${renamed.id}`, { title: 'renamed', value: 'important' });
      await alice.delete(`/nodes/${deleted.id}`);
    });
    const nodes = [item('a', { value: null }), item('b')];
    const { body } = await alice.post('/nodes/batch', { nodes, on_duplicate: 'overwrite' });
    expect(body.summary).toEqual({ total: 2, created: 2, skipped: 0, updated: 0, errors: 0 });
    const kept = await alice.get(`/nodes/${renamed.id}`);
    expect(kept.body).toMatchObject({ title: 'renamed', value: 'important', version: 2 });
  });

  it('a batch does not pass one that has the lock and is not committed', async () => {
    const nodes = Array.from({ length: 20 }, (_, n) => item(`${n}`));
    const second = beforeTheKeyIsKept(() => alice.post('/nodes/batch', { nodes }));
    const first = await alice.post('/nodes/batch', { nodes }, { headers: { 'Idempotency-Key': 'first' } });
    expect(first.body.summary).toMatchObject({ created: 20 });
    expect((await second).body.summary).toMatchObject({ created: 0, skipped: 20 });
  });
});
