import { applied, proposer } from '../../support/worlds/proposals.js';
import { type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

const rights = { read: 'all', edit: 'all', propose: 'all', discover: 'all', create: 'all' } as const;
const removing = (...paths: string[]) => ({
  transformations: [{ type: 'field_mask', config: { paths, strategy: 'remove' } }],
});
const PIN = removing('value', 'metadata.properties.card.pin', 'metadata.people.phone.home');
const CARD = { bank: 'A', pin: '1234' };
const agent_metadata = { agent_name: 'scribe' };

/**
 * Clients write null and empty values for fields that they are not shown: those clear only the shown part
 * (rule 3.17f).
 */
describe('a write that clears', () => {
  let world: World;
  let alice: TestUser;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );

  const stored = async (id: unknown) => (await alice.get(`/nodes/${id as string}`)).body;
  const masked = (rest: object) => letsIn(world, alice, profile(rights, { ...rest }));

  it.each([
    ['PUT', 'summary'],
    ['PATCH', 'summary'],
    ['PUT', 'minimal'],
    ['PATCH', 'minimal'],
  ])(
    'null for fields in a %s keeps those that its writer is not shown at detail %s',
    async (method, level) => {
      const app = await masked({ max_detail_level: level });
      const { id } = await node(alice, {
        value: 'secret',
        importance_score: 0.5,
        metadata: { properties: CARD },
        agent_metadata,
        tags: ['kept'],
      });
      const before = await stored(id);
      const nothing = { value: null, metadata: null, agent_metadata: null };
      const body = level === 'summary' ? nothing : { ...nothing, importance_score: null, tags: null };
      expect((await app.send(method, `/nodes/${id}`, body)).status).toBe(200);
      expect(await stored(id)).toEqual(before);
    },
  );

  it('null for fields clears those that its writer is shown', async () => {
    const app = await masked(removing('metadata.properties.card.pin'));
    const { id } = await node(alice, { value: 'open', metadata: { a: 1 } });
    expect((await app.put(`/nodes/${id}`, { value: null })).status).toBe(200);
    expect((await app.patch(`/nodes/${id}`, { metadata: { a: null } })).status).toBe(200);
    expect(await stored(id)).toMatchObject({ value: null, metadata: {} });
  });

  const clearings: [string, string, object, object][] = [
    [
      'the hidden key by null',
      'PUT',
      { properties: { card: { bank: 'A', pin: null } } },
      { bank: 'A', pin: '1234' },
    ],
    ['the object around it by null', 'PUT', { properties: { card: null } }, { pin: '1234' }],
    ['the object around it by leaving it out', 'PUT', { properties: {} }, { pin: '1234' }],
    ['that object in a merge patch', 'PATCH', { properties: { card: null } }, { pin: '1234' }],
    ['everything above it in a merge patch', 'PATCH', { properties: null }, { pin: '1234' }],
  ];
  it.each(clearings)('%s (%s) keeps a hidden part', async (_title, method, metadata, card) => {
    const app = await masked(PIN);
    const { id } = await node(alice, { metadata: { properties: { card: CARD } } });
    expect((await app.send(method, `/nodes/${id}`, { metadata })).status).toBe(200);
    expect((await stored(id)).metadata).toEqual({ properties: { card } });
  });

  it.each(['PUT', 'PATCH'])('null for the whole metadata in a %s keeps its hidden parts', async (method) => {
    const app = await masked(PIN);
    const { id } = await node(alice, { metadata: { a: 1, properties: { card: CARD, other: {} } } });
    expect((await app.send(method, `/nodes/${id}`, { metadata: null })).status).toBe(200);
    expect((await stored(id)).metadata).toEqual({ properties: { card: { pin: '1234' } } });
  });

  it('clearing parts of elements keeps the hidden parts of the elements that stay', async () => {
    const app = await masked(PIN);
    const people = ['Ada', 'Bob'].map((name) => ({ name, phone: { home: name.length, work: 1 } }));
    const { id } = await node(alice, { metadata: { people } });
    const written = [{ name: 'Ada', phone: null }, { name: 'Bobby' }];
    expect((await app.put(`/nodes/${id}`, { metadata: { people: written } })).status).toBe(200);
    expect((await stored(id)).metadata.people).toEqual([
      { name: 'Ada', phone: { home: 3 } },
      { name: 'Bobby', phone: { home: 3 } },
    ]);
  });

  it.each([
    { metadata: null },
    { metadata: {} },
    { metadata: { properties: null } },
    { metadata: { properties: {} } },
    { metadata: { properties: { card: null } } },
    { metadata: { properties: { card: {} } } },
    { metadata: { people: [{ name: 'Ada', phone: null }] } },
    { metadata: { people: [{ name: 'Ada' }] } },
    { value: null },
  ])('a node cleared by %j reads alike with and without a hidden part', async (body) => {
    const app = await masked(PIN);
    const nodes = [
      { value: 'secret', card: CARD, phone: { home: 1, work: 2 } },
      { value: null, card: { bank: 'A' }, phone: { work: 2 } },
    ].map(({ value, card, phone }) =>
      node(alice, { value, metadata: { properties: { card }, people: [{ name: 'Ada', phone }] } }),
    );
    const ids = (await Promise.all(nodes)).map(({ id }) => id as string);
    for (const method of ['PATCH', 'PUT']) {
      const answers = await Promise.all(ids.map((id) => app.send(method, `/nodes/${id}`, body)));
      const [one, other] = answers.map(({ status, body: { version, metadata, value } }) => ({
        status,
        version,
        metadata,
        value,
      }));
      expect(one).toEqual(other);
    }
  });

  const cut = (field: string) => ({ type: 'truncate', config: { field, max: 3 } });
  const rounded = (...fields: string[]) => ({ type: 'round_date', apply_to: { fields } });
  const byMonth = { type: 'round_date', config: { granularity: 'month' } };
  const leavingOut: [string, object, object, object][] = [
    ['a number that is too long', cut('metadata.card.pin'), { pin: 123456 }, {}],
    ['a number below what is truncated', cut('metadata.card'), { pin: { new: 123456 } }, { pin: {} }],
    ['a value at a path that is rounded', rounded('metadata.card.born'), { born: 'spring' }, {}],
    ['a date that cannot be rounded', byMonth, { born: '3 May 2020' }, {}],
  ];
  it.each(leavingOut)(
    'an object below which a mask leaves out %s reads alike with and without a hidden part (rule 3.17f)',
    async (_title, transformation, hidden, shown) => {
      const app = await masked({ transformations: [transformation] });
      const ids = await Promise.all(
        [hidden, shown].map(async (card) => (await node(alice, { metadata: { card } })).id as string),
      );
      const read = () =>
        Promise.all(ids.map(async (id) => (await app.get(`/nodes/${id}`)).body.metadata as unknown));
      expect(await read()).toEqual([{ card: shown }, { card: shown }]);
      for (const [method, metadata] of [
        ['PATCH', { card: null }],
        ['PUT', {}],
      ] as const) {
        for (const id of ids) expect((await app.send(method, `/nodes/${id}`, { metadata })).status).toBe(200);
        expect((await stored(ids[0])).metadata).toEqual({ card: hidden });
        const [one, other] = await read();
        expect(one).toEqual(other);
      }
    },
  );

  it('clearing fields in a batch that overwrites keeps those that its writer is not shown', async () => {
    const app = await masked({ max_detail_level: 'summary' });
    const { id } = await node(alice, { title: 'alike', value: 'secret', metadata: { properties: CARD } });
    const before = await stored(id);
    const item = { title: 'alike', node_type: 'note', value: null, metadata: null };
    const answer = await app.post('/nodes/batch', { nodes: [item], on_duplicate: 'overwrite' });
    expect(answer.body.errors).toEqual([]);
    expect(await stored(id)).toEqual(before);
  });

  it('clearing fields in a proposal keeps those that its app is not shown', async () => {
    const app = await proposer(world, alice, 'all', PIN);
    const { id } = await node(alice, { value: 'secret', metadata: { a: 1, properties: { card: CARD } } });
    const changes = { title: 'proposed', value: null, metadata: null };
    const content = { type: 'UPDATE_NODE', canonical_data: { node_id: id, changes } };
    expect((await applied(alice, app, content)).body).toMatchObject({ status: 'APPLIED', errors: [] });
    expect(await stored(id)).toMatchObject({
      title: 'proposed',
      value: 'secret',
      metadata: { properties: { card: { pin: '1234' } } },
    });
  });

  it.each([
    ['summary', ['context']],
    ['minimal', ['context', 'strength', 'confidence', 'emotion_type', 'sentiment_score']],
  ] as const)(
    'clearing a relationship keeps fields not shown at detail %s',
    async (max_detail_level, fields) => {
      const app = await masked({ max_detail_level });
      const [from, to] = [await node(alice), await node(alice)];
      const said = {
        context: 'met',
        strength: 0.5,
        confidence: 0.5,
        emotion_type: 'joy',
        sentiment_score: 0.5,
      };
      const edge = { from_node_id: from.id, to_node_id: to.id, relationship_type: 'knows', ...said };
      const path = `/relationships/${(await alice.post('/relationships', edge)).body.id}`;
      const before = (await alice.get(path)).body;
      const body = Object.fromEntries(fields.map((field) => [field, null]));
      expect((await app.put(path, body)).status).toBe(200);
      expect((await alice.get(path)).body).toEqual(before);
    },
  );

  it.each([
    ['summary', ['description']],
    ['minimal', ['description', 'category', 'color', 'parent_tag_id']],
  ] as const)('clearing a tag keeps fields not shown at detail %s', async (max_detail_level, fields) => {
    const app: Client = await masked({ max_detail_level });
    const parent_tag_id = await tagId(alice, 'parent');
    const id = await tagId(alice, 'child');
    const said = { description: 'text', category: 'kind', color: '#00ff00', parent_tag_id };
    await alice.put(`/tags/${id}`, said);
    const before = (await alice.get(`/tags/${id}`)).body;
    const body = Object.fromEntries(fields.map((field) => [field, null]));
    expect((await app.put(`/tags/${id}`, body)).status).toBe(200);
    expect((await alice.get(`/tags/${id}`)).body).toEqual(before);
  });
});
