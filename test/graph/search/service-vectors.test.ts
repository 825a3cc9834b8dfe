import { inspect } from 'node:util';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { EmbeddingConsent } from '../../../src/graph/search/application/embedding-consent.service.js';
import { EmbeddingRequests } from '../../../src/graph/search/application/embedding-requests.service.js';
import { EmbeddingTurns } from '../../../src/graph/search/application/embedding-turns.service.js';
import { EmbeddingWorker } from '../../../src/graph/search/application/embedding-worker.js';
import { breaksOff, EmbeddingsServer, hangs, refuses, says } from '../../support/embeddings-server.js';
import { holdClock } from '../../support/moved-clock.js';
import { type TestUser, World } from '../../support/world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

const SETTINGS = '/graph/embedding-settings';
const ALL = profile({ discover: 'all', read: 'all' }, {});

describe('vectors of the service (rule 4.19)', () => {
  let world: World;
  let server: EmbeddingsServer;
  let alice: TestUser;
  let clock: ReturnType<typeof holdClock>;

  beforeAll(async () => {
    server = await EmbeddingsServer.start();
    world = await World.startHere(server.settings);
    clock = holdClock(world);
  });
  afterAll(async () => {
    await world.stop();
    await server.stop();
  });
  beforeEach(async () => {
    // Work that earlier tests left behind is due now.
    server.clear();
    clock.advance(4_000);
    await drain();
    server.clear();
    alice = await world.user();
  });

  const drain = () => world.nest.get(EmbeddingWorker).drain();
  const profileId = async (body: object = {}) => {
    const made = await alice.post('/exposure-profiles', { name: `p ${world.number()}`, ...ALL, ...body });
    if (made.status !== 201) throw new Error(made.text);
    return made.body.id as string;
  };
  const switchOn = async (body: object = {}) => {
    const id = await profileId(body);
    const set = await alice.put(SETTINGS, { profile_id: id });
    expect([set.status, set.body.profile_id]).toEqual([200, id]);
    return id;
  };
  const state = async () => (await alice.get(SETTINGS)).body;
  /** Nodes with a vector of the service, by title. */
  const embedded = async () => {
    const rows = await world.nest.get(Database).read<{ title: string }>(
      sql`SELECT n.title FROM embeddings e JOIN nodes n ON n.owner_id = e.owner_id AND n.id = e.node_id
        WHERE e.owner_id = ${alice.id} AND e.made_of IS NOT NULL ORDER BY n.title`,
    );
    return rows.map(({ title }) => title);
  };
  const bytes = async () => {
    const [row] = await world.nest.get(Database).read<{ counted: number; real: number }>(
      sql`SELECT s.graph_bytes AS counted, (SELECT a.graph_bytes FROM amounts_of(s.id) a) AS real
        FROM sequences s WHERE s.id = ${alice.id}`,
    );
    return row;
  };

  describe('the setting of the owner', () => {
    it('nothing is sent for an owner who has not switched it on', async () => {
      await node(alice, { title: 'A boat' });
      await drain();
      expect(server.texts).toEqual([]);
      expect(await state()).toEqual({
        profile_id: null,
        state: 'off',
        vectors: 0,
        service: { host: new URL(server.url).host, model: 'meanings' },
      });
    });

    it('a profile that is unknown, malformed or of another person is absent, and an empty one refused', async () => {
      const other = await world.user();
      const foreign = (await other.post('/exposure-profiles', { name: 'theirs' })).body.id;
      for (const profile_id of [foreign, 'no id', '6f1c1c1e-5d0a-4c62-9d52-0c4f6a3b9a11'])
        expect(codeOf(await alice.put(SETTINGS, { profile_id }))).toEqual([404, 'NOT_FOUND']);
      for (const profile_id of ['', 7, {}, undefined])
        expect(codeOf(await alice.put(SETTINGS, { profile_id }))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('apps can neither read nor change the setting of their user', async () => {
      const app = await alice.lets(await world.app());
      expect((await app.get(SETTINGS)).status).toBe(403);
      expect((await app.put(SETTINGS, { profile_id: null })).status).toBe(403);
    });

    it('switching on needs a fresh log-in, and switching off none', async () => {
      const id = await profileId();
      clock.advance(600);
      alice.takeProofs();
      await alice.put(SETTINGS, { profile_id: id });
      expect(alice.takeProofs()).toEqual([`PUT ${SETTINGS}`]);
      clock.advance(600);
      await alice.put(SETTINGS, { profile_id: null });
      expect(alice.takeProofs()).toEqual([]);
    });

    it('switching off removes every vector that the service has made, and none of a client', async () => {
      const { id } = await node(alice, { title: 'A boat' });
      await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 2], model: 'mine' });
      await switchOn();
      await drain();
      expect(await embedded()).toEqual(['A boat']);
      expect(await state()).toMatchObject({ state: 'up_to_date', vectors: 1 });
      expect((await alice.put(SETTINGS, { profile_id: null })).body.state).toBe('removing');
      await node(alice, { title: 'A ship' });
      await drain();
      expect(server.texts).toEqual(['A boat']);
      expect(await state()).toMatchObject({ profile_id: null, state: 'off', vectors: 0 });
      const found = await alice.post('/nodes/search/vector', { embedding: [1, 2] });
      expect(found.body.total).toBe(1);
      const { counted, real } = (await bytes()) ?? {};
      expect(counted).toBe(real);
    });
  });

  describe('texts that are sent', () => {
    it('new and changed nodes are sent behind the write, with the key, in one request', async () => {
      await switchOn();
      const { id } = await node(alice, { title: 'A boat', value: 'It sails.' });
      await node(alice, { title: 'A loaf' });
      await drain();
      expect(server.received).toHaveLength(1);
      expect(server.received[0]).toMatchObject({
        path: '/v1/embeddings',
        model: 'meanings',
        headers: { authorization: 'Bearer a-secret-key-of-the-operator', 'content-type': 'application/json' },
      });
      expect(server.texts.sort()).toEqual(['A boat\n\nIt sails.', 'A loaf']);
      server.clear();
      await alice.patch(`/nodes/${id}`, { value: 'It is a yacht.' });
      await drain();
      expect(server.texts).toEqual(['A boat\n\nIt is a yacht.']);
      expect(await embedded()).toEqual(['A boat', 'A loaf']);
      const { counted, real } = (await bytes()) ?? {};
      expect(counted).toBe(real);
    });

    it('nodes that exist when it is switched on are sent in batches of 32, and once', async () => {
      const nodes = Array.from({ length: 70 }, (_, index) => ({ title: `boat ${index}`, node_type: 'note' }));
      await alice.post('/nodes/batch', { nodes });
      await switchOn();
      await drain();
      expect(server.received.map(({ input }) => input.length)).toEqual([32, 32, 6]);
      expect(new Set(server.texts).size).toBe(70);
      server.clear();
      await switchOn();
      await drain();
      expect(server.texts).toEqual([]);
      expect(await state()).toMatchObject({ state: 'up_to_date', vectors: 70 });
    });

    it('nodes behind several changes of one node are sent, too', async () => {
      await switchOn();
      await drain();
      const { id } = await node(alice, { title: 'Note 00' });
      await alice.patch(`/nodes/${id}`, { value: 'again' });
      const nodes = Array.from({ length: 60 }, (_, n) => ({ title: `Note ${n + 1}`, node_type: 'note' }));
      await alice.post('/nodes/batch', { nodes });
      await drain();
      expect(await embedded()).toHaveLength(61);
    });

    it('a profile that is chosen while a worker ends the deleted one stays', async () => {
      const first = await switchOn();
      await drain();
      const second = await profileId();
      const consent = world.nest.get(EmbeddingConsent);
      const { accessOf } = consent;
      consent.accessOf = async (...asked) => {
        consent.accessOf = accessOf;
        const access = await accessOf.apply(consent, asked);
        await alice.put(SETTINGS, { profile_id: second });
        return access;
      };
      await alice.delete(`/exposure-profiles/${first}`);
      await drain();
      expect((await state()).profile_id).toBe(second);
    });

    it('a change of other fields sends nothing, and the vector stays one of the present text', async () => {
      await switchOn();
      const { id } = await node(alice, { title: 'A boat', tags: ['blue'] });
      await drain();
      server.clear();
      await alice.patch(`/nodes/${id}`, { metadata: { properties: { a: 1 } } });
      expect((await alice.post(`/nodes/${id}/tags`, { tag_id: await tagId(alice, 'red') })).status).toBe(201);
      await drain();
      expect(server.texts).toEqual([]);
      const past = await world.nest
        .get(Database)
        .read(sql`SELECT FROM embeddings WHERE owner_id = ${alice.id} AND past_node_type IS NOT NULL`);
      expect(past).toEqual([]);
    });

    it('a long text is cut to 8,000 characters', async () => {
      await switchOn();
      await node(alice, { title: 'long', value: '🐚'.repeat(9_000) });
      await drain();
      expect([...(server.texts[0] as string)]).toHaveLength(8_000);
    });

    it('a vector of a client for the same model is never replaced, and its node not sent', async () => {
      const { id } = await node(alice, { title: 'A boat' });
      await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 2, 3, 4], model: 'meanings' });
      await switchOn();
      await alice.patch(`/nodes/${id}`, { title: 'A ship' });
      await drain();
      expect(server.texts).toEqual([]);
      expect(await embedded()).toEqual([]);
    });
  });

  describe('texts that may not be sent', () => {
    it('the text of nodes that the profile hides, or shows in part, is never sent', async () => {
      await node(alice, { title: 'hidden boat', tags: ['private'] });
      await node(alice, { title: 'open boat' });
      await switchOn({ tag_filters: { exclude_any: ['private'] } });
      await node(alice, { title: 'later hidden boat', tags: ['private', 'other'] });
      await drain();
      expect(server.texts).toEqual(['open boat']);
    });

    it.each([
      ['below full detail', { max_detail_level: 'summary' }],
      [
        'with transformed texts',
        { transformations: [{ type: 'pii_redaction', config: { entities: ['email'] } }] },
      ],
      ['while it is inactive', { is_active: false }],
    ])('a profile %s sends nothing', async (_, body) => {
      await node(alice, { title: 'A boat' });
      await switchOn(body);
      await drain();
      expect(server.texts).toEqual([]);
    });

    it('a node that is tagged as excluded loses its vector, also while the service is away', async () => {
      await switchOn({ tag_filters: { exclude_any: ['private'] } });
      const { id } = await node(alice, { title: 'A boat' });
      await drain();
      expect(await embedded()).toEqual(['A boat']);
      server.judge = () => refuses(500);
      await node(alice, { title: 'A ship' });
      await drain();
      expect((await alice.post(`/nodes/${id}/tags`, { tag_id: await tagId(alice, 'private') })).status).toBe(
        201,
      );
      await drain();
      expect(await embedded()).toEqual([]);
    });

    it('narrowing the profile removes vectors of what it excludes now, and widening sends what was excluded', async () => {
      await node(alice, { title: 'A boat', tags: ['private'] });
      await node(alice, { title: 'A loaf' });
      const id = await switchOn();
      await drain();
      expect(await embedded()).toEqual(['A boat', 'A loaf']);
      await alice.put(`/exposure-profiles/${id}`, { tag_filters: { exclude_any: ['private'] } });
      await drain();
      expect(await embedded()).toEqual(['A loaf']);
      server.clear();
      await alice.put(`/exposure-profiles/${id}`, { tag_filters: { exclude_any: [] } });
      await drain();
      expect(server.texts).toEqual(['A boat']);
      const { counted, real } = (await bytes()) ?? {};
      expect(counted).toBe(real);
    });

    it('deleting the profile switches it off and removes what was made', async () => {
      await node(alice, { title: 'A boat' });
      const id = await switchOn();
      await drain();
      expect((await alice.delete(`/exposure-profiles/${id}`)).status).toBe(200);
      await node(alice, { title: 'A ship' });
      await drain();
      expect(server.texts).toEqual(['A boat']);
      expect(await embedded()).toEqual([]);
      expect(await state()).toMatchObject({ profile_id: null, state: 'off' });
    });

    it('the text of a node that is changed or deleted while its vector is computed gets none', async () => {
      await switchOn();
      const changed = await node(alice, { title: 'A boat' });
      const deleted = await node(alice, { title: 'A loaf' });
      let meanwhile: Promise<unknown> = Promise.resolve();
      server.judge =
        ({ input }) =>
        (response, request) => {
          server.judge = () => null;
          meanwhile = Promise.all([
            alice.patch(`/nodes/${changed.id}`, { title: 'A guitar' }),
            alice.delete(`/nodes/${deleted.id}`),
          ]).then(() => says({ data: input.map(() => ({ embedding: [1, 0, 0, 0] })) })(response, request));
        };
      await drain();
      await meanwhile;
      expect(server.texts.sort()).toEqual(['A boat', 'A guitar', 'A loaf']);
      expect(await embedded()).toEqual(['A guitar']);
      const found = await alice.post('/nodes/search/vector', { embedding: [1, 0, 0, 0], min_score: 0.9 });
      expect(found.body.total).toBe(0);
    });

    it('a vector whose owner switches off while it is computed is not saved', async () => {
      await switchOn();
      await node(alice, { title: 'A boat' });
      server.judge =
        ({ input }) =>
        (response, request) =>
          void alice
            .put(SETTINGS, { profile_id: null })
            .then(() => says({ data: input.map(() => ({ embedding: [1, 0] })) })(response, request));
      await drain();
      await drain();
      expect(await embedded()).toEqual([]);
      expect(await state()).toMatchObject({ state: 'off', vectors: 0 });
    });
  });

  describe('a service that fails', () => {
    const tryAgain = async (seconds: number) => {
      clock.advance(seconds);
      await drain();
    };

    it.each([
      ['answers 500', refuses(500)],
      ['breaks off', breaksOff],
      ['answers no JSON', says('<html>busy</html>')],
      ['answers with too few vectors', says({ data: [] })],
      [
        'answers with vectors of different lengths',
        says({ data: [{ embedding: [1] }, { embedding: [1, 2] }] }),
      ],
      [
        'answers with vectors of too many numbers',
        says({ data: [0, 1].map(() => ({ embedding: Array(4097).fill(1) })) }),
      ],
      ['redirects', refuses(307, { Location: 'http://127.0.0.1:1/' })],
    ])('texts for a service that %s are sent again after five seconds', async (_, answer) => {
      await switchOn();
      await node(alice, { title: 'A boat' });
      await node(alice, { title: 'A loaf' });
      server.answers.push(answer);
      await drain();
      expect(server.received).toHaveLength(1);
      await tryAgain(4);
      expect(server.received).toHaveLength(1);
      await tryAgain(2);
      expect(server.received).toHaveLength(2);
      expect(await embedded()).toEqual(['A boat', 'A loaf']);
    });

    it.each([
      ['Retry-After of 429', refuses(429, { 'Retry-After': '40' }), 40],
      ['Retry-After of 503', refuses(503, { 'Retry-After': '40' }), 40],
      ['usual wait after 429', refuses(429), 10],
      ['wait after a refused key', refuses(401), 60],
    ])('the %s holds for every owner', async (_, answer, seconds) => {
      await switchOn();
      await node(alice, { title: 'A boat' });
      server.answers.push(answer);
      await drain();
      alice = await world.user();
      await switchOn();
      await node(alice, { title: 'A loaf' });
      await tryAgain(seconds - 1);
      expect(server.texts).toEqual(['A boat']);
      await tryAgain(2);
      expect(server.texts.sort()).toEqual(['A boat', 'A boat', 'A loaf']);
    });

    it('a text that the service refuses costs no other text its vector', async () => {
      await switchOn();
      for (const title of ['A boat', 'A bomb', 'A loaf', 'A song', 'A ship']) await node(alice, { title });
      server.judge = ({ input }) => (input.some((text) => text.includes('bomb')) ? refuses(400) : null);
      await drain();
      expect(await embedded()).toEqual(['A boat', 'A loaf', 'A ship', 'A song']);
      expect(await state()).toMatchObject({ state: 'up_to_date' });
    });

    it('a text that is too long for the service is sent shorter', async () => {
      await switchOn();
      await node(alice, { title: 'A boat', value: 'x'.repeat(5_000) });
      server.judge = ({ input }) => (input.some((text) => text.length > 2_000) ? refuses(413) : null);
      await drain();
      expect(server.texts.map(({ length }) => length)).toEqual([5_008, 1_500]);
      expect(await embedded()).toEqual(['A boat']);
    });

    it('a text on which the service fails each time is passed over once the service answers for another', async () => {
      await switchOn();
      await node(alice, { title: 'A bomb' });
      await node(alice, { title: 'A boat' });
      server.judge = ({ input }) => (input.some((text) => text.includes('bomb')) ? refuses(500) : null);
      for (let round = 0; round < 14; round++) await tryAgain(601);
      await alice.logsIn();
      expect(await embedded()).toEqual(['A boat']);
      expect(await state()).toMatchObject({ state: 'up_to_date' });
    });

    it('a service that is too slow for many texts at once computes them some at a time', async () => {
      await switchOn();
      const nodes = Array.from({ length: 20 }, (_, at) => ({ title: `Note ${at}`, node_type: 'note' }));
      await alice.post('/nodes/batch', { nodes });
      server.judge = ({ input }) => (input.length > 8 ? refuses(500) : null);
      for (let round = 0; round < 4; round++) await tryAgain(601);
      expect(await embedded()).toHaveLength(20);
      expect(server.received.length).toBeLessThan(8);
    });

    it('no text is passed over while the service fails for all', async () => {
      await switchOn();
      await node(alice, { title: 'A boat' });
      server.judge = () => refuses(500);
      for (let round = 0; round < 8; round++) await tryAgain(601);
      server.judge = () => null;
      await tryAgain(601);
      expect(await embedded()).toEqual(['A boat']);
    });

    it('an owner whose texts fail does not hold up another', async () => {
      await switchOn();
      await node(alice, { title: 'A bomb' });
      server.judge = ({ input }) => (input.some((text) => text.includes('bomb')) ? refuses(500) : null);
      await drain();
      alice = await world.user();
      await switchOn();
      await node(alice, { title: 'A boat' });
      await drain();
      expect(await embedded()).toEqual(['A boat']);
    });

    it('a service that never answers is left after its time, and its texts are sent again', async () => {
      const requests = world.nest.get(EmbeddingRequests);
      const usual = requests.timeoutMs;
      requests.timeoutMs = 50;
      await switchOn();
      await node(alice, { title: 'A boat' });
      server.answers.push(hangs);
      await drain();
      requests.timeoutMs = usual;
      expect(await embedded()).toEqual([]);
      await tryAgain(6);
      expect(await embedded()).toEqual(['A boat']);
    });

    it('the log has neither the key nor a text when requests fail', async () => {
      const logged: unknown[][] = [];
      const log = (...entry: unknown[]): void => void logged.push(entry);
      const logger = { log, warn: log, error: log, debug: log };
      const logging = [EmbeddingRequests, EmbeddingTurns, EmbeddingWorker].map((type) =>
        world.nest.get<object>(type),
      );
      const usual = logging.map((service) => Reflect.get(service, 'logger') as unknown);
      for (const service of logging) Object.assign(service, { logger });
      await switchOn();
      await node(alice, { title: 'A boat' });
      server.answers.push(refuses(400), refuses(500), breaksOff, refuses(401));
      for (let round = 0; round < 5; round++) await tryAgain(61);
      logging.forEach((service, index) => Object.assign(service, { logger: usual[index] }));
      const text = inspect(logged, { depth: 9 });
      expect(text).toContain('status 401');
      expect(text).not.toMatch(/secret-key|boat/);
    });

    it('an owner whose quota is used up gets no vectors, and their texts are not sent in vain again and again', async () => {
      await switchOn();
      await node(alice, { title: 'A boat' });
      await world.nest
        .get(Database)
        .dataSource.query('UPDATE sequences SET graph_bytes = 1e15 WHERE id = $1', [alice.id]);
      await drain();
      for (let tries = 0; tries < 5; tries++) await tryAgain(11 * 60);
      expect(server.received).toHaveLength(1);
      await tryAgain(11 * 60);
      expect(server.received).toHaveLength(2);
      expect(await embedded()).toEqual([]);
    });
  });

  describe('several workers', () => {
    it('two workers at once send no text twice', async () => {
      await switchOn();
      await node(alice, { title: 'A boat' });
      const turns = world.nest.get(EmbeddingTurns);
      for (let round = 0; round < 4; round++) await Promise.all([turns.take(alice.id), turns.take(alice.id)]);
      expect(server.texts).toEqual(['A boat']);
      expect(await embedded()).toEqual(['A boat']);
    });

    it('a worker that has lost its lease saves nothing, and another one does its work', async () => {
      await switchOn();
      const turns = world.nest.get(EmbeddingTurns);
      await drain();
      await node(alice, { title: 'A boat' });
      server.answers.push((response, request) => {
        clock.advance(121);
        void drain().then(() => says({ data: [{ embedding: [5, 5] }] })(response, request));
      });
      await turns.take(alice.id);
      await drain();
      expect(server.texts).toEqual(['A boat', 'A boat']);
      expect((await alice.post('/nodes/search/vector', { embedding: [5, 5] })).body.total).toBe(0);
      expect(await embedded()).toEqual(['A boat']);
    });
  });

  it('metrics count graphs that wait, texts, vectors and failures', async () => {
    await switchOn();
    await node(alice, { title: 'A boat' });
    const metrics = async () => (await world.api.get('//metrics')).text;
    const waiting = (text: string) => Number(/^embeddings_waiting_graphs (\d+)$/m.exec(text)?.[1]);
    const before = waiting(await metrics());
    await drain();
    const text = await metrics();
    expect([before > 0, waiting(text)]).toEqual([true, before - 1]);
    for (const line of [
      'texts_sent_total{purpose="node"}',
      'vectors_saved_total',
      'requests_failed_total{reason="status 500"}',
    ])
      expect(text).toContain(`embeddings_${line}`);
  });

  it('archives of an account leave out vectors of the service', async () => {
    const { id } = await node(alice, { title: 'A boat' });
    await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 2], model: 'mine' });
    await switchOn();
    await drain();
    const archive = await alice.get('/export');
    const other = await world.user();
    const restored = await other.post('/import', archive.bytes, {
      headers: { 'Content-Type': 'application/zip' },
    });
    expect([restored.status, restored.body.imported?.embeddings]).toEqual([201, 1]);
  });

  it('an app that is shown texts masked finds nothing by vectors of the service', async () => {
    await node(alice, { title: 'A boat of bob@example.org' });
    await switchOn();
    await drain();
    const masked = await letsIn(world, alice, {
      ...ALL,
      transformations: [{ type: 'pii_redaction', config: { entities: ['email'] } }],
    });
    const question = { embedding: [1, 0, 0, 0] };
    expect((await masked.post('/nodes/search/vector', question)).body.total).toBe(0);
    const whole = await letsIn(world, alice, ALL);
    expect((await whole.post('/nodes/search/vector', question)).body.total).toBe(1);
  });
});
