import { Database } from '../../../src/kernel/database/database.js';
import { TagsService } from '../../../src/graph/index.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { Accesses } from '../../../src/privacy/index.js';
import { type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { codeOf, node, profile, tagId } from '../../support/worlds/nodes.js';
import { narrowed } from '../../support/worlds/tags.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const makesTags = {
  discover: { tag_ids: [], allow_all: true },
  create: { tag_ids: [], allow_all: false, allow_new: true },
};

interface ChangeRow {
  entity: string;
  entity_id: string;
  action: string;
  version: number;
  changed_fields: unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  snapshot: any;
  changed_by_type: string;
  sequence: number;
}

describe('assignment', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user('alice');
  });
  afterAll(() => world.stop());

  const named = async (owner: Client, name: string) =>
    (await owner.get(`/tags?search=${encodeURIComponent(name)}`)).body.tags as { id: string; name: string }[];
  const changes = (id: string) =>
    world.nest
      .get(Database)
      .read<ChangeRow>(sql`SELECT * FROM changes WHERE entity_id = ${id} ORDER BY sequence`);

  it('tags assigned by writes are one tag for all concurrent creates', async () => {
    const bodies = Array.from({ length: 16 }, (_, i) => ({
      title: `t${i}`,
      node_type: 'note',
      tags: i % 2 ? ['Rush', 'b'] : ['b', 'rush'],
    }));
    const answers = await Promise.all(bodies.map((body) => alice.post('/nodes', body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201));
    const tags = await named(alice, 'rush');
    expect(tags).toHaveLength(1);
    expect((await alice.get(`/tags/${tags[0]?.id}/nodes`)).body.total).toBe(16);
  });

  it("tags assigned by writes are one tag for all concurrent creates, although no creator may use the others' tags", async () => {
    const body = { ...profile({}), tag_permissions: makesTags };
    const client = (await narrowed(world, alice, { profile: body })).client;
    const make = () => client.post('/nodes', { title: 'x', node_type: 'note', tags: ['contended'] });
    const statuses = (await Promise.all(Array.from({ length: 8 }, make))).map(({ status }) => status);
    expect(statuses).toContain(201);
    expect(await named(alice, 'contended')).toHaveLength(1);
    // The later caller finds a tag that exists and is not granted (rule 3.7).
    expect(codeOf(await make())).toEqual([403, 'PERMISSION_DENIED']);
  });

  it("tags assigned by writes are found in the database if they are newer than the guard's vocabulary", async () => {
    const [tags, units] = [world.nest.get(TagsService), world.nest.get(UnitOfWork)];
    const owner = await world.nest.get(Accesses).ofOwner(alice.id);
    const create = { allowAll: false, tagIds: new Set<string>(), allowNew: true };
    const access = { ...owner, isOwner: false, tags: { ...owner.tags, create } };
    const resolve = (given: string[]) => units.run(() => tags.assignment(access).resolve('create', given));
    const first = await resolve(['younger', 'twin', 'YOUNGER']);
    expect(first).toHaveLength(2);
    expect(await resolve(['Twin', 'younger', first[0] as string])).toEqual([first[1], first[0]]);
    await alice.delete(`/tags/${first[0]}`);
    const [again] = await resolve(['younger']);
    expect(again).not.toBe(first[0]);
  });

  it('tags assigned by writes are not created by a write that fails', async () => {
    const body = { title: 'x', node_type: 'goal', meaning_level: 'IDENTITY', tags: ['left behind'] };
    expect(codeOf(await alice.post('/nodes', body))).toEqual([400, 'INVALID_NODE_TYPE']);
    expect(await named(alice, 'left behind')).toEqual([]);
  });

  it('tags assigned by writes are shared by the items of the batch that created them', async () => {
    const client = (await narrowed(world, alice, { profile: { ...profile({}), tag_permissions: makesTags } }))
      .client;
    const nodes = [0, 1, 2].map((i) => ({
      title: `item ${i}`,
      node_type: 'note',
      tags: ['of the batch', `own ${i}`],
    }));
    const answer = await client.post('/nodes/batch', { nodes });
    expect(answer.body.summary).toMatchObject({ total: 3, created: 3, errors: 0 });
    expect(await named(alice, 'of the batch')).toHaveLength(1);
  });

  it('tags assigned by writes need grants for all of them', async () => {
    const [work, home] = [await tagId(alice, 'Work'), await tagId(alice, 'Home')];
    const client = (
      await narrowed(world, alice, { profile: profile({ read: 'all', create: [work], edit: [home, work] }) })
    ).client;
    const create = (tags: string[]) => client.post('/nodes', { title: 'x', node_type: 'note', tags });
    for (const tags of [['Work', 'Home'], ['Work', 'unheard of'], [home], [ABSENT], []]) {
      expect(codeOf(await create(tags))).toEqual([403, 'PERMISSION_DENIED']);
    }
    expect(await named(alice, 'unheard of')).toEqual([]);
    const made = await create(['work', work.toUpperCase()]);
    expect(made.body.tags).toEqual(['Work']);
    expect((await client.put(`/nodes/${made.body.id}`, { tags: ['Work', 'Home'] })).body.tags).toEqual([
      'Work',
      'Home',
    ]);
    expect(codeOf(await client.put(`/nodes/${made.body.id}`, { tags: ['Home', 'brand new'] }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ]);
  });

  it('tags assigned by writes never revive a deleted tag', async () => {
    const old = await tagId(alice, 'phoenix');
    const carrier = await node(alice, { tags: ['phoenix'] });
    await alice.delete(`/tags/${old}`);
    const made = await node(alice, { tags: ['Phoenix'] });
    expect(made.tags).toEqual(['Phoenix']);
    expect((await named(alice, 'phoenix'))[0]?.id).not.toBe(old);
    expect((await alice.get(`/nodes/${carrier.id}`)).body.tags).toEqual([]);
  });

  describe('the change log of assigned tags', () => {
    it('records every step of a tag', async () => {
      const bob = await world.user();
      const { body: top } = await bob.post('/tags', { name: 'top' });
      const { body: low } = await bob.post('/tags', { name: 'low', parent_tag_id: top.id });
      await bob.put(`/tags/${top.id}`, { name: 'Top', color: '#000000' });
      await bob.put(`/tags/${top.id}`, { name: 'Top' });
      await bob.delete(`/tags/${top.id}`);
      const [created, updated, deleted, ...more] = await changes(top.id);
      expect(more).toEqual([]);
      expect(created).toMatchObject({
        entity: 'tag',
        action: 'created',
        version: 1,
        changed_by_type: 'user',
      });
      expect(created?.snapshot).toMatchObject({
        id: top.id,
        name: 'top',
        color: null,
        owner_id: bob.id,
        version: 1,
      });
      expect(updated).toMatchObject({
        action: 'updated',
        version: 2,
        changed_fields: { name: { old: 'top', new: 'Top' }, color: { old: null, new: '#000000' } },
      });
      expect(deleted).toMatchObject({ action: 'deleted', version: 3, snapshot: { name: 'Top' } });
      expect((await changes(low.id)).slice(1)).toMatchObject([
        { action: 'updated', version: 2, changed_fields: { parent_tag_id: { old: top.id, new: null } } },
      ]);
    });

    it('numbers a tag before the node for which it was created, and changes no node', async () => {
      const bob = await world.user();
      const made = await node(bob, { tags: ['made along'] });
      const [tag] = await named(bob, 'made along');
      const [[ofTag], [ofNode]] = [await changes(tag?.id as string), await changes(made.id)];
      expect([ofTag?.sequence, ofNode?.sequence]).toEqual([1, 2]);
      await bob.delete(`/tags/${tag?.id}`);
      expect(await changes(made.id)).toHaveLength(1);
    });
  });

  it('tags assigned by writes follow renames, deletions and new tags from the next request on', async () => {
    const bob = await world.user();
    const { body: tag } = await bob.post('/tags', { name: 'one' });
    await node(bob, { title: 'n', tags: ['one'] });
    const { client } = await narrowed(world, bob, { profile: profile({ read: [tag.id] }) });
    expect((await client.get('/nodes?include_tags=true')).body.nodes[0].tags).toEqual(['one']);
    await bob.put(`/tags/${tag.id}`, { name: 'two' });
    expect((await client.get('/nodes?include_tags=true')).body.nodes[0].tags).toEqual(['two']);
    await bob.delete(`/tags/${tag.id}`);
    expect((await client.get('/nodes')).body).toMatchObject({ nodes: [], total: 0 });
    expect((await client.get('/tags')).body).toMatchObject({ tags: [], total: 0 });
  });
});
