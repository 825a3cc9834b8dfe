import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { codeOf, node, tagId } from '../support/worlds/nodes.js';
import { applied, approved, proposed, proposer, ready } from '../support/worlds/proposals.js';

/** A node that changed since base_version, in a field that the action changes (rule 8.7). */
describe('base_version', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    client = await alice.lets(await world.app());
  });

  const tagsOf = async (id: string) => (await alice.get(`/nodes/${id}`)).body.tags as string[];
  const conflict = (fields: string[]) => [{ action_id: 'action-1', code: 'CONFLICT', fields }];
  const about = (id: string, type: string, data: object) => ({
    type,
    canonical_data: { node_id: id, base_version: 1, ...data },
  });

  const retagging: [string, (id: string) => Record<string, unknown>][] = [
    ['ADD_TAGS', (id) => about(id, 'ADD_TAGS', { tags: ['new'] })],
    ['REMOVE_TAGS', (id) => about(id, 'REMOVE_TAGS', { tags: ['two'] })],
    ['UPDATE_NODE', (id) => about(id, 'UPDATE_NODE', { changes: { tags: ['one', 'new'] } })],
  ];
  it.each(retagging)('a stale action that retags (%s) conflicts with retags only', async (_, action) => {
    const a = await node(alice, { title: 'a', tags: ['one', 'two'] });
    const id = await approved(alice, client, action(a.id));
    await alice.put(`/nodes/${a.id}`, { title: 'mine', tags: ['one', 'two', 'mine'] });
    const [entry] = (await alice.get(`/proposals/${id}/diff`)).body.entries;
    expect(entry.fields).toMatchObject([{ field: 'tags', conflict: true }]);
    const failed = await client.post(`/proposals/${id}/apply`);
    expect([failed.body.status, failed.body.errors]).toMatchObject(['FAILED', conflict(['tags'])]);
    expect(await tagsOf(a.id)).toEqual(['one', 'two', 'mine']);
    const b = await node(alice, { title: 'b', tags: ['one', 'two'] });
    const other = await approved(alice, client, action(b.id));
    await alice.put(`/nodes/${b.id}`, { title: 'mine' });
    expect((await client.post(`/proposals/${other}/apply`)).body).toMatchObject({
      status: 'APPLIED',
      errors: [],
    });
  });

  it('a stale action that finds its tags already as proposed is no conflict', async () => {
    const a = await node(alice, { title: 'a', tags: ['one'] });
    const id = await approved(alice, client, about(a.id, 'ADD_TAGS', { tags: ['new'] }));
    await alice.put(`/nodes/${a.id}`, { tags: ['one', 'new', 'mine'] });
    expect((await client.post(`/proposals/${id}/apply`)).body.status).toBe('APPLIED');
    expect(await tagsOf(a.id)).toEqual(['one', 'new', 'mine']);
  });

  it('a stale action that changes a field and tags conflicts as a whole: neither is applied', async () => {
    const a = await node(alice, { title: 'a', tags: ['one'] });
    const changes = { title: 'A', tags: ['one', 'new'] };
    const id = await approved(alice, client, about(a.id, 'UPDATE_NODE', { changes }));
    await alice.put(`/nodes/${a.id}`, { tags: ['one', 'mine'] });
    expect((await alice.post(`/proposals/${id}/apply`)).body).toMatchObject({
      status: 'FAILED',
      errors: conflict(['tags']),
    });
    expect((await alice.get(`/nodes/${a.id}`)).body).toMatchObject({ title: 'a', tags: ['one', 'mine'] });
  });

  it('a stale action that deletes the node conflicts with any change', async () => {
    const a = await node(alice, { title: 'a', tags: ['one'] });
    const id = await approved(alice, client, about(a.id, 'DELETE_NODE', {}));
    await alice.put(`/nodes/${a.id}`, { value: 'precious' });
    expect((await client.post(`/proposals/${id}/apply`)).body).toMatchObject({
      status: 'FAILED',
      errors: conflict(['value']),
    });
    expect((await alice.get(`/nodes/${a.id}`)).status).toBe(200);
    await alice.put(`/nodes/${a.id}`, { value: null });
    expect((await alice.post(`/proposals/${id}/approve`, {})).status).toBe(200);
    expect((await client.post(`/proposals/${id}/apply`)).body.status).toBe('APPLIED');
  });

  it('an action with a stale base_version names no tags to an app that does not know them, and no hidden fields', async () => {
    const work = await tagId(alice, 'work');
    const hides = { max_detail_level: 'full', transformations: [mask('value')] };
    const narrow = await proposer(world, alice, [work], hides);
    const [a, b] = [await node(alice, { tags: ['work'] }), await node(alice, { tags: ['work'] })];
    const other = await tagId(alice, 'other');
    const retag = await approved(alice, narrow, about(a.id, 'UPDATE_NODE', { changes: { title: 'A' } }));
    const gone = await approved(alice, narrow, about(b.id, 'DELETE_NODE', {}));
    for (const { id } of [a, b]) {
      await alice.post(`/nodes/${id}/tags`, { tag_id: other });
      await alice.put(`/nodes/${id}`, { value: 'unseen' });
    }
    for (const id of [retag, gone])
      expect((await narrow.post(`/proposals/${id}/apply`)).body).toMatchObject({
        status: 'APPLIED',
        errors: [],
      });
  });

  it('an action with a stale base_version must name a version', async () => {
    const a = await node(alice, { title: 'a' });
    for (const type of ['ADD_TAGS', 'REMOVE_TAGS', 'DELETE_NODE']) {
      const canonical_data = { node_id: a.id, tags: ['x'], base_version: 'one' };
      const answer = await client.post('/proposals', { title: 'x', type, canonical_data });
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    }
    const { id } = await proposed(client, about(a.id, 'ADD_TAGS', { tags: ['x'] }));
    await alice.put(`/nodes/${a.id}`, { tags: ['y'] });
    // A conflict can go away: it is no reason against offering the proposal.
    expect((await ready(client, id)).status).toBe(200);
    const done = await applied(alice, client, about(a.id, 'ADD_TAGS', { tags: ['z'], base_version: 2 }));
    expect(done.body.status).toBe('APPLIED');
  });
});

const mask = (path: string) => ({ type: 'field_mask', config: { paths: [path], strategy: 'remove' } });
