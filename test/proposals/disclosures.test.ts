import { type Client } from '../support/client.js';
import { node, profile, tagId } from '../support/worlds/nodes.js';
import { everything } from '../support/defaults.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { approved, EVERY_VERB, proposed } from '../support/worlds/proposals.js';

type Body = Record<string, unknown>;

describe('reviewed diffs', () => {
  let world: World;
  let alice: TestUser;
  let diary: TestApp;
  let other: TestApp;
  let app: Client;
  let id: string;

  const MASK = {
    type: 'field_mask',
    config: { paths: ['value', 'metadata.properties.ssn'], strategy: 'remove' },
  };
  const called = async (name: string): Promise<TestApp> => {
    const made = await (await world.user()).post('/apps', { name, requested_permissions: everything });
    const headers = { 'X-API-Key': made.body.api_key as string };
    return {
      id: made.body.id,
      apiKey: made.body.api_key,
      as: (user) => world.api.with({ ...headers, 'X-User-ID': user.id }),
      alone: world.api.with(headers),
    };
  };
  const masking = (apply_to: Body) => profile(EVERY_VERB, { transformations: [{ ...MASK, apply_to }] });

  beforeAll(async () => {
    world = await World.start();
  });
  beforeEach(async () => {
    alice = await world.user();
    [diary, other] = [await called('Training diary'), await called('Clock')];
    app = await alice.lets(diary, masking({ node_types: ['MEASUREMENT'] }));
    id = (
      await node(alice, {
        title: 'blood',
        node_type: 'MEASUREMENT',
        value: 'HIV positive',
        metadata: { properties: { ssn: '078', colour: 'red' } },
        tags: ['private', 'x'],
      })
    ).id;
  });
  afterAll(() => world.stop());

  const diffOf = async (body: Body, viewer: Client = alice) => {
    const proposal = await proposed(app, body);
    return (await viewer.get(`/proposals/${proposal.id}/diff`)).body;
  };
  const update = (changes: Body) => ({ type: 'UPDATE_NODE', canonical_data: { node_id: id, changes } });

  it('the diff names a value that another type unmasks', async () => {
    const { disclosures } = await diffOf(update({ node_type: 'NOTE' }));
    expect(disclosures).toEqual([
      {
        app: { id: diary.id, name: 'Training diary' },
        is_proposing: true,
        nodes: [
          {
            id,
            title: 'blood',
            newly_readable: false,
            fields: ['value', 'metadata.properties.ssn'],
            earlier_versions: false,
          },
        ],
        relationships: 0,
        relationship_texts: 0,
        summary:
          'After this, Training diary is shown `value`, `metadata.properties.ssn` of 1 node that it reads.',
      },
    ]);
  });

  it('the value in a disclosure is the one that the app sees once the proposal is applied', async () => {
    const proposal = await approved(alice, app, update({ node_type: 'NOTE' }));
    expect((await app.get(`/nodes/${id}`)).body.value).toBeUndefined();
    await alice.post(`/proposals/${proposal}/apply`);
    expect((await app.get(`/nodes/${id}`)).body.value).toBe('HIV positive');
    expect((await alice.get(`/proposals/${proposal}/diff`)).body.disclosures).toEqual([]);
  });

  it('disclosures are never shown to the proposing app', async () => {
    const diff = await diffOf(update({ node_type: 'NOTE' }), app);
    expect(Object.keys(diff)).not.toContain('disclosures');
    expect(JSON.stringify(diff)).not.toContain('Clock');
  });

  it('removing a tag discloses the unmasked value, also for other apps, after the proposing one', async () => {
    await alice.lets(other, masking({ tag_ids: [await tagId(alice, 'private')] }));
    const body = { type: 'BATCH', actions: [] as Body[] };
    body.actions.push({ id: 'a', type: 'ADD_TAGS', payload: { node_id: id, tags: ['y'] } });
    body.actions.push({ id: 'b', type: 'REMOVE_TAGS', payload: { node_id: id, tags: ['private'] } });
    const { disclosures } = await diffOf(body);
    expect(disclosures).toMatchObject([
      { app: { name: 'Training diary' }, is_proposing: true, nodes: [] },
      { app: { name: 'Clock' }, is_proposing: false, nodes: [{ id, newly_readable: false }] },
    ]);
    expect(disclosures[0].summary).toBe('After this, Training diary is shown no more than now.');
    expect(disclosures[1].nodes[0].fields).toEqual(['value', 'metadata.properties.ssn']);
  });

  it('a node that becomes readable is named in the diff', async () => {
    await node(alice, { title: 'n', tags: ['work'] });
    const work = { tag_filters: { include_all: [], include_any: ['work'], exclude_any: [] } };
    const narrow = profile(EVERY_VERB, work);
    await alice.lets(other, narrow);
    const body = { type: 'ADD_TAGS', canonical_data: { node_id: id, tags: ['work'] } };
    const { disclosures } = await diffOf(body);
    expect(disclosures[1]).toMatchObject({
      app: { id: other.id },
      nodes: [{ id, newly_readable: true }],
      summary: 'After this, Clock can read 1 more node.',
    });
    expect(disclosures[1].nodes[0].fields).toEqual(expect.arrayContaining(['title', 'value', 'tags']));
  });

  it('a masked value that a merge copies to an unmasked node is disclosed', async () => {
    const target = (await node(alice, { title: 'a note', node_type: 'NOTE', tags: ['x'] })).id;
    const data = { target_node_id: target, source_node_ids: [id], field_choices: { value: 'source' } };
    const diff = await diffOf({ type: 'MERGE_NODES', canonical_data: data });
    expect(diff.disclosures).toMatchObject([
      { is_proposing: true, nodes: [{ id: target, newly_readable: false, fields: ['value'] }] },
    ]);
    expect(diff.entries[0]).toMatchObject({ title: 'a note', sources: [{ id, title: 'blood' }] });
  });

  it('new nodes and relationships are named in the diff', async () => {
    const nodes = [
      { ref: 'one', title: 'one', node_type: 'NOTE' },
      { ref: 'two', title: 'two', node_type: 'NOTE', value: 'v' },
    ];
    const relationships = [{ from_ref: 'one', to_ref: 'two', relationship_type: 'about' }];
    await alice.lets(other);
    const { disclosures } = await diffOf({ canonical_data: { nodes, relationships }, tags: ['y'] });
    for (const disclosure of disclosures)
      expect(disclosure).toMatchObject({
        nodes: [
          { id: null, title: 'one', newly_readable: true },
          { id: null, title: 'two', newly_readable: true },
        ],
        relationships: 1,
      });
    expect(disclosures).toHaveLength(2);
  });

  it('apps whose authorization has ended are left out of disclosures', async () => {
    const { body } = await alice.get('/authorizations');
    await alice.delete(`/authorizations/${body.authorizations[0].id}`);
    const again = await alice.lets(other);
    const proposal = await proposed(again, update({ title: 'x' }));
    const diff = (await alice.get(`/proposals/${proposal.id}/diff`)).body;
    expect(diff.disclosures.map((one: Body) => (one['app'] as Body)['name'])).toEqual(['Clock']);
  });

  it('tags, ends of relationships and schemas are named instead of their ids', async () => {
    const { body: tag } = await alice.post('/tags', { name: 'shared with my employer' });
    const beside = (await node(alice, { title: 'beside', tags: ['x'] })).id;
    const actions = [
      { id: 'a', type: 'UPDATE_NODE', payload: { node_id: id, changes: { tags: ['private', tag.id] } } },
      {
        id: 'b',
        type: 'CREATE_RELATIONSHIP',
        payload: { from_node_id: id, to_node_id: beside, relationship_type: 'r' },
      },
      {
        id: 'c',
        type: 'CREATE_NODE',
        payload: { ref: 'n', title: 'new', node_type: 'NOTE', tags: [tag.id] },
      },
      {
        id: 'd',
        type: 'CREATE_RELATIONSHIP',
        payload: { from_ref: 'n', to_node_id: beside, relationship_type: 'r' },
      },
    ];
    const { entries } = await diffOf({ type: 'BATCH', actions });
    const fields = entries.map((entry: Body) =>
      Object.fromEntries((entry['fields'] as Body[]).map(({ field, after }) => [field, after])),
    );
    expect(fields[0].tags).toEqual(['shared with my employer']);
    expect(fields[1].tags).toEqual(['private', 'shared with my employer']);
    expect(fields[2]).toMatchObject({
      from_node_id: { id, title: 'blood' },
      to_node_id: { id: beside, title: 'beside' },
    });
    expect(fields[3]).toMatchObject({ from_ref: { ref: 'n', title: 'new' } });
  });

  it('new tags that look like others are named in the diff', async () => {
    const { confusable_tags } = await diffOf(update({ tags: ['priv\u0430te', 'private', 'sport'] }));
    expect(confusable_tags).toEqual([{ name: 'priv\u0430te', confusable_with: 'private' }]);
  });

  it('invisible characters are named in the diff', async () => {
    const { warnings } = await diffOf(update({ title: 'safe\u202Eelif', value: 'two\nlines' }));
    expect(warnings).toEqual([
      { path: 'entries.0.fields.0.after', characters: ['U+202E RIGHT-TO-LEFT OVERRIDE'] },
    ]);
  });
});

