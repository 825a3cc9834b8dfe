import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { type Answer, type Client } from '../../support/client.js';
import { codeOf, letsIn, node, profile, tagId, titlesOf } from '../../support/worlds/nodes.js';
import { type TestUser, World } from '../../support/world.js';
import { getsToKnow, withPeople } from '../../support/worlds/people.js';

/** More than one statement looks through. */
const MANY_SHARERS = 230;
/** Two thirds of these are more than have a rank. */
const MANY_HITS = 16_200;

describe('received nodes in POST /nodes/search', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  withPeople(
    (people) => ({ world, alice, bob } = people),
    () => World.startHere(),
  );

  const shares = async (body: object): Promise<string> => {
    const made = await alice.post('/sharing', { shared_with_user_id: bob.id, ...body });
    expect(made.status).toBe(201);
    return made.body.id as string;
  };
  const search = async (client: Client, body: object, headers = {}): Promise<Answer> => {
    const answer = await client.post('/nodes/search', body, headers);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    return answer;
  };
  const titles = async (client: Client, body: object): Promise<string[]> =>
    titlesOf(await search(client, body)).sort();

  it.each(['all', 'shared', 'owned'])(
    'a share that names only deleted tags is searched like none, with access %s',
    async (access) => {
      await node(alice, { title: 'harbour', tags: ['sea'] });
      await node(bob, { title: 'harbour own', tags: ['pier'] });
      const tag = await tagId(alice, 'sea');
      await shares({ scope: 'specific_tags', tag_ids: [tag] });
      expect((await alice.delete(`/tags/${tag}`)).status).toBe(200);
      const own = access === 'shared' ? [] : ['harbour own'];
      for (const body of [{ query: 'harbour' }, { query: 'harbuor' }, { query: 'pier', match: 'all' }])
        expect([body, await titles(bob, { ...body, access })]).toEqual([body, own]);
      expect(await titles(bob, { embedding: [1, 0], access })).toEqual([]);
      expect((await bob.get(`/nodes/facets?access=${access}`)).body.total).toBe(own.length);
      expect((await bob.get('/tags?include_node_counts=true')).body.tags).toMatchObject([{ node_count: 1 }]);
    },
  );

  it('own and received nodes are found together unless `access` says which', async () => {
    await node(alice, { title: 'harbour shared', tags: ['sea'] });
    await node(alice, { title: 'harbour hidden', tags: ['land'] });
    await node(bob, { title: 'harbour own' });
    await shares({ scope: 'specific_tags', tag_ids: [await tagId(alice, 'sea')] });
    for (const [access, expected] of [
      [undefined, ['harbour own', 'harbour shared']],
      ['all', ['harbour own', 'harbour shared']],
      ['owned', ['harbour own']],
      ['shared', ['harbour shared']],
    ] as const)
      expect([access, await titles(bob, { query: 'harbour', access })]).toEqual([access, expected]);
    expect(codeOf(await bob.post('/nodes/search', { query: 'harbour', access: 'theirs' }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('a received hit has its tags and `is_shared`, and passes the filters as in lists', async () => {
    const { id } = await node(alice, { title: 'harbour plan', node_type: 'Goal', tags: ['sea'] });
    await node(alice, { title: 'harbour note', tags: ['land'] });
    await shares({ scope: 'all' });
    const sea = await tagId(alice, 'sea');
    const found = await search(bob, { query: 'harbour', tag_ids: [sea], highlights: true });
    expect(found.body.nodes).toMatchObject([{ id, tags: ['sea'], is_shared: true, owner_id: alice.id }]);
    expect(found.body.nodes[0].highlights[0].parts[0]).toEqual({ text: 'harbour', marked: true });
    expect(await titles(bob, { query: 'harbour', node_types: ['goal'] })).toEqual(['harbour plan']);
    expect((await search(bob, { query: 'harbuor' })).body).toMatchObject({
      total: 2,
      corrections: [{ word: 'harbuor', sought: ['harbour'] }],
    });
  });

  it('an app finds received nodes only where its profile reads all tags, as the profile shows them (rule 3.21)', async () => {
    await node(alice, { title: 'harbour', value: 'lighthouse' });
    await node(bob, { title: 'harbour', tags: ['work'] });
    await shares({ scope: 'all' });
    await getsToKnow(bob, alice);
    const all = await letsIn(world, bob, profile({ read: 'all' }));
    const some = await letsIn(world, bob, profile({ read: [await tagId(bob, 'work')] }));
    const summary = await letsIn(world, bob, profile({ read: 'all' }, { max_detail_level: 'summary' }));
    const total = async (client: Client, query: string) => (await search(client, { query })).body.total;
    expect(await Promise.all([all, some, summary].map((app) => total(app, 'harbour')))).toEqual([2, 1, 2]);
    expect(await Promise.all([all, some, summary].map((app) => total(app, 'lighthouse')))).toEqual([1, 0, 0]);
  });

  it('vectors of received nodes are compared, and ranked with own ones', async () => {
    const near = await node(alice, { title: 'near', tags: ['sea'] });
    const hidden = await node(alice, { title: 'nearest' });
    const far = await node(bob, { title: 'far' });
    for (const [user, { id }, embedding] of [
      [alice, near, [0.9, 0.1]],
      [alice, hidden, [1, 0]],
      [bob, far, [0.5, 0.5]],
    ] as const)
      expect((await user.put(`/nodes/${id as string}/embedding`, { embedding })).status).toBe(200);
    await shares({ scope: 'specific_tags', tag_ids: [await tagId(alice, 'sea')] });
    const found = await search(bob, { embedding: [1, 0] });
    expect([titlesOf(found), found.body.total]).toEqual([['near', 'far'], 2]);
    expect(await titles(bob, { embedding: [1, 0], access: 'shared' })).toEqual(['near']);
    const both = await search(bob, { embedding: [1, 0], query: 'far near nearest' });
    expect([titlesOf(both), both.body.total]).toEqual([['near', 'far'], 2]);
  });

  /** Copies the node of Alice and its share for many sharers. */
  const copyForMany = async (share: string, group: number): Promise<void> => {
    const database = world.nest.get(Database);
    await world.nest.get(UnitOfWork).run(async () => {
      const sharers = sql`(SELECT i, (${`${group}0000000-0000-4000-8000-`} || lpad(i::text, 12, '0'))::uuid AS id FROM generate_series(1, ${MANY_SHARERS}::integer) AS i)`;
      await database.write(sql`INSERT INTO sequences (id) SELECT id FROM ${sharers} AS sharer`);
      await database.write(sql`INSERT INTO nodes SELECT made.* FROM nodes AS n, ${sharers} AS sharer,
        jsonb_populate_record(n, jsonb_build_object('owner_id', sharer.id, 'id', gen_random_uuid(),
          'title', CASE WHEN i % 50 = 0 THEN 'harbour lights' ELSE 'harbour' END)) AS made WHERE n.owner_id = ${alice.id}`);
      await database.write(sql`INSERT INTO shares SELECT made.* FROM shares AS s, ${sharers} AS sharer,
        jsonb_populate_record(s, jsonb_build_object('owner_id', sharer.id, 'graph_owner_id', sharer.id, 'id', gen_random_uuid())) AS made
        WHERE s.id = ${share}`);
      await database.write(sql`UPDATE sequences SET policy = policy + 1 WHERE id = ${bob.id}`);
    });
  };

  it('the hits of two halves are counted exactly, however many of more sharers than one statement looks through have no rank', async () => {
    const { id } = await node(alice, { title: 'harbour', value: 'lighthouse' });
    await alice.put(`/nodes/${id as string}/embedding`, { embedding: [1, 0] });
    await copyForMany(await shares({ scope: 'all' }), 1);
    // Each half finds more than have a rank; one node in three is found by both, one by words, one by its vector.
    const database = world.nest.get(Database);
    await world.nest.get(UnitOfWork).run(async () => {
      await database.write(sql`INSERT INTO nodes SELECT made.* FROM nodes AS n, generate_series(1, ${MANY_HITS}::integer) AS i,
        jsonb_populate_record(n, jsonb_build_object('id', ('10000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid,
          'title', CASE WHEN i % 3 = 0 THEN 'mountain' ELSE 'harbour' END)) AS made WHERE n.id = ${id as string} AND n.owner_id = ${alice.id}`);
      await database.write(sql`INSERT INTO embeddings SELECT made.* FROM embeddings AS e, nodes AS n,
        jsonb_populate_record(e, jsonb_build_object('node_id', n.id, 'vector_id', e.vector_id + 1 + right(n.id::text, 6)::integer)) AS made
        WHERE e.node_id = ${id as string} AND n.owner_id = ${alice.id} AND right(n.id::text, 6)::integer % 3 <> 1 AND n.id::text LIKE '10000000%'`);
      // Plans for tables as small as before look through all rows for each sharer.
      await database.write(sql`ANALYZE`);
    });
    const both = { query: 'harbour', embedding: [1, 0], access: 'shared' };
    for (const offset of [0, 10_000]) {
      const { body } = await search(bob, { ...both, offset, limit: 100 });
      expect(body.total).toBe(MANY_HITS + 1 + MANY_SHARERS);
      expect(body.nodes).toHaveLength(100);
    }
    const byWords = await search(bob, { query: 'harbour', access: 'shared' });
    expect(byWords.body.total).toBe((MANY_HITS / 3) * 2 + 1 + MANY_SHARERS);
    const byVector = await search(bob, { embedding: [1, 0], access: 'shared' });
    expect(byVector.body.total).toBe((MANY_HITS / 3) * 2 + 1);
  });

  it('hits of more sharers than one statement looks through are counted and ranked together', async () => {
    await node(alice, { title: 'harbour', value: 'lighthouse' });
    await node(bob, { title: 'harbour lights' });
    await copyForMany(await shares({ scope: 'all' }), 2);
    const query = 'harbour lights';
    const found = await search(bob, { query, limit: 10 });
    expect(found.body.total).toBe(MANY_SHARERS + 2);
    expect(titlesOf(found)).toEqual([...Array(5).fill('harbour lights'), ...Array(5).fill('harbour')]);
    const pages: string[] = [];
    for (let offset = 0; offset < MANY_SHARERS + 2; offset += 60) {
      const page = await search(bob, { query, limit: 60, offset });
      expect(page.body.total).toBe(MANY_SHARERS + 2);
      pages.push(...(page.body.nodes as { id: string }[]).map(({ id }) => id));
    }
    expect(new Set(pages).size).toBe(MANY_SHARERS + 2);
    expect((await search(bob, { query: 'lighthuose' })).body.corrections).toEqual([
      { word: 'lighthuose', sought: ['lighthous'] },
    ]);
  });
});
