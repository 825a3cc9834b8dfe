import { jest } from '@jest/globals';
import { type Response } from 'express';
import { profile, letsIn, tagId } from '../support/worlds/nodes.js';
import { EventReader, pull } from '../sync/pages.js';
import { exchangeRaw } from '../support/raw-requests.js';
import { until } from '../support/until.js';
import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { BytesUnderWay } from '../../src/kernel/http/bodies/bytes-under-way.js';
import { requestContext, SYSTEM_ACTOR } from '../../src/kernel/request-context.js';
import { OpenStreams } from '../../src/kernel/waiting/open-streams.js';

const MIB = 1024 * 1024;

/** The head of a request that announces a body. */
const head = (user: TestUser, path: string, bytes: number): string =>
  `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

describe('requests', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    world = await World.startHere({
      BODY_SECONDS: '2',
      CALLER_MIB: '8',
      PROCESS_MIB: '12',
      CALLER_STREAMS: '2',
      PERSON_STREAMS: '3',
    });
    [alice, bob] = [await world.user(), await world.user()];
  });
  afterAll(() => world.stop());

  it('limits of requests end a connection whose JSON body does not arrive in time with 408', async () => {
    const heard = await exchangeRaw(world.origin, `${head(alice, '/nodes', 100)}{"title": "half`);
    expect(heard).toMatch(/^HTTP\/1\.1 408 /);
    expect(heard).toContain('"code":"REQUEST_TIMEOUT"');
    expect(heard).toContain('"max_seconds":2');
    expect((await alice.get('/nodes')).body.total).toBe(0);
  });

  it('limits of requests refuse a body without a length that does not begin in time with 408', async () => {
    const chunked = head(alice, '/nodes', 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
    expect(await exchangeRaw(world.origin, chunked)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('limits of requests refuse a body of more than 16 KiB at log-in endpoints', async () => {
    const body = { email: 'a@example.org', password: 'p'.repeat(17_000) };
    for (const path of ['/auth/login', '/auth/register', '/auth/refresh']) {
      const answer = await world.api.post(path, body);
      expect([path, answer.status, answer.body.error.details]).toEqual([path, 413, { max_bytes: 16_384 }]);
    }
  });

  it("limits of requests apply to the bytes of one caller's bodies, not to those of others", async () => {
    // Requests of which only the head arrives; all but one are awaited until their timeout.
    const all = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => exchangeRaw(world.origin, head(alice, '/nodes', MIB)));
    const refused = await Promise.race(all);
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/retry-after: [1-9]/i);
    expect(JSON.parse(refused.slice(refused.indexOf('\r\n\r\n'))).error).toMatchObject({
      code: 'TOO_MUCH_UNDER_WAY',
      details: { direction: 'received', limit: 'caller', max_bytes: 8 * MIB },
    });
    expect((await bob.post('/nodes/batch', { pad: 'x'.repeat(MIB) })).status).toBe(400);
    expect((await alice.post('/nodes', { title: 'small', node_type: 'note' })).status).toBe(201);
    const statuses = (await Promise.all(all)).map((heard) => heard.slice(9, 12));
    expect(statuses.sort()).toEqual([...Array.from({ length: 8 }, () => '408'), '503']);
  });

  it("a caller's bodies of more than 1 MiB are read one after another, and those of others meanwhile (rule 11.9b)", async () => {
    const held = jest.spyOn(world.nest.get(BytesUnderWay), 'hold');
    const answered: string[] = [];
    const note = async (name: string, answer: Promise<unknown>): Promise<void> => {
      await answer;
      answered.push(name);
    };
    try {
      const first = note('first', exchangeRaw(world.origin, head(alice, '/nodes/batch', 2 * MIB)));
      await until(() => held.mock.calls.length > 0, 'the first body is counted');
      const large = { pad: 'x'.repeat(2 * MIB) };
      const second = note('second', alice.post('/nodes/batch', large));
      const theirs = note('theirs', bob.post('/nodes/batch', large));
      expect((await alice.post('/nodes', { title: 'small', node_type: 'note' })).status).toBe(201);
      await Promise.all([first, second, theirs]);
      expect(answered).toEqual(['theirs', 'first', 'second']);
    } finally {
      held.mockRestore();
    }
  });

  it('a text with letters beyond Latin-1 counts as two bytes a character, and what is made of it', async () => {
    const held = jest.spyOn(world.nest.get(BytesUnderWay), 'hold');
    const heldFor = async (pad: string): Promise<number> => {
      held.mockClear();
      expect((await bob.post('/nodes/batch', { pad })).status).toBe(400);
      const received = held.mock.calls.filter(([direction]) => direction === 'received');
      return received.reduce((sum, [, , bytes]) => sum + bytes, 0);
    };
    try {
      const plain = 'é'.padEnd(MIB / 2, 'plain ');
      expect((await heldFor(plain)) / plain.length).toBeCloseTo(3, 2);
      expect((await heldFor(`${plain}漢`)) / plain.length).toBeCloseTo(6, 2);
      // Three quarters of what a caller may have: room is left for their other requests.
      expect(await heldFor('漢'.repeat(1.5 * MIB))).toBe(6 * MIB);
    } finally {
      held.mockRestore();
    }
  });

  it('limits of requests count the values of a body as memory, which is many times their text', async () => {
    const held = jest.spyOn(world.nest.get(BytesUnderWay), 'hold');
    const heldFor = async (count: number): Promise<number[]> => {
      held.mockClear();
      const body = { pad: Array.from({ length: count }, () => ({})) };
      expect((await bob.post('/nodes/batch', body)).status).toBe(400);
      return held.mock.calls.flatMap(([direction, , bytes]) => (direction === 'received' ? [bytes] : []));
    };
    try {
      const [text, values] = await heldFor(10_000);
      expect(text).toBeLessThan(31_000);
      expect(values).toBeGreaterThan(80 * 10_000);
      // One body alone never takes more than three quarters of what a caller may have.
      const [most, rest] = await heldFor(140_000);
      expect((most ?? 0) + (rest ?? 0)).toBe(6 * MIB);
    } finally {
      held.mockRestore();
    }
  });

  describe('bytes of answers', () => {
    afterEach(() => void jest.restoreAllMocks());

    const ofProcess = () => new BytesUnderWay({ callerBytes: 8 * MIB, processBytes: 12 * MIB } as never);
    const answer = (ip: string, method = 'GET') => {
      const ends: (() => void)[] = [];
      return {
        destroyed: false,
        statusCode: 200,
        socket: { writableLength: 0 },
        req: { ip, method, complete: true, body: {} as object | undefined },
        once: (_: string, end: () => void) => ends.push(end),
        off: () => undefined,
        setTimeout: () => undefined,
        destroy() {
          this.destroyed = true;
        },
        close: () => ends.splice(0).forEach((end) => end()),
      };
    };
    const hold = (underWay: BytesUnderWay, response: object, bytes: number) =>
      underWay.hold('sent', response as never, bytes);
    const refusal = (limit: string) =>
      expect.objectContaining({
        code: 'TOO_MUCH_UNDER_WAY',
        details: expect.objectContaining({ direction: 'sent', limit }),
      });

    it('answers count towards the limit until they are sent', () => {
      const underWay = ofProcess();
      const answers = [answer('a'), answer('b')] as const;
      hold(underWay, answers[0], 5 * MIB);
      expect(() => hold(underWay, answer('a'), 5 * MIB)).toThrow(refusal('caller'));
      hold(underWay, answers[1], 5 * MIB);
      expect(() => hold(underWay, answer('c'), 5 * MIB)).toThrow(refusal('process'));
      expect(answers.map(({ destroyed }) => destroyed)).toEqual([false, false]);
      for (const each of answers) each.close();
      hold(underWay, answer('a'), 5 * MIB);
    });

    it('a request that was written is always answered, and its answer is never ended for others', () => {
      const underWay = ofProcess();
      const written = [answer('a', 'POST'), answer('b', 'POST')];
      for (const each of written) hold(underWay, each, 7 * MIB);
      expect(() => hold(underWay, answer('c'), MIB)).toThrow(refusal('process'));
      hold(underWay, answer('c'), 60_000);
      expect(written.map(({ destroyed }) => destroyed)).toEqual([false, false]);
    });

    it('unread answers to writes end for further ones of their caller, the oldest first (rule 11.9b)', () => {
      const underWay = ofProcess();
      const written = [answer('a', 'POST'), answer('a', 'PATCH'), answer('a', 'PATCH')];
      const refused = { ...answer('a'), statusCode: 400 };
      const others = answer('b', 'PATCH');
      hold(underWay, others, 4 * MIB);
      for (const each of [...written, refused]) hold(underWay, each, 3 * MIB);
      expect([...written, refused, others].map(({ destroyed }) => destroyed)).toEqual([
        true,
        true,
        false,
        false,
        false,
      ]);
    });

    it('the answer to a write ends for others once it was not read for ten seconds (rule 11.9b)', () => {
      const underWay = ofProcess();
      const written = [answer('a', 'POST'), answer('b', 'POST')];
      for (const each of written) hold(underWay, each, 6 * MIB);
      const now = performance.now();
      jest.spyOn(performance, 'now').mockImplementation(() => now + 11_000);
      hold(underWay, answer('c'), MIB);
      expect(written.map(({ destroyed }) => destroyed)).toEqual([true, false]);
    });

    it('small answers count where they wait behind others of their connection (rule 11.9b)', () => {
      const underWay = ofProcess();
      const behind = { ...answer('a'), socket: null };
      const unsent = { ...answer('a'), socket: { writableLength: 1 } };
      hold(underWay, behind, 60_000);
      hold(underWay, unsent, 60_000);
      hold(underWay, answer('a'), 60_000);
      expect(() => hold(underWay, answer('a'), 8 * MIB - 119_999)).toThrow(refusal('caller'));
      hold(underWay, answer('a'), 8 * MIB - 120_000);
    });

    it('a body counts until its answer is made, not until that is sent (rule 11.9b)', () => {
      const underWay = ofProcess();
      const answered = answer('a', 'POST');
      underWay.hold('received', answered as never, 7 * MIB);
      expect(() => underWay.hold('received', answer('a', 'POST') as never, 2 * MIB)).toThrow();
      hold(underWay, answered, 100);
      expect(answered.req.body).toBeUndefined();
      underWay.hold('received', answer('a', 'POST') as never, 2 * MIB);
    });

    it('the answer of a POST that only reads is ended for others (rule 11.9b)', () => {
      const underWay = ofProcess();
      const searches = [answer('a', 'POST'), answer('b', 'POST')];
      const context = { requestId: '', actor: SYSTEM_ACTOR, changeReason: null, reads: true };
      for (const each of searches) requestContext.run(context, () => void hold(underWay, each, 6 * MIB));
      hold(underWay, answer('c'), MIB);
      expect(searches.map(({ destroyed }) => destroyed)).toEqual([true, false]);
    });

    it('the oldest answer of the caller who holds most is ended for one who holds less', () => {
      const underWay = ofProcess();
      const [first, second, other] = [answer('a'), answer('a'), answer('b')];
      hold(underWay, first, 4 * MIB);
      hold(underWay, second, 4 * MIB);
      hold(underWay, other, 4 * MIB);
      hold(underWay, answer('c'), 3 * MIB);
      expect([first, second, other].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
      // The end of the closed connection, which comes later, releases nothing twice.
      first.close();
      expect(() => hold(underWay, answer('d'), 5 * MIB)).toThrow(refusal('process'));
    });

    it('answers that have been under way for long are ended, whatever their callers hold', () => {
      const underWay = ofProcess();
      const slow = answer('a');
      hold(underWay, slow, 4 * MIB);
      const now = performance.now();
      jest.spyOn(performance, 'now').mockImplementation(() => now + 11_000);
      const quick = answer('b');
      hold(underWay, quick, 7 * MIB);
      hold(underWay, answer('c'), 5 * MIB);
      expect([slow.destroyed, quick.destroyed]).toEqual([true, false]);
    });

    it('transfers of files are not ended for their age, but the oldest of the caller who holds most', () => {
      const underWay = ofProcess();
      const transfer = (response: object, bytes: number, caller: string) =>
        underWay.holdTransfer('sent', response as never, { bytes, caller });
      const [first, second, other] = [answer('a'), answer('a'), answer('b')];
      transfer(first, 3 * MIB, 'a');
      transfer(second, 3 * MIB, 'a');
      transfer(other, 5 * MIB, 'b');
      expect(() => transfer(answer('a'), 3 * MIB, 'a')).toThrow(refusal('caller'));
      const now = performance.now();
      jest.spyOn(performance, 'now').mockImplementation(() => now + 11_000);
      hold(underWay, answer('c'), 4 * MIB);
      expect([first, second, other].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
      expect(() => hold(underWay, answer('d'), 6 * MIB)).toThrow(refusal('process'));
    });

    it('bodies that have not arrived are ended, but no request whose body is complete', () => {
      const underWay = ofProcess();
      const bodies = [answer('a', 'POST'), answer('b', 'POST')] as const;
      bodies[0].req.complete = false;
      for (const each of bodies) underWay.hold('received', each as never, 6 * MIB);
      underWay.hold('received', answer('c', 'POST') as never, MIB);
      expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, false]);
      expect(() => underWay.hold('received', answer('d', 'POST') as never, 6 * MIB)).toThrow(
        expect.objectContaining({ code: 'TOO_MUCH_UNDER_WAY' }),
      );
    });
  });

  it('a POST that only reads and a repeated answer are refused like a GET, a write is not (rule 11.9b)', async () => {
    const carol = await world.user();
    const underWay = world.nest.get(BytesUnderWay);
    const node = { title: 'large', node_type: 'note', metadata: { text: 'x'.repeat(100_000) } };
    const counted = jest.spyOn(underWay, 'hold');
    const keyed = carol.with({ 'Idempotency-Key': 'once' });
    expect((await keyed.post('/nodes', node)).status).toBe(201);
    const [, response] = counted.mock.calls.find(([direction]) => direction === 'sent') ?? [];
    counted.mockRestore();
    const ends: (() => void)[] = [];
    const unread = { once: (_: string, end: () => void) => ends.push(end), off: () => undefined, req: {} };
    const caller = underWay.whose((response as Response).req);
    underWay.holdTransfer('sent', unread as never, { bytes: 8 * MIB, caller });
    const refused = [
      await carol.post('/nodes/search', { query: 'large' }),
      await carol.get('/nodes'),
      await keyed.post('/nodes', node),
    ];
    for (const { status, body } of refused)
      expect([status, body.error?.details]).toEqual([
        503,
        { direction: 'sent', limit: 'caller', max_bytes: 8 * MIB },
      ]);
    expect((await carol.post('/nodes', { ...node, title: 'another' })).status).toBe(201);
    for (const end of ends) end();
    expect((await carol.post('/nodes/search', { query: 'large' })).status).toBe(200);
    expect((await keyed.post('/nodes', node)).headers['idempotent-replayed']).toBe('true');
  });

  it("limits of requests apply to an app's streams and waiting pulls for a user", async () => {
    const stream = () => EventReader.open(world.origin, '/sync/stream', alice.credentials);
    const readers = [await stream(), await stream()];
    const third = await alice.get('/sync/stream');
    expect([third.status, third.body.error.code]).toEqual([503, 'TOO_MANY_STREAMS']);
    expect(third.body.error.details).toEqual({ limit: 'caller', max: 2 });
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    for (const path of ['/sync', '/proposals/events']) {
      expect((await alice.get(`${path}?wait=1`)).body.error.code).toBe('TOO_MANY_STREAMS');
      expect((await alice.get(path)).status).toBe(200);
    }
    const theirs = await EventReader.open(world.origin, '/sync/stream', bob.credentials);
    expect(theirs.status).toBe(200);
    for (const reader of [...readers, theirs]) reader.leave();
    let status = 503;
    while (status === 503) ({ status } = await alice.get('/sync?wait=1'));
    expect(status).toBe(200);
  });

  it('limits of requests give a person a limited number of streams and waiting pulls over all of their apps', async () => {
    const erin = await world.user();
    const apps = [await erin.lets(await world.app()), await erin.lets(await world.app())] as const;
    const stream = (client: Client) => EventReader.open(world.origin, '/sync/stream', client.credentials);
    const readers = [await stream(apps[0]), await stream(apps[0]), await stream(apps[1])];
    expect(readers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const refused of [await apps[1].get('/sync/stream'), await apps[1].get('/sync?wait=1')]) {
      expect([refused.status, refused.body.error.code]).toEqual([503, 'TOO_MANY_STREAMS']);
      expect(refused.body.error.details).toEqual({ limit: 'shared' });
    }
    const first = await stream(erin);
    expect(first.status).toBe(200);
    expect((await erin.get('/sync/stream')).body.error.details).toEqual({ limit: 'shared' });
    expect((await apps[1].get('/sync')).status).toBe(200);
    const theirs = await stream(bob);
    expect(theirs.status).toBe(200);
    for (const reader of [...readers, first, theirs]) reader.leave();
    let status = 503;
    while (status === 503) ({ status } = await apps[1].get('/sync?wait=1'));
    expect(status).toBe(200);
  });

  it('limits of requests refuse streams alike at the limit of a person and of a process (rule 7.12)', () => {
    const refusal = (personStreams: number, processStreams: number): unknown => {
      const open = new OpenStreams({ callerStreams: 9, personStreams, processStreams } as never);
      const response = { destroyed: false, once: () => undefined } as never;
      const viewer = { ownerId: 'alice', appId: 'app' } as never;
      open.open(viewer, response);
      try {
        open.open(viewer, response);
      } catch (error) {
        return error;
      }
    };
    expect(refusal(1, 9)).toMatchObject({ code: 'TOO_MANY_STREAMS', details: { limit: 'shared' } });
    expect(refusal(9, 1)).toEqual(refusal(1, 9));
    expect(JSON.stringify(refusal(9, 1))).toBe(JSON.stringify(refusal(1, 9)));
  });

  it('limits of requests let streams with equal positions get the same pages', async () => {
    const carol = await world.user();
    const stream = () => EventReader.open(world.origin, '/sync/stream', carol.credentials);
    const readers = [await stream(), await stream()];
    await carol.post('/nodes', { title: 'news', node_type: 'note' });
    for (const reader of readers) {
      const { data } = await reader.next();
      expect(data.changes).toMatchObject([{ action: 'create', node: { title: 'news' } }]);
      reader.leave();
    }
  });

  it('limits of requests keep the 50 scopes that an app synchronized last', async () => {
    const app = await letsIn(world, bob, profile({ read: 'all', discover: 'all' }));
    const tags: string[] = [];
    for (let number = 0; number < 52; number++) {
      tags.push(await tagId(bob, `scope ${number}`));
      await pull(app, { scope: `tag:${tags[number]}` });
    }
    const { body } = await app.get('/sync/status');
    expect(Object.keys(body.scopes)).toHaveLength(50);
    expect(body.scopes[`tag:${tags[51]}`]).toBeDefined();
    expect(body.scopes[`tag:${tags[0]}`]).toBeUndefined();
  });

  it('limits of requests count pending changes up to 1,000', async () => {
    const dora = await world.user();
    const app = await letsIn(world, dora, profile({ read: 'all' }));
    const { cursor } = await pull(app);
    await pull(app, { cursor });
    for (let batch = 0; batch < 11; batch++) {
      const nodes = Array.from({ length: 100 }, (_, index) => ({
        title: `${batch} ${index}`,
        node_type: 'note',
      }));
      expect((await dora.post('/nodes/batch', { nodes })).status).toBe(201);
    }
    expect((await app.get('/sync/status')).body).toMatchObject({
      pending_changes: 1000,
      pending_more: true,
      scopes: { all: { pending_changes: 1000, pending_more: true } },
    });
  });
});
