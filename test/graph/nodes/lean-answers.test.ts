import fc from 'fast-check';
import { type Answer, type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { fileNode } from '../../support/worlds/files.js';
import { letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { versionTag } from '../../support/version-tag.js';

type Item = Record<string, unknown>;

const LONG = `${'🧭'.repeat(10)}${'a'.repeat(90)}`;
const METADATA = { properties: { city: 'Lisbon', notes: 'private', stops: [{ name: 'Faro', day: 1 }] } };

describe('lean answers', () => {
  let world: World;
  let alice: TestUser;
  let id: string;
  let other: string;
  let edge: string;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    const body = { title: 'Sail to Faro', value: LONG, tags: ['sea'], metadata: METADATA };
    ({ id } = await node(alice, body));
    ({ id: other } = await node(alice, { title: 'Harbour', value: 'short', tags: ['sea'] }));
    const made = await alice.post('/relationships', {
      from_node_id: id,
      to_node_id: other,
      relationship_type: 'references',
      context: 'first page',
    });
    edge = made.body.id;
  });

  const first = ({ body }: Answer, key = 'nodes'): Item =>
    body[key].find((item: Item) => item['id'] === id || item['id'] === edge);
  const details = ({ status, body }: Answer) => [status, body.error?.code, body.error?.details];

  it('a read of one node has the selected fields and its id (rule 11.12)', async () => {
    const lean = await alice.get(`/nodes/${id}?fields=title,metadata.properties.city`);
    expect([lean.status, lean.body]).toEqual([
      200,
      { id, title: 'Sail to Faro', metadata: { properties: { city: 'Lisbon' } } },
    ]);
    expect(versionTag(lean)).toBe(versionTag(await alice.get(`/nodes/${id}`)));
    const without = (await alice.get(`/nodes/${id}?fields=-value,-metadata.properties.notes`)).body;
    const { value, ...whole } = (await alice.get(`/nodes/${id}`)).body;
    expect(value).toBe(LONG);
    const { city, stops } = METADATA.properties;
    expect(without).toEqual({ ...whole, metadata: { properties: { city, stops } } });
  });

  it('values are cut behind whole characters, and say that they are (rule 11.12)', async () => {
    const cut = async (limit: number) => (await alice.get(`/nodes/${id}?value_limit=${limit}`)).body;
    expect(await cut(3)).toMatchObject({ value: '🧭🧭🧭…', value_truncated: true });
    expect(await cut(11)).toMatchObject({ value: `${'🧭'.repeat(10)}a…`, value_truncated: true });
    expect(await cut(99)).toMatchObject({ value_truncated: true });
    for (const limit of [100, 101, 1_000_000]) {
      const whole = await cut(limit);
      expect([whole.value, 'value_truncated' in whole]).toEqual([LONG, false]);
    }
    const lean = (await alice.get(`/nodes/${id}?value_limit=1&fields=title`)).body;
    expect(lean).toEqual({ id, title: 'Sail to Faro' });
  });

  it('every read of nodes takes the same selection', async () => {
    const query = 'fields=title,value&value_limit=1';
    const lean = { id, title: 'Sail to Faro', value: '🧭…', value_truncated: true };
    const [tag] = (await alice.get('/tags')).body.tags as { id: string }[];
    expect(first(await alice.get(`/nodes?${query}`))).toEqual(lean);
    expect(first(await alice.get(`/tags/${tag?.id}/nodes?${query}`))).toEqual(lean);
    const selection = { fields: ['title', 'value'], value_limit: 1 };
    expect(first(await alice.post('/nodes/lookup', { ids: [id], ...selection }))).toEqual(lean);
    const hit = first(await alice.post('/nodes/search', { query: 'sail', ...selection }));
    expect(hit).toEqual({ ...lean, score: expect.any(Number), scores: expect.any(Object) });
    const near = first(await alice.get(`/nodes/${id}/neighborhood?${query}`));
    expect(near).toEqual({ ...lean, distance: 0 });
    const history = (await alice.get(`/nodes/${id}/history?include_snapshots=true&${query}`)).body.history;
    expect(history[0].snapshot).toEqual(lean);
    expect(history[0].version).toBe(1);
    expect((await alice.get(`/nodes/${id}/history/1?${query}`)).body.snapshot).toEqual(lean);
    const then = new Date(Date.now() + 60_000).toISOString();
    const past = await alice.get(`/nodes/${id}/history/at-time?timestamp=${then}&${query}`);
    expect(past.body.snapshot).toEqual(lean);
  });

  it('relationships keep their ends, and select within the nodes they are listed with', async () => {
    const ends = { id: edge, from_node_id: id, to_node_id: other };
    const typed = { ...ends, relationship_type: 'references' };
    expect((await alice.get(`/relationships/${edge}?fields=relationship_type`)).body).toEqual(typed);
    const listed = await alice.get('/relationships?include_nodes=true&fields=from_node.value&value_limit=2');
    const from_node = { id, value: '🧭🧭…', value_truncated: true };
    expect(first(listed, 'relationships')).toEqual({ ...ends, from_node });
    const around = await alice.get(`/nodes/${id}/relationships?fields=relationship_type`);
    expect(first(around, 'outgoing')).toEqual(typed);
    const near = await alice.get(`/nodes/${id}/neighborhood?relationship_fields=relationship_type`);
    expect(first(near, 'relationships')).toEqual(typed);
    expect(first(near)['value']).toBe(LONG);
  });

  it('nodes of a group are selected from like own ones, in lists and alone', async () => {
    const { body: group } = await alice.post('/groups', { name: 'Crew' });
    const { body: made } = await alice.post(`/groups/${group.id}/nodes`, {
      title: 'Rota',
      node_type: 'NOTE',
      value: 'Monday: Alice',
    });
    const lean = { id: made.id, title: 'Rota', value: 'Mon…', value_truncated: true };
    const query = 'fields=title,value&value_limit=3';
    expect((await alice.get(`/groups/${group.id}/nodes?${query}`)).body.nodes).toEqual([lean]);
    expect((await alice.get(`/groups/${group.id}/nodes/${made.id}?${query}`)).body).toEqual(lean);
  });

  it('a preview cuts values at 200 characters unless another limit is sent', async () => {
    const long = await node(alice, { title: 'Log', value: 'b'.repeat(300), tags: ['sea'] });
    const made = await alice.post('/exposure-profiles/from-template', {
      template: 'transparent',
      name: 'all',
    });
    const preview = async (body: object) =>
      (await alice.post(`/exposure-profiles/${made.body.id}/preview`, body)).body.sample.nodes.find(
        (item: Item) => item['id'] === long.id,
      );
    expect(await preview({})).toMatchObject({ value: `${'b'.repeat(200)}…`, value_truncated: true });
    expect((await preview({ value_limit: 300 })).value).toBe('b'.repeat(300));
    expect(await preview({ fields: ['title'] })).toEqual({ id: long.id, title: 'Log' });
  });

  it.each([
    ['fields=', 'fields', 'must name at least one field'],
    ['fields=titel', 'fields', '`titel` is not a known field; the nearest one is `title`'],
    ['fields=title,,value', 'fields', 'must name at least one field'],
    ['fields=-id', 'fields', '`id` is always present'],
    ['fields=graph_view', 'fields', '`graph_view` is not a known field'],
    ['fields=title.length', 'fields', '`title` has no fields of its own'],
    ['fields=__proto__', 'fields', '`__proto__` is not a known field'],
    ['fields=constructor.name', 'fields', '`constructor.name` is not a known field'],
    ['fields=metadata..city', 'fields', '`metadata..city` has an empty part'],
    [`fields=${'title,'.repeat(60)}title`, 'fields', 'must have at most 50 names'],
    [`fields=metadata.${'x'.repeat(600)}`, 'fields', 'has a name of more than 500 characters'],
    ['fields=title&fields=value', 'fields', 'must be sent only once'],
    ['field=title', 'field', 'is not a known parameter; the nearest one is `fields`'],
    ['value_limit=0', 'value_limit', 'must be at least 1'],
    ['value_limit=-1', 'value_limit', 'must be at least 1'],
    ['value_limit=1000000000', 'value_limit', 'must be at most 1000000'],
    ['value_limit=2.5', 'value_limit', 'must be a whole number'],
    ['value_limit=few', 'value_limit', 'must be a whole number'],
  ])('the query "%.40s" is refused, and %s is named', async (query, field, message) => {
    for (const path of [`/nodes/${id}`, '/nodes', `/nodes/${id}/history/1`]) {
      const [status, code, wrong] = details(await alice.get(`${path}?${query}`));
      expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(wrong[0].field).toBe(field);
      expect(wrong[0].message).toContain(message);
    }
  });

  it.each([[[]], ['title'], [[1]], [[null]], [{ title: true }], [Array.from({ length: 51 }, () => 'title')]])(
    'the selection %j in a body is refused',
    async (fields) => {
      const refused = await alice.post('/nodes/lookup', { ids: [id], fields });
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'fields']);
    },
  );

  it('records of files have the selected fields, alone, in the list and below a tag', async () => {
    const { id: fileId } = await fileNode(alice, ['letters']);
    const lean = { id: fileId, filename: 'letter.txt', data_type: 'text', structure_type: 'unstructured' };
    const tag = await tagId(alice, 'letters');
    const times = { created_at: expect.any(String), updated_at: expect.any(String) };
    const single = await alice.get(`/raw-files/${fileId}?fields=filename`);
    expect(single.body).toEqual({ ...lean, ...times });
    for (const path of ['/raw-files', `/tags/${tag}/files`]) {
      const whole = (await alice.get(path)).body;
      expect((await alice.get(`${path}?fields=filename`)).body).toEqual({
        ...whole,
        files: [{ ...lean, ...times }],
      });
      const wrong = await alice.get(`${path}?fields=filname`);
      expect(details(wrong)[2][0].message).toContain('the nearest one is `filename`');
    }
  });

  it('random selections are a projection of the full answer, at each detail level', async () => {
    const names = ['title', 'value', 'node_type', 'tags', 'version', 'metadata', 'created_at', 'schema_id'];
    const inner = ['metadata.properties', 'metadata.properties.city', 'metadata.properties.stops.name'];
    const name = fc
      .tuple(fc.constantFrom('', '-'), fc.constantFrom(...names, ...inner))
      .map((parts) => parts.join(''));
    const selections = fc.sample(fc.array(name, { minLength: 1, maxLength: 5 }), { numRuns: 40, seed: 7 });
    const callers: Client[] = [alice];
    for (const max_detail_level of ['full', 'summary', 'minimal'])
      callers.push(
        await letsIn(world, alice, { ...profile({ read: 'all', discover: 'all' }), max_detail_level }),
      );
    for (const caller of callers) {
      const whole = (await caller.get('/nodes?include_tags=true')).body;
      for (const fields of selections) {
        const lean = (await caller.get(`/nodes?include_tags=true&fields=${fields.join(',')}`)).body;
        const expected = whole.nodes.map((item: Item) => ({ id: item['id'], ...projected(item, fields) }));
        expect({ fields, ...lean }).toEqual({ fields, ...whole, nodes: expected });
      }
    }
  });
});

