import { Database } from '../../src/kernel/persistence/database.js';
import { type Client } from '../support/client.js';
import { World } from '../support/world.js';
import { letsIn, profile } from './nodes-world.js';

describe('statements for nodes', () => {
  let world: World;
  let counting: { names: string[] };

  beforeAll(async () => {
    world = await World.startHere();
    counting = watch(world.nest.get(Database));
  });
  afterAll(() => world.stop());

  const during = async (act: () => Promise<unknown>): Promise<string[]> => {
    counting.names = [];
    await act();
    return [...counting.names];
  };

  const fill = async (client: Client, count: number) => {
    const nodes = Array.from({ length: count }, (_, i) => ({
      title: `n ${i}`,
      node_type: 'note',
      tags: [`t${i % 5}`],
    }));
    await client.post('/nodes/batch', { nodes });
  };

  it.each([
    ['the owner', undefined],
    ['an app', profile({ read: 'all' })],
    ['an app with transformations', profile({ read: 'all' }, { transformations: ['pii_redaction'] })],
  ])('are as many for 50 rows as for one: %s', async (_, body) => {
    const counts: string[][] = [];
    for (const size of [1, 50]) {
      const user = await world.user();
      await fill(user, size);
      const client = body ? await letsIn(world, user, body) : user;
      const queries = [
        'limit=100&include_tags=true&include_owner=true',
        'search=n&limit=100',
        'sort=title&limit=100',
      ];
      for (const query of queries) counts.push(await during(() => client.get(`/nodes?${query}`)));
    }
    expect(counts.slice(3).map((names) => names.length)).toEqual(
      counts.slice(0, 3).map((names) => names.length),
    );
  });

  it('are shared by reads at the same time, and each reader gets what is theirs', async () => {
    const people = await Promise.all([world.user(), world.user()]);
    const ids = await Promise.all(
      people.map(async (user, number) => {
        const titles = Array.from({ length: 10 }, (_, i) => `of ${number}, ${i}`);
        const made = titles.map((title) => user.post('/nodes', { title, node_type: 'note' }));
        return (await Promise.all(made)).map(({ body }) => (body as { id: string }).id);
      }),
    );
    const [own = [], other = []] = ids;
    const absent = crypto.randomUUID();
    const asked = [...own, ...other, absent, ...own.map((id) => id.toUpperCase())];
    const expected = (mine: string[]) => asked.map((id) => (mine.includes(id.toLowerCase()) ? 200 : 404));
    let read: Awaited<ReturnType<Client['get']>>[][] = [];
    const names = await during(async () => {
      read = await Promise.all(
        people.map((user) => Promise.all(asked.map((id) => user.get(`/nodes/${id}`)))),
      );
    });
    people.forEach((_, number) => {
      const answers = read[number] ?? [];
      expect(answers.map(({ status }) => status)).toEqual(expected(ids[number] ?? []));
      const shown = answers.filter(({ status }) => status === 200);
      expect(shown.map(({ body }) => (body as { id: string }).id)).toEqual(
        asked.map((id) => id.toLowerCase()).filter((id) => ids[number]?.includes(id)),
      );
    });
    expect(names).toContain('nodes-together');
  });

  it('count only once while the graph stands still', async () => {
    const user = await world.user();
    await fill(user, 3);
    const first = await during(() => user.get('/nodes'));
    const second = await during(() => user.get('/nodes?limit=1&offset=1'));
    expect(first.filter((name) => name === 'nodes-count')).toHaveLength(1);
    expect(second.filter((name) => name === 'nodes-count')).toHaveLength(0);
    await user.post('/nodes', { title: 'one more', node_type: 'note' });
    expect(await during(() => user.get('/nodes'))).toContain('nodes-count');
  });

  it('of a single read are the guard and one row', async () => {
    const user = await world.user();
    const { body } = await user.post('/nodes', { title: 'x', node_type: 'note' });
    const names = await during(() => user.get(`/nodes/${body.id}`));
    expect(names.filter((name) => name !== 'sequences')).toEqual(['node']);
  });

  it('of a batch are few', async () => {
    const user = await world.user();
    await fill(user, 100);
    await user.get('/nodes');
    const nodes = Array.from({ length: 100 }, (_, i) => ({
      title: `m ${i}`,
      node_type: 'note',
      tags: [`t${i % 5}`],
    }));
    const names = await during(() => user.post('/nodes/batch', { nodes }));
    expect(names.filter((name) => name !== 'sequences')).toEqual([
      'batches-lock',
      'nodes-duplicates',
      'nodes-insert',
    ]);
  });
});

/** Names of the statements that go through the database from now on. */
function watch(database: Database): { names: string[] } {
  const counting = { names: [] as string[] };
  for (const method of ['read', 'write', 'writeLater', 'readCommitted'] as const) {
    const original = database[method].bind(database) as (statement: unknown, name?: string) => unknown;
    Object.assign(database, {
      [method]: (statement: unknown, name = 'unnamed') => {
        // Written behind the answers, now and then.
        if (!/^(usage|access-log)-add$/.test(name)) counting.names.push(name);
        return original(statement, name);
      },
    });
  }
  return counting;
}
