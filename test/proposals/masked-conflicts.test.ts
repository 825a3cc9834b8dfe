import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { node } from '../support/worlds/nodes.js';
import { approved, proposer } from '../support/worlds/proposals.js';

const masks = (...transformations: object[]) => ({ transformations });
const REDACTED = masks({ type: 'pii_redaction', config: { replacement: '[EMAIL]' } });
const CUT = masks({ type: 'truncate', config: { field: 'value', max: 8 } });
const NO_PINS = masks({ type: 'field_mask', config: { paths: ['metadata.people.pin'] } });

/** Conflicts depend on the app's own words and the values it is shown, never on hidden ones (rules 3.16d, 8.7g). */
describe('masks', () => {
  let world: World;
  let alice: TestUser;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );

  const outcome = async (app: Client, proposal: string) => {
    const { conflicts } = (await app.get(`/proposals/${proposal}/diff`)).body;
    const { status } = (await app.post(`/proposals/${proposal}/apply`)).body;
    return { conflicts, status };
  };
  const failure = { conflicts: 1, status: 'FAILED' };
  const success = { conflicts: 0, status: 'APPLIED' };

  it.each([
    ['redacted', REDACTED],
    ['cut', CUT],
  ])(
    'conflicts of an app to which a node is shown in part are the same for a right and for a wrong guess at a value that is %s',
    async (_, rules) => {
      const app = await proposer(world, alice, 'all', rules);
      for (const guess of ['write to ann@firm.example', 'write to bob@firm.example']) {
        const { id } = await node(alice, { value: 'write to bob@firm.example' });
        const canonical_data = { node_id: id, changes: { value: guess } };
        const proposal = await approved(alice, app, { type: 'UPDATE_NODE', canonical_data });
        await alice.put(`/nodes/${id}`, { value: 'call instead' });
        expect(await outcome(app, proposal)).toEqual(failure);
        expect((await alice.get(`/nodes/${id}`)).body.value).toBe('call instead');
      }
    },
  );

  it('conflicts of an app to which a node is shown in part are the same whether or not an array holds hidden parts', async () => {
    const app = await proposer(world, alice, 'all', NO_PINS);
    for (const hidden of [{}, { pin: '1234' }]) {
      const { id } = await node(alice, { metadata: { people: [{ name: 'A', ...hidden }] } });
      const canonical_data = { node_id: id, changes: { metadata: { people: [{ name: 'B' }] } } };
      const proposal = await approved(alice, app, { type: 'UPDATE_NODE', canonical_data });
      const people = [{ name: 'B', ...hidden }];
      await alice.put(`/nodes/${id}`, { metadata: { people } });
      expect(await outcome(app, proposal)).toEqual(failure);
      expect((await alice.get(`/nodes/${id}`)).body.metadata).toEqual({ people });
    }
  });

  it('conflicts of an app to which a node is shown in part do not occur in an unmasked field that already has the proposed value', async () => {
    const app = await proposer(world, alice, 'all', CUT);
    const { id } = await node(alice, { title: 'first' });
    const canonical_data = { node_id: id, changes: { title: 'same' } };
    const proposal = await approved(alice, app, { type: 'UPDATE_NODE', canonical_data });
    await alice.put(`/nodes/${id}`, { title: 'same' });
    expect(await outcome(app, proposal)).toEqual(success);
  });

  it('conflicts of an app to which a node is shown in part do not reveal a relationship text that a mask hid when the action was written', async () => {
    const made = (await alice.post('/tags', { name: 'private' })).body;
    const config = { paths: ['value'], strategy: 'remove' };
    const app = await proposer(
      world,
      alice,
      'all',
      masks({ type: 'field_mask', config, apply_to: { tag_ids: [made.id] } }),
    );
    for (const before of ['secret', 'public']) {
      const [from, to] = [await node(alice, { tags: ['private'] }), await node(alice)];
      const ends = { from_node_id: from.id, to_node_id: to.id, relationship_type: 'knows' };
      const { id } = (await alice.post('/relationships', { ...ends, context: before })).body;
      const canonical_data = { relationship_id: id, changes: { context: 'proposed' } };
      const proposal = await approved(alice, app, { type: 'UPDATE_RELATIONSHIP', canonical_data });
      await alice.put(`/relationships/${id}`, { context: 'public' });
      await alice.put(`/nodes/${from.id}`, { tags: ['plain'] });
      expect(await outcome(app, proposal)).toEqual(success);
    }
  });
});
