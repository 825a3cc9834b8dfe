import { type Operation, operationsOf } from '../support/operations.js';
import { bodyOf, ELSEWHERE, endsSomething, pathOf, Place } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';

const UNKNOWN = /^is not a known parameter; (the nearest one is `\w+`|this operation has none)$/;

/** Read by the guards, before the other parameters: the app to read as (rule 2.11), and a ticket (rule 7.14). */
const READ_BEFORE = ['as_app', 'ticket'];

describe('names that an operation does not know', () => {
  let world: World;
  let alice: TestUser;
  let place: Place;
  let operations: Operation[];
  const note = { title: 'A note', node_type: 'NOTE' };

  beforeAll(async () => {
    world = await World.startHere({ CORS_ORIGINS: 'https://client.example' });
    alice = await world.user();
    place = await Place.make(world);
    operations = operationsOf(world.nest);
  }, 60_000);
  afterAll(() => world.stop());

  const refusalOf = async (path: string, method = 'GET') => {
    const { status, body } = await alice.send(method, path);
    return [status, body.error?.code, body.error?.details];
  };
  const unknown = (field: string, nearest: string) => ({
    field,
    message: `is not a known parameter; the nearest one is \`${nearest}\``,
  });

  describe('query parameters', () => {
    it.each([
      ['/nodes?tag=work', 'tag', 'tag_id'],
      ['/nodes?limits=5', 'limits', 'limit'],
      ['/nodes/count?tags=work', 'tags', 'tag_ids'],
      ['/sync?cursors=x&scope=nonsense', 'cursors', 'cursor'],
      ['/access-log?actoin=read', 'actoin', 'action'],
    ])(
      'an unknown parameter is refused with the nearest known one: %s (rule 11.4c)',
      async (path, ...names) => {
        expect(await refusalOf(path)).toEqual([400, 'VALIDATION_ERROR', [unknown(...names)]]);
      },
    );

    it('unknown and repeated parameters are refused together, whatever values they have', async () => {
      expect(await refusalOf('/nodes?limit=1&limit=2&Limit=3&sort=nonsense')).toEqual([
        400,
        'VALIDATION_ERROR',
        [{ field: 'limit', message: 'must be sent only once' }, unknown('Limit', 'limit')],
      ]);
    });

    it('names at most twenty unknown parameters, long ones by their beginning', async () => {
      const many = Array.from({ length: 300 }, (_, index) => `${index}${'x'.repeat(20)}=1`);
      const [status, , details] = await refusalOf(`/nodes?${many.join('&')}`);
      expect([status, details.length]).toEqual([400, 20]);
      const [, , [long]] = await refusalOf(`/nodes?${'x'.repeat(5_000)}`);
      expect(long.field).toBe(`${'x'.repeat(64)}…`);
    });

    it.each(['__proto__', 'constructor', 'toString', '%00', '%ED%A0%80', 'a%0D%0Ab', ''])(
      'a parameter with the name "%s" is refused like any other',
      async (name) => {
        expect((await refusalOf(`/nodes?${name}=1`)).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR']);
      },
    );

    it('callers without permission learn nothing of parameters, only that they are refused', async () => {
      const stranger = alice.with({ Authorization: '' });
      expect((await stranger.get('/nodes?tag=work')).status).toBe(401);
      expect((await alice.get(`/nodes/${crypto.randomUUID()}?tag=work`)).status).toBe(404);
    });

    it('pages and probes outside the version prefix ignore what mail programs and load balancers add', async () => {
      for (const path of ['/health/live', '/account', '/.well-known/jwks.json'])
        expect((await fetch(`${world.origin}${path}?utm_source=mail`)).status).toBe(200);
    });

    it('every operation refuses an unknown parameter and knows all of its own', async () => {
      const faults: string[] = [];
      let checked = 0;
      for (const operation of operations.filter(({ path }) => path.startsWith('//api/v1/'))) {
        const own = operation.parameters.filter(
          (parameter) => parameter.in === 'query' && !READ_BEFORE.includes(parameter.name),
        );
        const path = pathOf(operation, place.things).split('?')[0] as string;
        const query = ['zqunknown=1', ...own.map(({ name }) => `${name}=%00`)].join('&');
        const client = place.clientFor(operation);
        const { status, body } = await client.send(operation.method, `${path}?${query}`);
        const details = (body?.error?.details ?? []) as { field: string; message: string }[];
        const named = details.filter(({ message }) => UNKNOWN.test(message)).map(({ field }) => field);
        // Things that this person has none of: the resource is decided on first.
        if (status === 404) continue;
        checked++;
        if (status !== 400 || named.join() !== 'zqunknown')
          faults.push(`${operation.name}: ${status} ${JSON.stringify(body)}`);
      }
      expect(faults).toEqual([]);
      expect(checked).toBeGreaterThan(operations.length - 40);
    }, 120_000);
  });

  describe('Ignored-Fields', () => {
    const ignored = async (body: unknown, path = '/nodes', method = 'POST') =>
      (await alice.send(method, path, body)).headers['ignored-fields'];

    it('unknown fields of a body are ignored and named in the order in which they were sent', async () => {
      const { status, headers } = await alice.post('/nodes', { titel: 'x', ...note, version: 7, tag: [] });
      expect([status, headers['ignored-fields']]).toEqual([201, 'titel, version, tag']);
      expect(await ignored(note)).toBeUndefined();
      expect(await ignored({ ...note, metadata: { any: { thing: 1 } } })).toBeUndefined();
    });

    it('a refused body names the fields that were ignored beside those that are wrong', async () => {
      const { status, headers, body } = await alice.post('/nodes', { titel: 'x', node_type: 'NOTE' });
      expect([status, headers['ignored-fields'], body.error.details[0].field]).toEqual([
        400,
        'titel',
        'title',
      ]);
    });

    it('fields of nested objects and of items of a batch are named by their paths', async () => {
      const nodes = [note, { ...note, tag: 'x' }, 7, { ...note, tag: 'x', 'a.b': 1 }];
      expect(await ignored({ nodes, mode: 1 }, '/nodes/batch')).toBe(
        'mode, nodes.1.tag, nodes.3.tag, nodes.3.a%2Eb',
      );
      const { id } = (await alice.post('/nodes', note)).body;
      const embedding = { id, embedding: [1], model: 'm', modle: 'm' };
      expect(await ignored({ embeddings: [embedding] }, '/nodes/batch/embeddings', 'PUT')).toBe(
        'embeddings.0.modle',
      );
    });

    it('hostile names are percent-encoded, cut and limited to a thousand characters', async () => {
      const hostile = { 'a\r\nSet-Cookie: x': 1, 'ä, b': 1, ['x'.repeat(500)]: 1, '😀': 1, '"': 1 };
      expect(await ignored({ ...note, ...hostile })).toBe(
        `a%0D%0ASet-Cookie%3A%20x, %C3%A4%2C%20b, ${'x'.repeat(64)}, %F0%9F%98%80, %22`,
      );
      const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`unknown_${index}`, 1]));
      const names = await ignored({ ...note, ...many });
      expect(names).toMatch(/^unknown_0, unknown_1, .*, \.\.\.$/);
      expect(names?.length).toBeLessThan(1_010);
      const nodes = Array.from({ length: 100 }, () => ({ ...note, [`unknown_${'y'.repeat(40)}`]: 1 }));
      expect((await ignored({ nodes }, '/nodes/batch'))?.length).toBeLessThan(1_010);
    });

    it('browsers of listed origins may read the names', async () => {
      const { headers } = await alice.post('/nodes', note, { headers: { Origin: 'https://client.example' } });
      expect(headers['access-control-expose-headers']).toContain('Ignored-Fields');
    });

    it('only fields that were sent are named, in the answer to every operation', async () => {
      const faults: string[] = [];
      let number = 0;
      for (const operation of operations.filter(({ example }) => example !== undefined)) {
        if (ELSEWHERE.test(operation.name)) continue;
        const plain = bodyOf(operation, place.things, ++number) as object;
        const path = pathOf(operation, place.things);
        const send = async (body: object) => {
          const answer = await place.clientFor(operation).send(operation.method, path, body);
          if (endsSomething(operation, answer)) place = await Place.make(world);
          return [answer.headers['ignored-fields'], answer.text] as const;
        };
        const [names, text] = await send({ ...plain, zqunknown: 1 });
        if (names !== 'zqunknown' && !text.includes('is not a known field'))
          faults.push(`${operation.name}: ${String(names)} ${text.slice(0, 200)}`);
      }
      expect(faults).toEqual([]);
    }, 120_000);
  });
});
