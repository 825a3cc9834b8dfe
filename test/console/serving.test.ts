import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { World } from '../support/world.js';

const ASSETS = 'dist/console/assets';

describe('the console over HTTP', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ RATE_LIMITS: 'on' });
  });
  afterAll(() => world.stop());

  interface Served {
    status: number;
    headers: Record<string, string | string[] | undefined>;
    body: Buffer;
  }
  /** The answer as it is on the wire: fetch would decompress it. */
  const get = (path: string, headers: Record<string, string> = {}): Promise<Served> =>
    new Promise((resolve, reject) => {
      request(`${world.origin}${path}`, { headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
        );
      })
        .on('error', reject)
        .end();
    });

  it.each([
    ['/console', 'console/assets/'],
    ['/console/', '../console/assets/'],
    ['/console/log-in', '../console/assets/'],
    ['/console/register', '../console/assets/'],
    ['/console/consent?request=abc', '../console/assets/'],
    ['/console/device?user_code=BCDF-GHJK', '../console/assets/'],
    ['/console/account', '../console/assets/'],
    ['/console/apps', '../console/assets/'],
    ['/console/apps/0197b1f2-0000-7000-8000-000000000000', '../../console/assets/'],
    ['/console/notes/0197b1f2-0000-7000-8000-000000000000', '../../console/assets/'],
    ['/console/proposals', '../console/assets/'],
    ['/console/proposals/0197b1f2-0000-7000-8000-000000000000', '../../console/assets/'],
  ])('the page at %s finds its files at %s', async (path, place) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    const names = [...body.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name as string);
    expect(names).toHaveLength(3);
    for (const name of names) {
      expect(name.slice(0, place.length)).toBe(place);
      expect((await get(new URL(name, `${world.origin}${path}`).pathname)).status).toBe(200);
    }
  });

  it.each([
    ['/console/none', '../console/assets/'],
    ['/console/apps/1/2', '../../../console/assets/'],
    ['/console/notes', '../console/assets/'],
    ['/console/proposals/1/2', '../../../console/assets/'],
    ['/console/assets', '../console/assets/'],
    ['/console/..%2fx', '../console/assets/'],
  ])('a path without a page is 404 with the page of the console, which says so: %s', async (path, place) => {
    const { status, headers, body } = await get(path);
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body.toString()).toContain(`src="${place}`);
  });

  it('a path without a file is 404 in the envelope', async () => {
    const { status, body } = await get('/console/assets/none.js');
    expect([status, JSON.parse(body.toString()).error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('pages may load this service alone, run no text of the page and be framed by nobody', async () => {
    const { headers } = await get('/console/consent');
    const policy = String(headers['content-security-policy']);
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toMatch(/https?:|\*/);
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]),
    );
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'unsafe-none',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['identity', (bytes: Buffer) => bytes],
  ] as const)('files are sent as %s, immutable', async (coding, restore) => {
    for (const name of readdirSync(ASSETS)) {
      const { status, headers, body } = await get(`/console/assets/${name}`, { 'Accept-Encoding': coding });
      expect(status).toBe(200);
      expect(headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers.vary).toContain('Accept-Encoding');
      expect(restore(body).equals(readFileSync(`${ASSETS}/${name}`))).toBe(true);
    }
  });

  it('a page and its files are not counted against the rate limit of a network', async () => {
    const statuses = new Set<number>();
    for (let load = 0; load < 70; load++) statuses.add((await get('/console')).status);
    expect([...statuses]).toEqual([200]);
  });
});
