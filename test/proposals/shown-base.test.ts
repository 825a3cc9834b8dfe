import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { node } from '../support/worlds/nodes.js';
import { applied, approved, proposed, proposer, ready } from '../support/worlds/proposals.js';

/** base_version is a number that the proposing app was shown (rules 3.14e, 8.7c). */
describe('the base_version of an app that is not shown all of a node', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  let id: string;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    client = await proposer(world, alice, 'all', {
      transformations: [{ type: 'field_mask', config: { paths: ['value'] } }],
    });
    id = (await node(alice, { title: 'first', value: 'secret' })).id as string;
    for (const value of ['secret 2', 'secret 3', 'secret 4']) await alice.put(`/nodes/${id}`, { value });
    await alice.put(`/nodes/${id}`, { title: 'second' });
  });

  const retitle = (base_version: number) => ({
    type: 'UPDATE_NODE',
    canonical_data: { node_id: id, changes: { title: 'proposed' }, base_version },
  });

  it('a current base_version is no conflict, for any caller who applies the proposal', async () => {
    expect((await client.get(`/nodes/${id}`)).body.version).toBe(2);
    expect((await applied(alice, client, retitle(2))).body).toMatchObject({ status: 'APPLIED', errors: [] });
    await alice.put(`/nodes/${id}`, { value: 'secret 5' });
    const proposal = await approved(alice, client, retitle(3));
    expect((await client.post(`/proposals/${proposal}/apply`)).body).toMatchObject({
      status: 'APPLIED',
      errors: [],
    });
  });

  it.each(['secret 4', 'another guess'])(
    'a proposal of %s for a hidden value makes a version, so that no answer confirms a guess (rule 3.16)',
    async (value) => {
      const before = (await alice.get(`/nodes/${id}`)).body.version as number;
      const guess = { type: 'UPDATE_NODE', canonical_data: { node_id: id, changes: { value } } };
      expect((await applied(alice, client, guess)).body).toMatchObject({ status: 'APPLIED', errors: [] });
      expect((await alice.get(`/nodes/${id}`)).body).toMatchObject({ value, version: before + 1 });
    },
  );

  describe('a base_version with a hidden change', () => {
    const deletion = () => ({ type: 'DELETE_NODE', canonical_data: { node_id: id, base_version: 2 } });
    const revalue = () => ({
      type: 'UPDATE_NODE',
      canonical_data: { node_id: id, changes: { value: 'proposed' }, base_version: 2 },
    });
    const conflictsFor = async (viewer: Client, proposal: string) =>
      (await viewer.get(`/proposals/${proposal}/diff`)).body.conflicts as number;
    const hiddenChange = () => alice.put(`/nodes/${id}`, { value: 'secret 5' });

    it.each([
      ['an update', revalue],
      ['a deletion', deletion],
    ])('a change hidden before %s was proposed is no conflict', async (_title, content) => {
      await hiddenChange();
      const proposal = await approved(alice, client, content());
      expect(await Promise.all([alice, client].map((viewer) => conflictsFor(viewer, proposal)))).toEqual([
        0, 0,
      ]);
      expect((await alice.post(`/proposals/${proposal}/apply`)).body).toMatchObject({ status: 'APPLIED' });
    });

    it.each([
      ['an update', revalue],
      ['a deletion', deletion],
    ])('a change hidden after %s was proposed is a conflict for the owner alone', async (_title, content) => {
      const proposal = await approved(alice, client, content());
      await hiddenChange();
      expect(await conflictsFor(alice, proposal)).toBe(1);
      expect(await conflictsFor(client, proposal)).toBe(0);
      expect((await alice.post(`/proposals/${proposal}/apply`)).body).toMatchObject({
        status: 'FAILED',
        errors: [{ code: 'CONFLICT', fields: ['value'] }],
      });
      await alice.post(`/proposals/${proposal}/approve`, {});
      expect((await client.post(`/proposals/${proposal}/apply`)).body).toMatchObject({ status: 'APPLIED' });
    });

    it('a change hidden after an action was written is a conflict, also if other actions were added to the proposal later', async () => {
      const other = (await node(alice, { title: 'other' })).id as string;
      const update = (name: string, node_id: string, changes: object) => ({
        id: name,
        type: 'UPDATE_NODE',
        payload: { node_id, changes, base_version: node_id === id ? 2 : 1 },
      });
      const first = update('first', id, { value: 'proposed' });
      const proposal = await proposed(client, { type: 'BATCH', actions: [first] });
      await hiddenChange();
      const actions = [first, update('second', other, { title: 'proposed' })];
      expect((await ready(client, proposal.id, { actions })).status).toBe(200);
      expect(await conflictsFor(alice, proposal.id)).toBe(1);
      const rewritten = update('first', id, { value: 'proposed anew' });
      expect((await ready(client, proposal.id, { actions: [rewritten] })).status).toBe(200);
      expect(await conflictsFor(alice, proposal.id)).toBe(0);
    });

    it('a change hidden after the action was written is a conflict, also if the proposal became ready later', async () => {
      const { id: proposal } = await proposed(client, revalue());
      await hiddenChange();
      await ready(client, proposal as string);
      expect(await conflictsFor(alice, proposal as string)).toBe(1);
      await ready(client, proposal as string, {
        canonical_data: { ...revalue().canonical_data, changes: { value: 'revised' } },
      });
      expect(await conflictsFor(alice, proposal as string)).toBe(0);
    });
  });

  it('a stale base_version is a conflict in the diff and for any caller who applies the proposal', async () => {
    for (const applier of [alice, client]) {
      const proposal = await approved(alice, client, retitle(1));
      for (const viewer of [alice, client]) {
        const [entry] = (await viewer.get(`/proposals/${proposal}/diff`)).body.entries;
        expect(entry.fields).toMatchObject([{ field: 'title', conflict: true }]);
      }
      const failed = await applier.post(`/proposals/${proposal}/apply`);
      expect(failed.body).toMatchObject({ status: 'FAILED', errors: [{ code: 'CONFLICT' }] });
    }
  });
});
