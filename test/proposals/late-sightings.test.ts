import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { node } from '../support/worlds/nodes.js';
import { proposed, proposer, ready } from '../support/worlds/proposals.js';

/** An action about things that were not there for its app when it was written has a base in them, too (rule 8.7c). */
describe('a proposal about nodes that its app could not see when it wrote it', () => {
  let world: World;
  let alice: TestUser;
  let app: Client;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    const { id } = (await alice.post('/tags', { name: 'open' })).body;
    await alice.post('/tags', { name: 'closed' });
    app = await proposer(world, alice, [id as string]);
  });

  const approveAndApply = async (id: string) => {
    const { revision } = (await alice.get(`/proposals/${id}`)).body;
    const approving = await alice.post(`/proposals/${id}/approve`, { expected_revision: revision });
    expect(approving.status).toBe(200);
    return (await app.post(`/proposals/${id}/apply`)).body;
  };
  const readied = async (id: string) => expect((await ready(app, id)).status).toBe(200);

  it('keeps a merged source that was changed after it had come into view', async () => {
    const target = await node(alice, { tags: ['open'] });
    const source = await node(alice, { tags: ['closed'], value: 'first' });
    const canonical_data = { target_node_id: target.id, source_node_ids: [source.id] };
    const { id } = await proposed(app, { type: 'MERGE_NODES', canonical_data });
    await alice.put(`/nodes/${source.id}`, { tags: ['open'] });
    await readied(id);
    await alice.put(`/nodes/${source.id}`, { value: 'new words' });
    expect(await approveAndApply(id)).toMatchObject({
      status: 'FAILED',
      errors: [{ code: 'CONFLICT', fields: ['value'] }],
    });
    expect((await alice.get(`/nodes/${source.id}`)).body).toMatchObject({ value: 'new words' });
  });

  it('keeps changes from the time when the node was out of view and the proposal was revised', async () => {
    const { id: nodeId } = await node(alice, { tags: ['open'], value: 'first' });
    const canonical_data = { node_id: nodeId, changes: { value: 'proposed' } };
    const { id } = await proposed(app, { type: 'UPDATE_NODE', canonical_data });
    await alice.put(`/nodes/${nodeId}`, { tags: ['closed'], value: 'mine' });
    expect((await app.patch(`/proposals/${id}`, { reasoning_metadata: { step: 2 } })).status).toBe(200);
    await alice.put(`/nodes/${nodeId}`, { tags: ['open'] });
    await readied(id);
    expect(await approveAndApply(id)).toMatchObject({ status: 'FAILED', errors: [{ code: 'CONFLICT' }] });
    expect((await alice.get(`/nodes/${nodeId}`)).body).toMatchObject({ value: 'mine' });
  });

  it('removes a tag that was added to the node after it was written', async () => {
    const all = await proposer(world, alice, 'all');
    const { id: nodeId } = await node(alice, { tags: ['open', 'a'] });
    await alice.post('/tags', { name: 'b' });
    const canonical_data = { node_id: nodeId, tags: ['a', 'b'] };
    const { id } = await proposed(all, { type: 'REMOVE_TAGS', canonical_data });
    await alice.put(`/nodes/${nodeId}`, { tags: ['open', 'a', 'b'] });
    const { body: offered } = await ready(all, id);
    expect(offered).toMatchObject({ status: 'READY_FOR_APPROVAL', revision: 2 });
    expect((await alice.post(`/proposals/${id}/approve`, { expected_revision: 2 })).status).toBe(200);
    expect((await all.post(`/proposals/${id}/apply`)).body).toMatchObject({ status: 'APPLIED', errors: [] });
    expect((await alice.get(`/nodes/${nodeId}`)).body.tags).toEqual(['open']);
  });
});