describe('unmasking', () => {
  let world: World;
  let alice: TestUser;
  let app: Client;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    app = await alice.lets(await world.app());
  });
  afterAll(() => world.stop());

  it('metadata in a proposal is a merge patch: missing keys stay, and null removes', async () => {
    const made = await node(alice, {
      title: 'n',
      metadata: { properties: { learned: 1, old: 2, deep: { a: 1 } } },
    });
    const metadata = { properties: { until: 3, old: null, deep: { b: 2 } } };
    const body = { type: 'UPDATE_NODE', canonical_data: { node_id: made.id, changes: { metadata } } };
    const id = await approved(alice, app, body);
    for (const viewer of [alice, app])
      expect((await viewer.get(`/proposals/${id}/diff`)).body.entries[0].fields).toEqual(
        expect.arrayContaining([
          { field: 'metadata.properties.until', before: null, after: 3, conflict: false },
          { field: 'metadata.properties.old', before: 2, after: null, conflict: false },
          { field: 'metadata.properties.deep.b', before: null, after: 2, conflict: false },
        ]),
      );
    await alice.post(`/proposals/${id}/apply`);
    expect((await alice.get(`/nodes/${made.id}`)).body.metadata).toEqual({
      properties: { learned: 1, until: 3, deep: { a: 1, b: 2 } },
    });
  });

  it('metadata in a proposal is cleared by null as a whole', async () => {
    const made = await node(alice, { title: 'n', metadata: { a: 1 } });
    const body = { type: 'UPDATE_NODE', canonical_data: { node_id: made.id, changes: { metadata: null } } };
    const id = await approved(alice, app, body);
    await alice.post(`/proposals/${id}/apply`);
    expect((await alice.get(`/nodes/${made.id}`)).body.metadata).toBeNull();
  });
});
