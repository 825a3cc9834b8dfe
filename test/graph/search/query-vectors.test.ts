import { EmbeddingWorker } from '../../../src/graph/search/application/embedding-worker.js';
import { QueryVectors } from '../../../src/graph/search/application/query-vectors.service.js';
import { type Client } from '../../support/client.js';
import { EmbeddingsServer, hangs, refuses, says } from '../../support/embeddings-server.js';
import { type TestUser, World } from '../../support/world.js';
import { letsIn, node, profile, titlesOf } from '../../support/worlds/nodes.js';

const SETTINGS = '/graph/embedding-settings';
const ALL = profile({ discover: 'all', read: 'all' });

describe('queries that the service embeds (rule 4.19i)', () => {
  let world: World;
  let server: EmbeddingsServer;
  let alice: TestUser;

  beforeAll(async () => {
    server = await EmbeddingsServer.start();
    world = await World.startHere(server.settings);
  });
  afterAll(async () => {
    await world.stop();
    await server.stop();
  });
  beforeEach(async () => {
    server.clear();
    world.nest.get(QueryVectors).wakeUp();
    alice = await world.user();
    await node(alice, { title: 'My yacht' });
    await node(alice, { title: 'A loaf' });
  });

  const drain = () => world.nest.get(EmbeddingWorker).drain();
  const switchOn = async (body: object = {}) => {
    const made = await alice.post('/exposure-profiles', { name: `p ${world.number()}`, ...ALL, ...body });
    await alice.put(SETTINGS, { profile_id: made.body.id });
    await drain();
    server.clear();
  };
  /** A query of its own for each test: vectors of queries are remembered. */
  const queryOf = (word: string) => `${word} number ${world.number()}`;
  const search = (client: Client, body: object) => client.post('/nodes/search', { min_score: 0.5, ...body });
  const found = async (client: Client, body: object) => {
    const answer = await search(client, body);
    return [answer.body.vectors, titlesOf(answer)];
  };

  it('a search finds a node that has no word of the query', async () => {
    await switchOn();
    const query = queryOf('sailing');
    const answer = await search(alice, { query });
    expect(titlesOf(answer)).toEqual(['My yacht']);
    expect(answer.body).toMatchObject({ vectors: 'computed', total: 1 });
    expect(answer.body.nodes[0].scores).toMatchObject({ text: null, vector: { rank: 1 } });
    expect(server.received).toMatchObject([{ model: 'meanings', input: [query] }]);
  });

  it('the query of a search with a wrong filter is refused, and not sent', async () => {
    await switchOn();
    const refused = await search(alice, { query: queryOf('sailing'), properties: [{ path: 'city' }] });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'properties.0']);
    expect(server.received).toEqual([]);
  });

  it('the pages of one search and the same query again send it once', async () => {
    await switchOn();
    const query = queryOf('sailing');
    for (const offset of [0, 1, 0]) await search(alice, { query, offset });
    expect(server.texts).toEqual([query]);
  });

  it('no query is sent where the owner has not switched it on, or has switched it off', async () => {
    expect(await found(alice, { query: queryOf('sailing') })).toEqual(['off', []]);
    await switchOn();
    await alice.put(SETTINGS, { profile_id: null });
    expect(await found(alice, { query: queryOf('sailing') })).toEqual(['off', []]);
    await switchOn({ is_active: false });
    expect(await found(alice, { query: queryOf('sailing') })).toEqual(['off', []]);
    expect(server.texts).toEqual([]);
  });

  it("an app's query is sent by the setting of the graph's owner, and not for an app that is shown masked texts", async () => {
    await switchOn();
    const whole = await letsIn(world, alice, ALL);
    const masked = await letsIn(world, alice, {
      ...ALL,
      transformations: [{ type: 'pii_redaction', config: { entities: ['email'] } }],
    });
    const summary = await letsIn(world, alice, { ...ALL, max_detail_level: 'summary' });
    expect(await found(whole, { query: queryOf('sailing') })).toEqual(['computed', ['My yacht']]);
    server.clear();
    for (const app of [masked, summary])
      expect(await found(app, { query: queryOf('sailing') })).toEqual(['off', []]);
    expect(server.texts).toEqual([]);
  });

  it('an app does not find by the vector of a query a node that it may not read', async () => {
    await node(alice, { title: 'Secret ship', tags: ['private'] });
    await switchOn();
    const app = await letsIn(world, alice, { ...ALL, tag_filters: { exclude_any: ['private'] } });
    expect(await found(app, { query: queryOf('sailing') })).toEqual(['computed', ['My yacht']]);
    expect((await found(alice, { query: queryOf('sailing') }))[1]).toHaveLength(2);
  });

  it('vectors of another model and of another length are not compared with the query', async () => {
    const { id } = await node(alice, { title: 'Guitar' });
    await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 0, 0, 0.01], model: 'another' });
    await switchOn({ max_detail_level: 'summary' });
    expect(await found(alice, { query: queryOf('sailing') })).toEqual(['computed', []]);
  });

  it('a vector of the request, another model and search as you type leave the query here', async () => {
    await switchOn();
    const embedding = [1, 0, 0, 0];
    expect((await found(alice, { query: queryOf('sailing'), embedding }))[0]).toBe('given');
    expect((await found(alice, { query: queryOf('sailing'), model: 'another' }))[0]).toBe('off');
    expect((await found(alice, { query: queryOf('sailing'), prefix: true }))[0]).toBe('off');
    expect((await found(alice, { query: queryOf('sailing'), model: 'meanings' }))[0]).toBe('computed');
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['fails', refuses(500)],
    ['refuses the query', refuses(400)],
    ['answers with garbage', says('<html>')],
    ['never answers', hangs],
  ])('a search is answered by its words, and says so, where the service %s', async (_, answer) => {
    await switchOn();
    const queries = world.nest.get(QueryVectors);
    queries.timeoutMs = 50;
    server.answers.push(answer);
    const query = queryOf('the yacht');
    expect(await found(alice, { query })).toEqual(['unavailable', ['My yacht']]);
    queries.timeoutMs = 2_000;
    queries.wakeUp();
    expect((await found(alice, { query }))[0]).toBe('computed');
  });

  it('after a failure the service is left alone for a while', async () => {
    await switchOn();
    server.answers.push(refuses(500));
    await search(alice, { query: queryOf('sailing') });
    expect(await found(alice, { query: queryOf('sailing') })).toEqual(['unavailable', []]);
    expect(server.received).toHaveLength(1);
  });

  it('a caller learns nothing of queries that others have asked, nor rests with them', async () => {
    await switchOn();
    const query = queryOf('sailing');
    const app = await letsIn(world, alice, ALL);
    expect((await found(alice, { query }))[0]).toBe('computed');
    server.judge = () => refuses(500);
    expect((await found(app, { query }))[0]).toBe('unavailable');
    expect((await found(alice, { query }))[0]).toBe('computed');
    server.clear();
    expect((await found(app, { query }))[0]).toBe('unavailable');
    expect((await found(alice, { query: queryOf('sailing') }))[0]).toBe('computed');
  });

  it('no more than two of many searches of a caller wait for the service', async () => {
    await switchOn();
    const queries = world.nest.get(QueryVectors);
    queries.timeoutMs = 500;
    server.judge = () => hangs;
    const asked = Array.from({ length: 6 }, () => queryOf('sailing'));
    const answers = await Promise.all(asked.map((query) => search(alice, { query })));
    queries.timeoutMs = 2_000;
    expect(answers.map(({ body }) => body.vectors)).toEqual(asked.map(() => 'unavailable'));
    expect(server.received).toHaveLength(2);
  });

  it('searches of one caller for the same words at once share a request to the service', async () => {
    await switchOn();
    const query = queryOf('sailing');
    const answers = await Promise.all([1, 2, 3, 4].map(() => search(alice, { query })));
    expect(answers.map(({ body }) => body.vectors)).toEqual(answers.map(() => 'computed'));
    expect(server.texts).toEqual([query]);
  });
});
