import { type Client } from '../support/client.js';
import { everything } from '../support/defaults.js';
import { type TestUser, World } from '../support/world.js';
import { node, profile } from '../support/worlds/nodes.js';

const HASH = /^[\da-f]{32}$/;
const EVERY_TAG = { discover: 'all', read: 'all', propose: 'all', create: 'all', edit: 'all' } as const;
const PATHS = ['title', 'value', 'metadata'];
const SECRET = 'born in 1970';

/** An app under a mask guesses the hidden values of a node by writing guesses where it may (ADR 50). */
describe('hashing', () => {
  let world: World;
  let owner: TestUser;
  let app: Client;
  let id: string;

  beforeAll(async () => {
    world = await World.start();
    owner = await world.user();
    app = await letsIn({ type: 'field_mask', config: { paths: PATHS, strategy: 'hash' } });
    const metadata = { properties: { pin: SECRET, list: [SECRET] } };
    id = (await node(owner, { title: SECRET, value: SECRET, metadata })).id;
  });
  afterAll(() => world.stop());

  async function letsIn(transformation: object): Promise<Client> {
    const rules = profile(EVERY_TAG, { transformations: [transformation] });
    return owner.lets(await world.app({ requested: everything }), rules);
  }

  const shownTo = async (client: Client, path: string) => (await client.get(path)).body;
  const made = async (client: Client): Promise<string> => {
    const properties = { pin: SECRET, list: [SECRET] };
    const { body } = await client.post('/nodes', {
      title: SECRET,
      value: SECRET,
      node_type: 'NOTE',
      metadata: { properties, 'properties.pin': SECRET, pin: SECRET },
    });
    return body.id as string;
  };
  const hashesIn = (value: unknown): string[] =>
    [...JSON.stringify(value).matchAll(/"([\da-f]{32})"/g)].map(([, hash]) => hash as string);

  it('an app whose profile hashes is shown no equal hashes for equal values of two nodes, or of two places of one', async () => {
    const [hidden, guess] = [
      await shownTo(app, `/nodes/${id}`),
      await shownTo(app, `/nodes/${await made(app)}`),
    ];
    expect(hidden.metadata.properties.pin).toMatch(HASH);
    const all = [...hashesIn(hidden), ...hashesIn(guess)];
    expect(all).toHaveLength(4 + 6);
    expect(new Set(all).size).toBe(all.length);
  });

  it('an app whose profile hashes is shown the same hash of a value in its place, everywhere and at any time', async () => {
    const { metadata } = await shownTo(app, `/nodes/${id}`);
    await owner.put(`/nodes/${id}`, { importance_score: 0.25 });
    const listed = (await shownTo(app, '/nodes?limit=100')).nodes as { id: string; metadata: unknown }[];
    expect(listed.find((one) => one.id === id)?.metadata).toEqual(metadata);
    const { history } = await shownTo(app, `/nodes/${id}/history?include_snapshots=true`);
    expect(history.length).toBeGreaterThan(1);
    for (const { snapshot } of history) expect(snapshot.metadata).toEqual(metadata);
  });

  it('an app whose profile hashes keeps the values of hashes that it writes back, also those of elements that change places', async () => {
    const pins = ['one', 'two', 'three'];
    const other = await node(owner, { title: 'list', metadata: { properties: { pins } } });
    const { metadata } = await shownTo(app, `/nodes/${other.id}`);
    const written = { properties: { pins: (metadata.properties.pins as string[]).toReversed() } };
    expect((await app.put(`/nodes/${other.id}`, { metadata: written })).status).toBe(200);
    const stored = await shownTo(owner, `/nodes/${other.id}`);
    expect(stored.metadata.properties.pins).toEqual(pins.toReversed());
  });

  it('an app whose profile hashes is shown no hash of a hidden value in texts beside a node', async () => {
    const hidden = hashesIn(await shownTo(app, `/nodes/${id}`));
    const own = await made(app);
    await app.put(`/nodes/${id}`, { importance_score: 0.75, change_reason: SECRET });
    const edge = await app.post('/relationships', {
      from_node_id: id,
      to_node_id: own,
      relationship_type: SECRET,
      context: SECRET,
    });
    const tag = await app.post('/tags', { name: 'guesses', description: SECRET, category: SECRET });
    const history = await shownTo(app, `/nodes/${id}/history`);
    const beside = [
      history.history.map(({ change_reason }: { change_reason: unknown }) => change_reason),
      await shownTo(app, `/relationships/${edge.body.id}`),
      await shownTo(app, `/tags/${tag.body.id}`),
    ].map(hashesIn);
    expect(beside.map(({ length }) => length)).toEqual([1, 2, 2]);
    const all = [...hidden, ...beside.flat()];
    expect(new Set(all).size).toBe(all.length);
  });

  it('an app whose profile hashes is shown equal pseudonyms for equal values where a profile pseudonymizes', async () => {
    const other = await letsIn({ type: 'pseudonymize', config: { paths: ['metadata.properties.pin'] } });
    const pinOf = async (one: string) => (await shownTo(other, `/nodes/${one}`)).metadata.properties.pin;
    const pin = await pinOf(id);
    expect(pin).toMatch(/^pseudonym-/);
    expect(await pinOf(await made(app))).toBe(pin);
  });
});
