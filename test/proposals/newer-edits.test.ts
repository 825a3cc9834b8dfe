import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { node } from '../support/worlds/nodes.js';
import { approved, proposed, proposer, ready } from '../support/worlds/proposals.js';

const REDACTED = { transformations: [{ type: 'pii_redaction', config: { replacement: '[EMAIL]' } }] };
const HIDDEN_KEYS = {
  transformations: [{ type: 'field_mask', config: { paths: ['metadata.people.pin', 'metadata.pin'] } }],
};

/** A user's later writes survive a proposal, also where the app names no base_version (rule 8.7c). */
describe('a proposal without base_version', () => {
  let world: World;
  let alice: TestUser;
  let app: Client;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    app = await alice.lets(await world.app());
  });

  const stored = async (id: unknown) => (await alice.get(`/nodes/${id as string}`)).body;
  const update = (node_id: string, changes: object) => ({
    type: 'UPDATE_NODE',
    canonical_data: { node_id, changes },
  });
  const conflict = (...fields: string[]) => ({
    status: 'FAILED',
    errors: [{ code: 'CONFLICT', ...(fields.length > 0 ? { fields } : {}) }],
  });
  const appliers = ['its user', 'its app'] as const;
  const applyBy = (who: (typeof appliers)[number], id: string, by = app) =>
    (who === 'its app' ? by : alice).post(`/proposals/${id}/apply`);

  it.each(appliers)('a proposal that meets a newer value is a conflict when %s applies it', async (who) => {
    const { id } = await node(alice, { value: 'first', metadata: { a: 1, b: 1 } });
    const proposal = await approved(alice, app, update(id, { value: 'proposed', metadata: { a: 2 } }));
    await alice.put(`/nodes/${id}`, { value: 'mine' });
    for (const viewer of [alice, app]) {
      const diff = (await viewer.get(`/proposals/${proposal}/diff`)).body;
      expect(diff.conflicts).toBe(1);
      expect(diff.entries[0].fields).toContainEqual({
        field: 'value',
        before: 'mine',
        after: 'proposed',
        conflict: true,
      });
    }
    expect((await applyBy(who, proposal)).body).toMatchObject(conflict('value'));
    expect(await stored(id)).toMatchObject({ value: 'mine', metadata: { a: 1, b: 1 } });
  });

  it('a proposal that changes other fields than later edits is applied beside them', async () => {
    const { id } = await node(alice, { value: 'first', metadata: { a: 1, b: 1 }, tags: ['one'] });
    const changes = { metadata: { a: 2 }, tags: ['one', 'two'] };
    const proposal = await approved(alice, app, update(id, changes));
    await alice.put(`/nodes/${id}`, { value: 'mine', metadata: { a: 1, b: 9 }, tags: ['one', 'mine'] });
    expect((await applyBy('its app', proposal)).body).toMatchObject({ status: 'APPLIED', errors: [] });
    expect(await stored(id)).toMatchObject({
      value: 'mine',
      metadata: { a: 2, b: 9 },
      tags: ['one', 'mine', 'two'],
    });
  });

  it('keeps tags and edits from the time between its creation and its readiness', async () => {
    const { id } = await node(alice, { title: 'first', value: 'read', tags: ['one'] });
    const words = update(id, { title: 'proposed', value: 'read', tags: ['one', 'two'] });
    const pending = (await proposed(app, words)).id as string;
    await alice.put(`/nodes/${id}`, { value: 'mine', tags: ['one', 'mine'] });
    expect((await ready(app, pending)).status).toBe(200);
    await alice.post(`/proposals/${pending}/approve`, {});
    expect((await applyBy('its user', pending)).body).toMatchObject({ status: 'APPLIED', errors: [] });
    expect(await stored(id)).toMatchObject({
      title: 'proposed',
      value: 'mine',
      tags: ['one', 'mine', 'two'],
    });
  });

  it.each(appliers)('a deletion of a node changed since is a conflict when %s applies it', async (who) => {
    const { id } = await node(alice);
    const proposal = await approved(alice, app, { type: 'DELETE_NODE', canonical_data: { node_id: id } });
    await alice.put(`/nodes/${id}`, { value: 'precious' });
    expect((await applyBy(who, proposal)).body).toMatchObject(conflict('value'));
    expect(await stored(id)).toMatchObject({ value: 'precious' });
  });

  it.each([
    ['UPDATE_RELATIONSHIP', { changes: { context: 'proposed' } }],
    ['DELETE_RELATIONSHIP', {}],
  ])('a proposal of the type %s is a conflict with a newer context', async (type, rest) => {
    const [from, to] = [await node(alice), await node(alice)];
    const ends = { from_node_id: from.id, to_node_id: to.id, relationship_type: 'knows' };
    const path = `/relationships/${(await alice.post('/relationships', { ...ends, context: 'first' })).body.id}`;
    const canonical_data = { relationship_id: path.split('/').at(-1), ...rest };
    const proposal = await approved(alice, app, { type, canonical_data });
    await alice.put(path, { context: 'mine' });
    expect((await alice.get(`/proposals/${proposal}/diff`)).body.conflicts).toBe(1);
    expect((await applyBy('its app', proposal)).body).toMatchObject(conflict('context'));
    expect((await alice.get(path)).body).toMatchObject({ context: 'mine' });
  });

  it('a merge is a conflict if a field that it chooses has changed since', async () => {
    const [target, source] = [await node(alice, { title: 'one' }), await node(alice, { title: 'two' })];
    const canonical_data = {
      target_node_id: target.id,
      source_node_ids: [source.id],
      field_choices: { title: 'source' },
    };
    const proposal = await approved(alice, app, { type: 'MERGE_NODES', canonical_data });
    await alice.put(`/nodes/${target.id}`, { title: 'mine' });
    expect((await applyBy('its user', proposal)).body).toMatchObject(conflict('title'));
    expect(await stored(target.id)).toMatchObject({ title: 'mine' });
    expect((await alice.get(`/nodes/${source.id}`)).status).toBe(200);
  });

  it('a proposal whose actions change one node twice is no conflict with itself', async () => {
    const { id } = await node(alice, { value: 'first', tags: ['one'] });
    const payload = (rest: object) => ({ node_id: id, ...rest });
    const actions = [
      { type: 'UPDATE_NODE', payload: payload({ changes: { value: 'proposed' } }) },
      { type: 'ADD_TAGS', payload: payload({ tags: ['two'] }) },
      { type: 'ADD_TAGS', payload: payload({ tags: ['three'] }) },
      { type: 'UPDATE_NODE', payload: payload({ changes: { value: 'proposed again' } }) },
    ];
    const proposal = await approved(alice, app, { type: 'BATCH', actions });
    expect((await applyBy('its user', proposal)).body).toMatchObject({ status: 'APPLIED', errors: [] });
    expect(await stored(id)).toMatchObject({ value: 'proposed again', tags: ['one', 'two', 'three'] });
  });

  describe('masks', () => {
    it('a proposal of an app that is shown nodes in part is a conflict for its app if a shown part has changed since', async () => {
      const redacted = await proposer(world, alice, 'all', REDACTED);
      const { id } = await node(alice, { value: 'ask ada@example.org' });
      const proposal = await approved(alice, redacted, update(id, { value: 'proposed' }));
      await alice.put(`/nodes/${id}`, { value: 'never ask ada@example.org' });
      expect((await redacted.get(`/proposals/${proposal}/diff`)).body.conflicts).toBe(1);
      expect((await applyBy('its app', proposal, redacted)).body).toMatchObject({ status: 'FAILED' });
      expect(await stored(id)).toMatchObject({ value: 'never ask ada@example.org' });
    });

    it('a proposal of an app that is shown nodes in part is no conflict for its app if only hidden parts have changed', async () => {
      const redacted = await proposer(world, alice, 'all', REDACTED);
      const { id } = await node(alice, { value: 'ask ada@example.org' });
      const proposal = await approved(alice, redacted, update(id, { value: 'proposed' }));
      await alice.put(`/nodes/${id}`, { value: 'ask bob@example.org' });
      expect((await redacted.get(`/proposals/${proposal}/diff`)).body.conflicts).toBe(0);
      expect((await alice.get(`/proposals/${proposal}/diff`)).body.conflicts).toBe(1);
      expect((await applyBy('its app', proposal, redacted)).body).toMatchObject({ status: 'APPLIED' });
    });

    it.each([
      ['no base_version', {}],
      ['a base_version', { base_version: 1 }],
    ])(
      'a proposal of an app that is shown nodes in part keeps the current hidden parts of arrays when it is applied, with %s',
      async (_, base) => {
        const narrow = await proposer(world, alice, 'all', HIDDEN_KEYS);
        const people = ['Ada', 'Bob'].map((name) => ({ name, pin: `${name} 1` }));
        const { id } = await node(alice, { metadata: { people, pin: '1' } });
        const changes = { metadata: { people: [{ name: 'Bob' }, { name: 'Ada' }, { name: 'Cleo' }] } };
        const content = { type: 'UPDATE_NODE', canonical_data: { node_id: id, changes, ...base } };
        const proposal = await approved(alice, narrow, content);
        const newer = people.map(({ name }) => ({ name, pin: `${name} 2` }));
        await alice.put(`/nodes/${id}`, { metadata: { people: newer, pin: '2' } });
        expect((await applyBy('its app', proposal, narrow)).body).toMatchObject({
          status: 'APPLIED',
          errors: [],
        });
        expect((await stored(id)).metadata).toEqual({
          people: [newer[1], newer[0], { name: 'Cleo' }],
          pin: '2',
        });
      },
    );

    it('a proposal of an app that is shown nodes in part is no conflict for its app with newer tags that it is not shown', async () => {
      const minimal = await proposer(world, alice, 'all', { max_detail_level: 'minimal' });
      const { id } = await node(alice, { tags: ['one'] });
      const content = { type: 'ADD_TAGS', canonical_data: { node_id: id, tags: ['two'], base_version: 1 } };
      const proposal = await approved(alice, minimal, content);
      await alice.put(`/nodes/${id}`, { tags: ['one', 'mine'] });
      expect((await applyBy('its app', proposal, minimal)).body).toMatchObject({ status: 'APPLIED' });
    });
  });
});
