import { type OpenAPIObject } from '@nestjs/swagger';
import { onlyReads } from '../../src/kernel/http/endpoint.js';
import { buildOpenApi } from '../../src/kernel/http/openapi/openapi.js';
import { RouteTable } from '../../src/kernel/http/route-table.js';
import { type TestUser, World } from '../support/world.js';

/** Fields by which somebody gets in somewhere. */
const SECRET = /secret|token|password|signature|download_url|recovery|challenge|(^|_)key$/;

describe('compression of answers', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user();
    for (let index = 0; index < 12; index++)
      await alice.post('/nodes', {
        title: `Note ${index}`,
        node_type: 'NOTE',
        value: 'harbour '.repeat(200),
      });
  });
  afterAll(() => world.stop());

  const read = (path: string, accepted?: string, method = 'GET', body?: unknown) =>
    alice.send(method, path, body, {
      headers: accepted === undefined ? {} : { 'Accept-Encoding': accepted },
    });

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['br, gzip', 'br'],
    ['gzip;q=0.9, br;q=0.1', 'gzip'],
    ['gzip;q=0.1, br;q=0.9', 'br'],
    ['*', 'gzip'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['deflate', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['', undefined],
    [',;=\u00ff,,', undefined],
  ])(
    'a long list is sent to a caller who accepts "%s" with the coding %s (rule 11.11)',
    async (accepted, coding) => {
      const plain = await read('/nodes');
      expect(plain.headers['content-encoding']).toBeUndefined();
      const { status, headers, bytes, text } = await read('/nodes', accepted);
      expect([status, headers['content-encoding'], headers['vary']]).toEqual([
        200,
        coding,
        expect.stringMatching(/, Accept-Encoding$/),
      ]);
      expect(Number(headers['content-length'])).toBe(bytes.length);
      expect(text).toBe(plain.text);
      if (coding) expect(bytes.length).toBeLessThan(plain.bytes.length / 5);
    },
  );

  it('searches and pages of sync are compressed, too', async () => {
    for (const [path, method, body] of [
      ['/nodes/search', 'POST', { query: 'harbour' }],
      ['/sync', 'GET'],
    ] as const)
      expect((await read(path, 'br', method, body)).headers['content-encoding']).toBe('br');
  });

  it('a HEAD has the headers of the GET, and no length where that is compressed', async () => {
    const [plain, got] = [await read('/nodes'), await read('/nodes', 'gzip')];
    const [head, packed] = [await read('/nodes', undefined, 'HEAD'), await read('/nodes', 'gzip', 'HEAD')];
    expect([head.status, packed.status, head.bytes.length, packed.bytes.length]).toEqual([200, 200, 0, 0]);
    expect(head.headers['content-length']).toBe(plain.headers['content-length']);
    expect(packed.headers['content-length']).toBeUndefined();
    for (const name of ['vary', 'content-type'])
      expect([head.headers[name], packed.headers[name]]).toEqual([plain.headers[name], got.headers[name]]);
    expect((await read('/nodes/count', 'gzip', 'HEAD')).headers['content-length']).toBe(
      (await read('/nodes/count')).headers['content-length'],
    );
  });

  it('short answers, writes and errors are sent as they are', async () => {
    const long = { title: 'A long one', node_type: 'NOTE', value: 'harbour '.repeat(1_000) };
    const made = await read('/nodes', 'br', 'POST', long);
    expect([made.status, made.headers['content-encoding']]).toEqual([201, undefined]);
    expect((await read('/nodes/count', 'br')).headers['content-encoding']).toBeUndefined();
    const refused = await read(
      `/nodes?${Array.from({ length: 20 }, (_, i) => `unknown_${i}=1`).join('&')}`,
      'br',
    );
    expect([refused.status, refused.headers['content-encoding']]).toEqual([400, undefined]);
    expect(refused.bytes.length).toBeGreaterThan(2_048);
  });

  it('answers beyond those being compressed are sent as they are, and none waits', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => read('/nodes?limit=100', 'br')));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(all.some(({ headers }) => headers['content-encoding'] === 'br')).toBe(true);
    const plain = (await read('/nodes?limit=100')).text;
    for (const { text } of all) expect(text).toBe(plain);
  });

  it('only reads without a secret are declared as such (ADR 78)', () => {
    const document = JSON.parse(JSON.stringify(buildOpenApi(world.nest))) as OpenAPIObject;
    const routes = world.nest.get(RouteTable).routes.filter(({ endpoint }) => endpoint?.holdsNoSecret);
    expect(routes.length).toBeGreaterThan(30);
    const faults = routes.flatMap(({ method, path, endpoint }) => {
      const name = `${method} ${path}`;
      if (!onlyReads(method, endpoint)) return [`${name} writes`];
      const template = path.replace(/[:*]([A-Za-z_]+)/g, '{$1}');
      const operation = (document.paths[template] as Record<string, { responses: Record<string, object> }>)[
        method.toLowerCase()
      ];
      const fields = fieldsIn(document, operation?.responses['200'], new Set());
      return [...fields].filter((field) => SECRET.test(field)).map((field) => `${name} has ${field}`);
    });
    expect(faults).toEqual([]);
  });

  it('a secret in an answer would be found at any depth', () => {
    const document = { components: { schemas: { One: { properties: { refresh_token: {} } } } } };
    const answer = { content: { schema: { items: { $ref: '#/components/schemas/One' } } } };
    expect([...fieldsIn(document as never, answer, new Set())].filter((field) => SECRET.test(field))).toEqual(
      ['refresh_token'],
    );
  });
});

/** The names of all properties in a part of the document. */
function fieldsIn(document: OpenAPIObject, part: unknown, seen: Set<string>): Set<string> {
  if (typeof part !== 'object' || part === null) return new Set();
  const found = new Set<string>();
  for (const [key, inner] of Object.entries(part)) {
    if (key === 'example' || key === 'examples') continue;
    if (key === 'properties') for (const name of Object.keys(inner as object)) found.add(name);
    const name = key === '$ref' ? (String(inner).split('/').at(-1) as string) : null;
    const below = name === null ? inner : seen.has(name) ? null : document.components?.schemas?.[name];
    if (name !== null) seen.add(name);
    for (const field of fieldsIn(document, below, seen)) found.add(field);
  }
  return found;
}