/** A naive projection: the scalars whose path a name covers, and those that none leaves out. */
function projected(item: Item, names: readonly string[]): Item {
  const only = names.filter((name) => !name.startsWith('-')).map((name) => name.split('.'));
  const without = names.filter((name) => name.startsWith('-')).map((name) => name.slice(1).split('.'));
  const isBelow = (path: string[], name: string[]) => name.every((step, index) => path[index] === step);
  const isAbove = (path: string[], name: string[]) => path.every((step, index) => name[index] === step);
  const copy = (value: unknown, path: string[]): unknown => {
    if (without.some((name) => isBelow(path, name))) return undefined;
    const isIn = only.length === 0 || only.some((name) => isBelow(path, name));
    if (!isIn && !(path.length === 0 || only.some((name) => isAbove(path, name)))) return undefined;
    if (value === null || (typeof value !== 'object' && isIn)) return value;
    if (Array.isArray(value))
      return value.map((entry) => copy(entry, path)).filter((entry) => entry !== undefined);
    if (typeof value !== 'object') return undefined;
    const members = Object.entries(value).map(([key, inner]) => [key, copy(inner, [...path, key])] as const);
    return Object.fromEntries(members.filter(([, inner]) => inner !== undefined));
  };
  return copy(item, []) as Item;
}
