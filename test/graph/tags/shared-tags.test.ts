import { Database } from '../../../src/kernel/database/database.js';
import { type Sql } from '../../../src/kernel/database/sql.js';
import { letsIn, profile } from '../../support/worlds/nodes.js';
import { type TestUser, World } from '../../support/world.js';
import { getsToKnow, withPeople } from '../../support/worlds/people.js';

const TAGS_OF_A_NODE = 50;
const NODES = 21;
const MOST = 1_000;

interface Named {
  id: string;
  name: string;
}

describe('tags of a sharer with more than a thousand (rule 4.15c)', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  withPeople(
    (people) => ({ world, alice, bob } = people),
    () => World.startHere(),
  );

  async function allTags(client: Pick<TestUser, 'get'>, question = ''): Promise<Named[]> {
    const tags: Named[] = [];
    for (;;) {
      const { status, body, text } = await client.get(`/tags?limit=200&offset=${tags.length}${question}`);
      if (status !== 200) throw new Error(text);
      tags.push(...body.tags);
      if (tags.length >= body.total) return tags;
    }
  }

  /** 1,050 tags on alice's nodes, which are shared with bob; by their ids. */
  async function sharedTags(): Promise<string[]> {
    const nodes = Array.from({ length: NODES }, (_, at) => ({
      title: `node ${at}`,
      node_type: 'note',
      tags: Array.from({ length: TAGS_OF_A_NODE }, (__, place) => `tag ${at * TAGS_OF_A_NODE + place}`),
    }));
    expect((await alice.post('/nodes/batch', { nodes })).status).toBe(201);
    const shared = await alice.post('/sharing', { shared_with_user_id: bob.id, scope: 'all' });
    expect(shared.status).toBe(201);
    await getsToKnow(bob, alice);
    return (await allTags(alice)).map(({ id }) => id).sort();
  }

  it('the first thousand by their ids are listed and counted, for the recipient and an app, and answers say so', async () => {
    const own = await bob.post('/tags', { name: 'own' });
    const ids = await sharedTags();
    const app = await letsIn(world, bob, profile({ discover: 'all', read: 'all' }));
    for (const client of [bob, app]) {
      const { body } = await client.get('/tags?limit=1');
      expect([body.total, body.truncated]).toEqual([MOST + 1, true]);
      const listed = (await allTags(client)).map(({ id }) => id);
      expect(listed.sort()).toEqual([...ids.slice(0, MOST), own.body.id].sort());
      const { body: facets } = await client.get('/nodes/facets');
      expect([facets.total, facets.tags_total, facets.tags_truncated]).toEqual([NODES, MOST, true]);
      const { body: owned } = await client.get('/tags?access=owned');
      expect([owned.total, owned.truncated]).toEqual([1, false]);
      const beyond = ids.at(-1) as string;
      expect((await client.get(`/tags/${beyond}`)).status).toBe(200);
      expect((await client.get(`/nodes?tag_id=${beyond}`)).body.total).toBe(1);
    }
    expect((await alice.post('/tags/bulk-delete', { tag_ids: ids.slice(0, 50) })).status).toBe(200);
    for (const client of [bob, app]) {
      const { body } = await client.get('/tags?limit=1');
      expect([body.total, body.truncated]).toEqual([MOST + 1, false]);
      const { body: facets } = await client.get('/nodes/facets');
      expect([facets.tags_total, facets.tags_truncated]).toEqual([MOST, false]);
    }
  });

  it('no statement answers more of them than are listed, and searches among them send none', async () => {
    await sharedTags();
    const database = world.nest.get(Database);
    const read = database.read.bind(database) as (statement: Sql, name?: string) => Promise<object[]>;
    const rows: number[] = [];
    database.read = (async (statement: Sql, name?: string) => {
      const found = await read(statement, name);
      if (name === 'shared-tags') rows.push(found.length);
      return found;
    }) as typeof database.read;
    try {
      expect((await bob.get('/tags?search=tag%201')).body.total).toBeGreaterThan(0);
      for (const search of ['tag', '99', 'x'])
        expect((await bob.get(`/tags?search=${search}`)).status).toBe(200);
      expect((await bob.get('/tags?include_node_counts=true')).body.tags[0].node_count).toBe(1);
      expect((await bob.get('/nodes/facets')).status).toBe(200);
    } finally {
      database.read = read as typeof database.read;
    }
    expect(rows).toEqual([MOST + 1]);
  });
});
