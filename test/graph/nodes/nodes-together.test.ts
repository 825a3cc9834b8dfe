import { jest } from '@jest/globals';
import { NodesRepository } from '../../../src/graph/nodes/infrastructure/nodes.repository.js';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type TestUser, World } from '../../support/world.js';

/** Creates of several people in one statement (ADR 20), through all that follows from a create. */
describe('group commit', () => {
  let world: World;
  let database: Database;

  beforeAll(async () => {
    world = await World.startHere({ RATE_LIMITS: 'off' });
    database = world.nest.get(Database);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const make = async (user: TestUser, title: string): Promise<string> => {
    const made = await user.post('/nodes', {
      title,
      node_type: 'note',
      tags: ['a'],
      metadata: { of: title },
    });
    expect(made.status).toBe(201);
    return made.body.id;
  };

  it('concurrent creates of nodes are complete, each in its own graph: contributions, history, words and events', async () => {
    const people = await Promise.all([world.user(), world.user(), world.user()]);
    for (const user of people) await make(user, 'first');
    const followed = people[0].id;
    const app = await world.app();
    await people[0].lets(app);
    const subscribed = await app.as(people[0]).post('/webhooks/subscribe', {
      webhook_url: 'https://receiver.invalid/hook',
      events: ['node.created'],
    });
    expect(subscribed.status).toBe(201);
    const shared: string[][] = [];
    const alone = database.writeAlone.bind(database);
    const gate = gateOf(world.nest.get(NodesRepository), 24);
    jest.spyOn(database, 'writeAlone').mockImplementation(async (statement) => {
      await gate;
      if (statement.name?.startsWith('changes:shared')) shared.push((statement.values as [string[]])[0]);
      return alone(statement);
    });
    const titles = Array.from({ length: 8 }, (_, index) => `title ${index}`);
    const made = await Promise.all(
      people.flatMap((user) => titles.map(async (title) => ({ user, title, id: await make(user, title) }))),
    );
    expect(made).toHaveLength(24);
    expect(shared.length).toBeLessThanOrEqual(5);
    expect(shared.some((owners) => owners.length > 1)).toBe(true);
    for (const { user, title, id } of made) {
      const contributions = await user.get(`/nodes/${id}/contributions`);
      const paths = (
        contributions.body.contributions as { field_path: string; contributor_id: string }[]
      ).map(({ contributor_id }) => contributor_id);
      expect(new Set(paths)).toEqual(new Set([user.id]));
      const history = await user.get(`/nodes/${id}/history`);
      expect(history.body.total).toBe(1);
      const found = await user.post('/nodes/search', { query: title });
      expect((found.body.nodes as { id: string }[]).map((node) => node.id)).toContain(id);
    }
    for (const user of people) expect((await user.get('/nodes')).body.total).toBe(1 + titles.length);
    const news = await database.read<{ owner_id: string }>(sql`SELECT owner_id FROM webhook_news
      WHERE owner_id = ANY(${people.map(({ id }) => id)}::uuid[])`);
    expect(news.map(({ owner_id }) => owner_id).filter((id) => id !== followed)).toEqual([]);
    const told = await database.read(
      sql`SELECT 1 FROM sequences WHERE id = ${followed} AND is_followed AND changes = (SELECT max(sequence) FROM changes WHERE owner_id = ${followed})`,
    );
    expect(told).toHaveLength(1);
  });

  it('concurrent creates of nodes do not appear in an account that is erased meanwhile', async () => {
    const [leaving, staying] = await Promise.all([world.user(), world.user()]);
    const writing = Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        Promise.all([
          leaving.post('/nodes', { title: `gone ${index}`, node_type: 'note', tags: ['a'] }),
          staying.post('/nodes', { title: `kept ${index}`, node_type: 'note', tags: ['a'] }),
        ]),
      ),
    );
    const erased = await leaving.delete('/auth/me', { password: 'correct horse battery' });
    expect(erased.status).toBe(204);
    const answers = await writing;
    expect(new Set(answers.map(([, kept]) => kept.status))).toEqual(new Set([201]));
    expect(answers.every(([gone]) => [201, 401, 404].includes(gone.status))).toBe(true);
    expect((await staying.get('/nodes')).body.total).toBe(20);
    const left = await database.read(sql`SELECT id FROM nodes WHERE owner_id = ${leaving.id}`);
    expect(left).toEqual([]);
  });
});

/** Opens when this number of nodes is about to be written. */
function gateOf(nodes: NodesRepository, count: number): Promise<void> {
  const insert = nodes.insert.bind(nodes);
  let inserted = 0;
  return new Promise((open) => {
    jest.spyOn(nodes, 'insert').mockImplementation((node) => {
      insert(node);
      if (++inserted === count) setImmediate(open);
    });
  });
}
