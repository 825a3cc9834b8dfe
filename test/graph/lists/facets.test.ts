import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type Client } from '../../support/client.js';
import { INVALID, type People, withPeople } from '../../support/worlds/people.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { type TestUser, World } from '../../support/world.js';

describe('GET /nodes/facets', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  withPeople(
    (people: People) => ({ world, alice, bob } = people),
    () => World.startHere(),
  );

  const facets = async (client: Client, query = '') => {
    const { status, body, text } = await client.get(`/nodes/facets${query}`);
    if (status !== 200) throw new Error(text);
    return body;
  };
  const month = () => new Date().toISOString().slice(0, 7);

  it('facets name tags, types, levels, schemas and months with the number of nodes (rule 4.21)', async () => {
    await node(alice, { node_type: 'GOAL', tags: ['sea', 'plans'], meaning_level: 'DATA' });
    await node(alice, { node_type: 'GOAL', tags: ['sea'] });
    await node(alice, { node_type: 'note', tags: ['sea'] });
    expect(await facets(alice)).toEqual({
      total: 3,
      tags: [
        { id: await tagId(alice, 'sea'), name: 'sea', count: 3 },
        { id: await tagId(alice, 'plans'), name: 'plans', count: 1 },
      ],
      tags_total: 2,
      tags_truncated: false,
      node_types: [
        { node_type: 'GOAL', count: 2 },
        { node_type: 'note', count: 1 },
      ],
      node_types_total: 2,
      meaning_levels: [
        { meaning_level: 'CONTEXT', count: 2 },
        { meaning_level: 'DATA', count: 1 },
      ],
      schemas: [{ id: '__freeform__', name: null, count: 3 }],
      schemas_total: 1,
      months: [{ month: month(), count: 3 }],
      months_total: 1,
    });
    expect(await facets(alice, '?node_type=goal&meaning_level=DATA')).toMatchObject({
      total: 1,
      tags_total: 2,
    });
  });

  it('facets move with the graph and with the names of its tags', async () => {
    const { id } = await node(alice, { tags: ['sea'] });
    const tag = await tagId(alice, 'sea');
    expect((await facets(alice)).tags).toEqual([{ id: tag, name: 'sea', count: 1 }]);
    expect((await alice.put(`/tags/${tag}`, { name: 'ocean' })).status).toBe(200);
    await node(alice, { tags: ['ocean'] });
    expect((await facets(alice)).tags).toEqual([{ id: tag, name: 'ocean', count: 2 }]);
    expect((await alice.delete(`/nodes/${id}`)).status).toBe(204);
    expect((await facets(alice)).total).toBe(1);
    expect((await facets(alice, '?deleted=true')).total).toBe(1);
  });

  it('facets name a schema for callers who can see it, and count it for all', async () => {
    const json_schema = { type: 'object' };
    const made = await alice.post('/schemas', {
      name: 'trip',
      scope: 'private',
      private_to: 'user',
      json_schema,
    });
    await node(alice, { schema_id: made.body.id, tags: ['sea'] });
    await alice.post('/sharing', { shared_with_user_id: bob.id, scope: 'all' });
    const entry = { id: made.body.id, count: 1 };
    expect((await facets(alice)).schemas).toEqual([{ ...entry, name: 'trip' }]);
    expect((await facets(bob)).schemas).toEqual([{ ...entry, name: null }]);
    expect((await facets(bob)).tags).toMatchObject([{ name: 'sea', count: 1 }]);
  });

  it('facets of an app have no tag that it may not discover, and no time finer than it is shown', async () => {
    await node(alice, { tags: ['work', 'secret'] });
    await node(alice, { tags: ['secret'] });
    const work = await tagId(alice, 'work');
    const year = { type: 'round_date', config: { granularity: 'year' } };
    const app = await letsIn(world, alice, profile({ read: [work] }, { transformations: [year] }));
    expect(await facets(app)).toMatchObject({
      total: 1,
      tags: [{ id: work, name: 'work', count: 1 }],
      tags_total: 1,
      months: [{ month: `${month().slice(0, 4)}-01`, count: 1 }],
    });
    const minimal = await letsIn(world, alice, profile({ read: 'all' }, { max_detail_level: 'minimal' }));
    expect(await facets(minimal)).toMatchObject({ total: 2, tags: [], tags_total: 0, node_types_total: 1 });
  });

  it('facets of large graphs are exact, own and shared, and name the hundred most frequent values', async () => {
    const [often, seldom] = [await tagId(alice, 'often'), await tagId(alice, 'seldom')];
    const many = sql`INSERT INTO nodes (owner_id, id, title, node_type, meaning_level, graph_view, tag_ids, created_at, updated_at)
      SELECT ${alice.id}, gen_random_uuid(), 'a node', 'type ' || lpad((i % 150)::text, 3, '0'), 'DATA', 'identity',
        CASE WHEN i % 10 = 0 THEN ARRAY[${often}::uuid, ${seldom}::uuid] ELSE ARRAY[${often}::uuid] END,
        '2026-05-31T23:59:59Z', now() FROM generate_series(0, 11999) AS i`;
    await world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(many));
    const types = Array.from({ length: 100 }, (_, at) => ({
      node_type: `type ${String(at).padStart(3, '0')}`,
      count: 80,
    }));
    const expected = {
      total: 12_000,
      tags: [
        { id: often, name: 'often', count: 12_000 },
        { id: seldom, name: 'seldom', count: 1_200 },
      ],
      node_types: types,
      node_types_total: 150,
      months: [{ month: '2026-05', count: 12_000 }],
    };
    expect(await facets(alice)).toMatchObject(expected);
    await alice.post('/sharing', { shared_with_user_id: bob.id, scope: 'all' });
    expect(await facets(bob)).toMatchObject(expected);
    const app = await letsIn(world, alice, profile({ read: [seldom] }));
    expect(await facets(app)).toMatchObject({
      total: 1_200,
      tags: [{ name: 'seldom', count: 1_200 }],
      tags_total: 1,
    });
  }, 60_000);

  it.each(['tag=work', 'meaning_level=HIGH', 'access=mine', 'limit=10', 'search=a&search=b'])(
    'refuses to count nodes by the query %s',
    async (query) => {
      expect(codeOf(await alice.get(`/nodes/facets?${query}`))).toEqual(INVALID);
    },
  );
});
