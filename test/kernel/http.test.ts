import { jest } from '@jest/globals';
import request from 'supertest';
import { type Client } from '../support/client.js';
import { exchangeRaw } from '../support/raw-requests.js';
import { type TestUser, World } from '../support/world.js';

describe('HTTP, the same for every route', () => {
  let world: World;
  let alice: TestUser;
  const note = (over: object = {}) => ({ title: 'A note', node_type: 'NOTE', ...over });

  beforeAll(async () => {
    world = await World.start({ CORS_ORIGINS: 'https://client.example' });
    alice = await world.user('alice');
  });
  afterAll(() => world.stop());

  const code = async (answer: Promise<{ status: number; body: { error?: { code: string } } }>) => {
    const { status, body } = await answer;
    return [status, body.error?.code];
  };
  const json = (body: unknown, type = 'application/json') =>
    alice.post('/nodes', body, { headers: { 'Content-Type': type } });

  describe('JSON', () => {
    it.each([
      ['unreadable JSON', '{"title":', 400, 'INVALID_JSON'],
      ['no object', '[]', 400, 'VALIDATION_ERROR'],
      ['a bare value', '"x"', 400, 'VALIDATION_ERROR'],
      ['null', 'null', 400, 'VALIDATION_ERROR'],
      ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'VALIDATION_ERROR'],
      ['NUL in a text', '{"title":"a\\u0000b","node_type":"NOTE"}', 400, 'VALIDATION_ERROR'],
      ['a lone surrogate', '{"title":"\\ud800","node_type":"NOTE"}', 400, 'VALIDATION_ERROR'],
      [
        'a lone surrogate deep inside',
        '{"title":"a","node_type":"NOTE","metadata":{"a":["\\udc00"]}}',
        400,
        'VALIDATION_ERROR',
      ],
      [
        'a number beyond a double',
        '{"title":"a","node_type":"NOTE","metadata":{"a":1e999}}',
        400,
        'VALIDATION_ERROR',
      ],
      [
        '__proto__',
        '{"title":"a","node_type":"NOTE","metadata":{"__proto__":{"x":1}}}',
        400,
        'VALIDATION_ERROR',
      ],
      [
        'constructor',
        '{"title":"a","node_type":"NOTE","metadata":{"a":{"constructor":1}}}',
        400,
        'VALIDATION_ERROR',
      ],
      [
        'bottomless nesting',
        `{"title":"a","node_type":"NOTE","metadata":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
        400,
        'VALIDATION_ERROR',
      ],
      ['too large', JSON.stringify(note({ value: 'x'.repeat(1_100_000) })), 413, 'PAYLOAD_TOO_LARGE'],
    ])('a body that is not acceptable is refused: %s', async (_, body, status, wanted) => {
      expect(await code(json(body))).toEqual([status, wanted]);
    });

    it('refuses other media types, takes none at all for an empty body', async () => {
      expect(await code(json('title=a', 'application/x-www-form-urlencoded'))).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ]);
      expect(await code(json('{}', 'text/plain'))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect(await code(alice.post('/nodes'))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('names the media types that a PATCH takes', async () => {
      const plain = { headers: { 'Content-Type': 'text/plain' } };
      const patched = await alice.patch('/auth/me', '{}', plain);
      expect([patched.status, patched.body.error.message]).toEqual([
        415,
        'The body must be application/json or application/merge-patch+json',
      ]);
    });

    it.each([
      ['none at all', '0\r\n\r\n', 200],
      ['one', '2\r\n{}\r\n0\r\n\r\n', 415],
    ])(
      'asks for no media type before it knows that a body in chunks is one: %s',
      async (_, chunks, status) => {
        const { id } = (await alice.post('/nodes', note())).body;
        await alice.delete(`/nodes/${id}`);
        const lines = [
          `POST /api/v1/nodes/${id}/restore HTTP/1.1`,
          'Host: x',
          ...Object.entries(alice.credentials).map(([name, value]) => `${name}: ${value}`),
          'Transfer-Encoding: chunked',
          'Connection: close',
        ];
        const answer = await exchangeRaw(world.origin, `${lines.join('\r\n')}\r\n\r\n${chunks}`);
        expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      },
    );

    it.each([
      ['levels', '['.repeat(100) + ']'.repeat(100), '['.repeat(101) + ']'.repeat(101), 100],
      ['levels', `[${'['.repeat(99)}${']'.repeat(99)}]`, '['.repeat(8_000_000), 100],
      ['values', `[${'0,'.repeat(499_998)}0]`, `[${'{},'.repeat(499_999)}{}]`, 500_000],
      ['names', `{${'"a":0,'.repeat(99_999)}"a":0}`, `{${'"a":0,'.repeat(100_000)}"a":0}`, 100_000],
    ])(
      'bodies of more %s than can be parsed quickly are refused with the number',
      async (counted, most, more, bound) => {
        const parse = jest.spyOn(JSON, 'parse');
        const message = async (body: string): Promise<string> =>
          (await alice.post('/nodes/batch', body)).body.error.message;
        expect(await message(more)).toBe(`body: must have at most ${bound} ${counted}`);
        expect(parse).not.toHaveBeenCalledWith(more);
        parse.mockRestore();
        expect(await message(most)).not.toContain('at most');
      },
    );

    it('bodies in another charset than UTF-8 are refused, whatever their bytes are', async () => {
      const body = Buffer.from(JSON.stringify(note()), 'utf16le');
      expect(await code(json(body, 'application/json; charset=utf-16le'))).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ]);
      expect((await json(JSON.stringify(note()), 'application/json; charset=UTF-8')).status).toBe(201);
      expect((await json(`\uFEFF${JSON.stringify(note())}`)).status).toBe(201);
    });

    it('names every wrong field', async () => {
      const { body } = await alice.post('/nodes', { title: 7, importance_score: 2, tags: 'x' });
      const fields = body.error.details.map((detail: { field: string }) => detail.field);
      expect(fields.sort()).toEqual(['importance_score', 'node_type', 'tags', 'title']);
    });

    it('refuses a repeated query parameter', async () => {
      expect(await code(alice.get('/nodes?limit=1&limit=2'))).toEqual([400, 'VALIDATION_ERROR']);
    });
  });

  describe('security', () => {
    it('takes over a harmless request id, and only such', async () => {
      const id = async (given: string) =>
        (await alice.get('/auth/me', { headers: { 'X-Request-Id': given } })).headers['x-request-id'];
      expect(await id('my-request_1')).toBe('my-request_1');
      expect(await id('x'.repeat(65))).not.toBe('x'.repeat(65));
      expect(await id('a b')).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('lets only listed origins read answers', async () => {
      const origin = async (given: string) =>
        (await alice.get('/auth/me', { headers: { Origin: given } })).headers['access-control-allow-origin'];
      expect(await origin('https://client.example')).toBe('https://client.example');
      expect(await origin('https://evil.example')).toBeUndefined();
    });

    it('refuses a packed body, whose length tells nothing of its size', async () => {
      const answer = alice.post('/nodes', '{"title":"a"}', { headers: { 'Content-Encoding': 'gzip' } });
      expect(await code(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    });

    it('hardens answers and names no framework', async () => {
      const { headers } = await alice.get('/auth/me');
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      expect(headers['x-powered-by']).toBeUndefined();
    });
  });

  describe('paths', () => {
    it.each([['/nodes/%E0%A4%A'], ['/nodes/%00'], ['/nodes/..%2f..%2fetc'], [`/nodes/${'x'.repeat(2000)}`]])(
      '%s reads as absent',
      async (path) => {
        expect((await alice.get(path)).status).toBe(404);
      },
    );
  });

  describe('spellings of paths', () => {
    it.each([
      ['in capitals', 'GET', '//API/v1/auth/me'],
      ['with a word in capitals', 'GET', '/AUTH/me'],
      ['in capitals, by a wrong method', 'DELETE', '//API/v1/nodes'],
    ])('a path of the API written %s is answered with 404', async (_, method, path) => {
      expect(await code(alice.send(method, path))).toEqual([404, 'NOT_FOUND']);
    });

    it('an absolute request target is routed like its path', async () => {
      const credentials = Object.entries(alice.credentials).map(([name, value]) => `${name}: ${value}\r\n`);
      const me = (target: string) =>
        exchangeRaw(
          world.origin,
          `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${credentials.join('')}\r\n`,
        );
      expect(await me('HTTP://service.example/api/v1/auth/me?')).toMatch(/^HTTP\/1\.1 200 /);
      for (const target of ['http://service.example', 'http://[/x', 'http://service.example?a=b'])
        expect(await me(target)).toMatch(/^HTTP\/1\.1 404 [^]*"code":"NOT_FOUND"/);
    });
  });

  describe('unreadable requests', () => {
    it.each([
      ['no HTTP', 'hello\r\n\r\n', 400, 'VALIDATION_ERROR'],
      ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400, 'VALIDATION_ERROR'],
      [
        'headers of 17 KB',
        `GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
        431,
        'HEADERS_TOO_LARGE',
      ],
      ['no host', 'GET /api/v1/auth/me HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ])(
      'an unreadable request is answered in the one envelope with an id: %s',
      async (_, sent, status, wanted) => {
        const [head, body] = (await exchangeRaw(world.origin, sent)).split('\r\n\r\n') as [string, string];
        expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
        const { error } = JSON.parse(body) as { error: { code: string; request_id: string } };
        expect(error.code).toBe(wanted);
        expect(/^x-request-id: (.+)$/im.exec(head)?.[1]).toBe(error.request_id);
      },
    );

    it('a request with an unknown Expect header is served', async () => {
      const answer = await exchangeRaw(
        world.origin,
        'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*x-request-id/i);
    });

    it('a request whose body breaks off ends, and the service continues', async () => {
      const sent =
        'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
        'Transfer-Encoding: chunked\r\n\r\nno size\r\n';
      expect(await exchangeRaw(world.origin, sent)).toMatch(/^HTTP\/1\.1 400 [^]*"request_id"/);
      expect((await world.api.get('//health/live')).status).toBe(200);
    });
  });

  describe('pages', () => {
    const MANY = '9'.repeat(400);

    it('lists cut a page size to the greatest, however many digits it has (rule 4.7)', async () => {
      for (const path of ['/nodes', '/proposals', '/raw-files', '/apps'])
        expect((await alice.get(`${path}?limit=${MANY}`)).body.limit).toBe(100);
      for (const path of ['/proposals', '/raw-files'])
        expect((await alice.get(`${path}?per_page=${MANY}`)).body.per_page).toBe(100);
      expect(await code(alice.get(`/nodes?limit=-${MANY}`))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('lists begin as far from their first entry as a number can say exactly', async () => {
      for (const path of ['/nodes', '/proposals', '/raw-files', '/relationships']) {
        const { status, body } = await alice.get(`${path}?offset=${Number.MAX_SAFE_INTEGER}`);
        expect([path, status, body.offset]).toEqual([path, 200, Number.MAX_SAFE_INTEGER]);
      }
    });
  });

  describe('repeated requests', () => {
    const once = (client: Client, key: string, body: object) =>
      client.post('/nodes', body, { headers: { 'Idempotency-Key': key } });
    const count = async () => (await alice.get('/nodes/count')).body.count as number;

    it('Idempotency-Key gives one effect and one answer to repeated requests', async () => {
      const before = await count();
      const first = await once(alice, 'key-1', note({ title: 'once' }));
      const again = await once(alice, 'key-1', { node_type: 'NOTE', title: 'once' });
      expect(again.status).toBe(201);
      expect(again.body).toEqual(first.body);
      expect(await count()).toBe(before + 1);
    });

    it('Idempotency-Key gives one effect to requests at the same time', async () => {
      const before = await count();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => once(alice, 'key-2', note({ title: 'race' }))),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(
        new Set([201, 409].filter((s) => answers.some((a) => a.status === s))),
      );
      expect(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id)).size).toBe(1);
      expect(await count()).toBe(before + 1);
    });

    it('Idempotency-Key is refused for another request', async () => {
      await once(alice, 'key-3', note());
      expect(await code(once(alice, 'key-3', note({ title: 'other' })))).toEqual([
        422,
        'IDEMPOTENCY_KEY_REUSED',
      ]);
    });

    it('Idempotency-Key is free again after a refusal', async () => {
      expect((await once(alice, 'key-4', { title: 'no type' })).status).toBe(400);
      expect((await once(alice, 'key-4', note())).status).toBe(201);
    });

    it("Idempotency-Key is the caller's own", async () => {
      const bob = await world.user('bob');
      const [hers, his] = [await once(alice, 'key-5', note()), await once(bob, 'key-5', note())];
      expect(hers.body.id).not.toBe(his.body.id);
      expect(his.body.owner_id).toBe(bob.id);
    });

    it('replays a node only as far as today’s profile shows it', async () => {
      const app = await world.app();
      const { profile } = await alice.authorizes(app);
      const client = app.as(alice);
      const first = await once(client, 'key-6', note({ title: 'shown', value: 'text' }));
      expect(first.body.value).toBe('text');
      await alice.put(`/exposure-profiles/${profile.id}`, { max_detail_level: 'minimal' });
      const cut = await once(client, 'key-6', note({ title: 'shown', value: 'text' }));
      expect(cut.body.id).toBe(first.body.id);
      expect(cut.text).not.toContain('shown');
      await alice.put(`/exposure-profiles/${profile.id}`, { excluded_node_types: ['NOTE'] });
      expect((await once(client, 'key-6', note({ title: 'shown', value: 'text' }))).text).not.toContain(
        first.body.id,
      );
    });

    it('Idempotency-Key keeps what in a node only has the name of a secret', async () => {
      const properties = { secret: 'garden', access_token: 'a', api_key: 'b', k: 1 };
      const body = note({ metadata: { properties } });
      expect((await once(alice, 'key-8', body)).status).toBe(201);
      expect((await once(alice, 'key-8', body)).body.metadata.properties).toEqual(properties);
    });

    it('Idempotency-Key refuses bottomless nesting as without a key', async () => {
      const deep = `{"title":"a","node_type":"NOTE","metadata":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
      const answer = alice.post('/nodes', deep, { headers: { 'Idempotency-Key': 'key-9' } });
      expect(await code(answer)).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('Idempotency-Key does not repeat secrets', async () => {
      const body = { name: 'diary', requested_permissions: {} };
      const first = await alice.post('/apps', body, { headers: { 'Idempotency-Key': 'key-7' } });
      const again = await alice.post('/apps', body, { headers: { 'Idempotency-Key': 'key-7' } });
      expect(first.body.api_key).toMatch(/^pig_live_/);
      expect(again.body.id).toBe(first.body.id);
      expect(again.text).not.toContain(first.body.api_key);
    });
  });

  it('answers an unknown path outside the version prefix in the same envelope', async () => {
    for (const path of ['/', '/api/v2/nodes', '/favicon.ico']) {
      const { body } = await request(world.origin).get(path).expect(404);
      expect(body.error.code).toBe('NOT_FOUND');
    }
  });

  it('says how it is, and counts without naming anybody', async () => {
    await request(world.origin).get('/health/live').expect(200, { status: 'ok' });
    const ready = await request(world.origin).get('/health/ready').expect(200);
    expect(ready.body).toMatchObject({ status: 'ok' });
    const { text } = await request(world.origin).get('/metrics').expect(200);
    expect(text).toContain('http_request_duration_seconds_bucket');
    expect(text).not.toContain(alice.id);
  });
});
