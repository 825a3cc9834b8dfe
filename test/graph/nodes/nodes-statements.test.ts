import { NodesRepository } from '../../../src/graph/nodes/infrastructure/nodes.repository.js';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { type Client } from '../../support/client.js';
import { sentStatements } from '../../support/sent-statements.js';
import { type TestUser, World } from '../../support/world.js';
import { letsIn, profile } from '../../support/worlds/nodes.js';

describe('database load', () => {
  let world: World;
  let counting: { names: string[] };

  beforeAll(async () => {
    world = await World.startHere();
    counting = sentStatements(world.nest.get(Database));
  });
  afterAll(() => world.stop());

  const during = async (act: () => Promise<unknown>): Promise<string[]> => {
    counting.names.length = 0;
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
  ])('the number of statements for nodes is equal for 50 rows and for one: %s', async (_, body) => {
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
    expect(counts.slice(3)).toEqual(counts.slice(0, 3));
  });

  it('the number of statements for nodes is higher for callers with masks, by the same statements whatever was changed (ADR 54)', async () => {
    const user = await world.user();
    await fill(user, 20);
    const whole = await letsIn(world, user, profile({ read: 'all' }));
    const masked = await letsIn(
      world,
      user,
      profile({ read: 'all' }, { transformations: [{ type: 'field_mask', config: { paths: ['value'] } }] }),
    );
    const { nodes } = (await user.get('/nodes')).body as { nodes: { id: string }[] };
    const id = nodes.at(-1)?.id as string;
    const read = async (client: Client): Promise<string[]> => {
      const names = await during(() => client.get(`/nodes/${id}`));
      const listed = await during(() => client.get('/nodes'));
      return [...names, ...listed].filter((name) => /^node-steps/.test(name));
    };
    // Two for the node, and two for the list.
    const steps = ['node-steps', 'node-steps-contents', 'node-steps-since', 'node-steps-contents'];
    expect([await read(whole), await read(masked)]).toEqual([[], steps]);
    await user.put(`/nodes/${id}`, { value: 'hidden' });
    expect([await read(whole), await read(masked), await read(masked)]).toEqual([[], steps, steps]);
    await user.post('/tags', { name: 'elsewhere' });
    await user.put(`/nodes/${nodes[0]?.id as string}`, { title: 'shown' });
    expect([await read(whole), await read(masked)]).toEqual([[], steps]);
  });

  it('the number of statements for nodes is shared by concurrent reads, and each reader receives their own rows', async () => {
    const people = await Promise.all([world.user(), world.user()]);
    const made = await Promise.all(
      people.map(async (user) => {
        const bodies = ['a', 'b', 'c'].map((title) => ({ title, node_type: 'note' }));
        const { body } = await user.post('/nodes/batch', { nodes: bodies });
        return (body as { created: { id: string }[] }).created.map(({ id }) => id);
      }),
    );
    const asked = people.flatMap(({ id }) =>
      [...made.flat(), crypto.randomUUID()].map((node) => [id, node] as const),
    );
    const nodes = world.nest.get(NodesRepository);
    let found: (string | null)[] = [];
    const names = await during(async () => {
      const all = await Promise.all(asked.map(([owner, id]) => nodes.find(owner, id)));
      found = all.map((node) => node && `${node.ownerId} ${node.id}`);
    });
    expect(names).toEqual(['nodes-together']);
    const isTheirs = (owner: string, id: string) =>
      made[people.findIndex((one) => one.id === owner)]?.includes(id);
    expect(found).toEqual(asked.map(([owner, id]) => (isTheirs(owner, id) ? `${owner} ${id}` : null)));
    const readers = asked.map(([owner, id]) => async () => {
      const reader = people.find((one) => one.id === owner) as TestUser;
      return (await reader.get(`/nodes/${id}`)).status;
    });
    const statuses = await Promise.all(readers.map((read) => read()));
    expect(statuses).toEqual(found.map((node) => (node === null ? 404 : 200)));
  });

  it('the number of statements for nodes includes a count only once while the graph does not change', async () => {
    const user = await world.user();
    await fill(user, 3);
    const first = await during(() => user.get('/nodes'));
    const second = await during(() => user.get('/nodes?limit=1&offset=1'));
    expect(first.filter((name) => name === 'nodes-count')).toHaveLength(1);
    expect(second.filter((name) => name === 'nodes-count')).toHaveLength(0);
  });

  it('the number of statements for nodes includes a count of new nodes only, unless other changes happened', async () => {
    const user = await world.user();
    await fill(user, 3);
    const total = async () => (await user.get('/nodes')).body.total as number;
    expect(await total()).toBe(3);
    // Changed without the change log, so that only a full count notices.
    const database = world.nest.get(Database);
    await world.nest
      .get(UnitOfWork)
      .run(() =>
        database.write(
          sql`UPDATE nodes SET deleted_at = now() WHERE owner_id = ${user.id} AND title = 'n 0'`,
        ),
      );
    const { body } = await user.post('/nodes', { title: 'one more', node_type: 'note' });
    const other = await user.post('/nodes', { title: 'another', node_type: 'note' });
    await user.post('/relationships', {
      from_node_id: body.id,
      to_node_id: other.body.id,
      relationship_type: 'related_to',
    });
    await user.put(`/nodes/${body.id}/embedding`, { embedding: [1, 0] });
    expect(await total()).toBe(5);
    await user.put(`/nodes/${body.id}`, { title: 'changed' });
    expect(await total()).toBe(4);
    for (let at = 0; at < 6; at++) {
      const nodes = Array.from({ length: 100 }, (_, n) => ({ title: `${at} ${n}`, node_type: 'note' }));
      await user.post('/nodes/batch', { nodes });
    }
    expect(await total()).toBe(604);
  });

  it('a single read takes the guard and one row', async () => {
    const user = await world.user();
    const { body } = await user.post('/nodes', { title: 'x', node_type: 'note' });
    const names = await during(() => user.get(`/nodes/${body.id}`));
    expect(names).toEqual(['node']);
  });

  it('a batch takes few statements', async () => {
    const user = await world.user();
    await fill(user, 100);
    await user.get('/nodes');
    const nodes = Array.from({ length: 100 }, (_, i) => ({
      title: `m ${i}`,
      node_type: 'note',
      tags: [`t${i % 5}`],
    }));
    const names = await during(() => user.post('/nodes/batch', { nodes }));
    expect(names).toEqual(['nodes-duplicates-glance', 'nodes-insert']);
  });
});
