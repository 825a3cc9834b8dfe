import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { node, tagId } from '../support/worlds/nodes.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

describe('equal ids', () => {
  let world: World;
  withWorld((started) => (world = started));

  const edge = async (user: TestUser) => {
    const ends = [await node(user, { title: 'from' }), await node(user, { title: 'to' })];
    const [from_node_id, to_node_id] = ends.map(({ id }) => id);
    const made = await user.post('/relationships', { from_node_id, to_node_id, relationship_type: 'is' });
    expect(made.status).toBe(201);
    return { id: made.body.id as string, from: from_node_id as string };
  };
  const sharesAll = async (from: TestUser, to: TestUser) =>
    expect((await from.post('/sharing', { shared_with_user_id: to.id, scope: 'all' })).status).toBe(201);

  it('two accounts that hold one id, as earlier releases could import them hide no received node and no received relationship from a caller who may read one of the two', async () => {
    const [one, two, bob] = [await world.user(), await world.user(), await world.user()];
    const [first, second] = [one, two].sort((a, b) => (a.id < b.id ? -1 : 1)) as [TestUser, TestUser];
    const [real, hidden] = [await edge(second), await edge(first)];
    const lone = await node(second, { title: 'alone' });
    const fake = await node(first, { title: 'hidden' });
    const open = await node(first, { title: 'open' });
    await sharesAll(second, bob);
    const single = { shared_with_user_id: bob.id, scope: 'specific_nodes', node_ids: [open.id] };
    expect((await first.post('/sharing', single)).status).toBe(201);
    const database = world.nest.get(Database);
    await world.nest.get(UnitOfWork).run(async () => {
      await database.write(sql`DELETE FROM node_words WHERE owner_id = ${first.id} AND node_id = ${fake.id}`);
      await database.write(
        sql`UPDATE nodes SET id = ${lone.id} WHERE owner_id = ${first.id} AND id = ${fake.id}`,
      );
      await database.write(
        sql`UPDATE relationships SET id = ${real.id} WHERE owner_id = ${first.id} AND id = ${hidden.id}`,
      );
    });
    expect((await bob.get(`/nodes/${lone.id}`)).body.title).toBe('alone');
    expect((await bob.get(`/nodes/${lone.id}/relationships`)).status).toBe(200);
    expect((await bob.get(`/relationships/${real.id}`)).body.from_node_id).toBe(real.from);
  });

  it.each(['shared', 'all'])(
    'two accounts that hold one id, as earlier releases could import them show only what each of two sharers shares, in lists of access %s',
    async (reach) => {
      const [one, two, bob] = [await world.user(), await world.user(), await world.user()];
      const tagged = async (user: TestUser) => {
        const made = await node(user, { title: 'given by tag', tags: ['open'] });
        const hidden = await node(user, { title: 'secret', tags: ['private'] });
        const [open, own] = [await tagId(user, 'open'), await tagId(user, 'private')];
        const single = await node(user, { title: 'given alone' });
        const share = { shared_with_user_id: bob.id };
        const shares = [
          { ...share, scope: 'specific_tags', tag_ids: [open] },
          { ...share, scope: 'specific_nodes', node_ids: [single.id] },
        ];
        for (const body of shares) expect((await user.post('/sharing', body)).status).toBe(201);
        return { made, hidden, open, own, single };
      };
      const [first, second] = [await tagged(one), await tagged(two)];
      const lone = await node(two, { title: 'secret too' });
      const database = world.nest.get(Database);
      const owner = two.id;
      // In the graph of two, ids of shared things become those of private ones.
      await world.nest.get(UnitOfWork).run(async () => {
        await database.write(
          sql`UPDATE tags SET id = ${first.open} WHERE owner_id = ${owner} AND id = ${second.own}`,
        );
        await database.write(
          sql`UPDATE nodes SET tag_ids = ARRAY[${first.open}]::uuid[] WHERE owner_id = ${owner} AND id = ${second.hidden.id}`,
        );
        await database.write(sql`DELETE FROM node_words WHERE owner_id = ${owner} AND node_id = ${lone.id}`);
        await database.write(
          sql`UPDATE nodes SET id = ${first.single.id} WHERE owner_id = ${owner} AND id = ${lone.id}`,
        );
      });
      for (const path of [`/nodes?limit=100&access=${reach}`, `/nodes?access=${reach}&search=secret`]) {
        const { status, text } = await bob.get(path);
        expect(status).toBe(200);
        expect(text).not.toContain('secret');
      }
      const listed = (await bob.get(`/nodes?access=${reach}`)).body;
      expect([listed.nodes.length, listed.total]).toEqual([4, 4]);
    },
  );
});
