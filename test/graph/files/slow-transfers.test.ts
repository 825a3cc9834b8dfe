import { jest } from '@jest/globals';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import { SpoolRoom } from '../../../src/kernel/spool/spool-room.js';
import { type Client } from '../../support/client.js';
import { outerGlobals } from '../../support/outer-globals.js';
import { until } from '../../support/until.js';
import { type TestUser, World } from '../../support/world.js';
import { file, MB, multipartOf, MULTIPART, storedIn, upload } from '../../support/worlds/files.js';
import { codeOf } from '../../support/worlds/nodes.js';
import { imports } from '../../portability/archives.js';

/** A caller's share: four uploads, or 32 downloads. */
const SHARE = { CALLER_MIB: '8', PROCESS_MIB: '64' };
const LARGE = Buffer.alloc(9 * MB, 'x');

/** Begins a request and sends as much of its body. */
function begin(
  world: World,
  client: Client,
  sent: { path: string; type: string; bytes: Buffer },
): ClientRequest {
  const headers = { ...client.credentials, 'Content-Type': sent.type, 'Content-Length': String(9 * MB) };
  const begun = request(`${world.origin}/api/v1${sent.path}`, { method: 'POST', headers, agent: false });
  begun.on('error', () => undefined);
  begun.write(sent.bytes);
  return begun;
}

const beginUpload = (world: World, client: Client): ClientRequest => {
  const bytes = multipartOf([{ name: 'file', filename: 'a.txt', content: 'a'.repeat(100_000) }], { end: '' });
  return begin(world, client, { path: '/raw-files', type: MULTIPART['Content-Type'], bytes });
};

/** Begins to read an answer, and stops. */
async function beginDownload(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [answer] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
  answer.pause().on('error', () => undefined);
  return answer;
}

describe('slow uploads and downloads', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    world = await World.startHere(SHARE);
  });
  beforeEach(async () => {
    [alice, bob] = [await world.user(), await world.user()];
  });
  afterAll(() => world.stop());

  it('uploads of one caller are limited by what they hold, and those of others are not (rule 11.9k)', async () => {
    const before = storedIn(world).length;
    const slow = Array.from({ length: 4 }, () => beginUpload(world, alice));
    await until(() => storedIn(world).length === before + 4, 'four uploads are under way');
    const refused = await upload(alice, '/raw-files');
    expect(codeOf(refused)).toEqual([503, 'TOO_MUCH_UNDER_WAY']);
    expect(refused.body.error.details).toEqual({ direction: 'received', limit: 'caller', max_bytes: 8 * MB });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await upload(bob, '/nodes/upload')).status).toBe(201);
    slow[0]?.destroy();
    await until(async () => (await upload(alice, '/raw-files')).status === 201, 'a place is free');
    for (const one of slow) one.destroy();
    await until(() => storedIn(world).length === before + 2, 'the drafts are gone');
  });

  it('all apps of one developer count together as senders and readers of files (rule 11.9k)', async () => {
    const apps = [await alice.lets(await world.app()), await alice.lets(await world.app())] as const;
    const before = storedIn(world).length;
    const slow = Array.from({ length: 4 }, (_, n) => beginUpload(world, apps[n % 2 === 0 ? 0 : 1]));
    await until(() => storedIn(world).length === before + 4, 'four uploads are under way');
    for (const app of apps) expect(codeOf(await upload(app, '/raw-files'))[0]).toBe(503);
    expect((await upload(alice, '/raw-files')).status).toBe(201);
    for (const one of slow) one.destroy();
    await until(() => storedIn(world).length === before + 1, 'the drafts are gone');
  });

  it('downloads of one caller are limited by what they hold, apart from those by links (rule 11.9k)', async () => {
    const { id } = await file(alice, { content: LARGE });
    const theirs = await file(bob, { content: 'of bob' });
    const path = `/raw-files/${id}/download`;
    const { download_url } = (await alice.get(`/nodes/${id}/download`)).body;
    const own: IncomingMessage[] = [];
    const byLink: IncomingMessage[] = [];
    for (let count = 0; count < 32; count++) {
      own.push(await beginDownload(`${world.origin}/api/v1${path}`, alice.credentials));
      byLink.push(await beginDownload(download_url, {}));
    }
    expect([...own, ...byLink].map(({ statusCode }) => statusCode)).toEqual(Array(64).fill(200));
    const refused = await alice.get(path);
    expect(codeOf(refused)).toEqual([503, 'TOO_MUCH_UNDER_WAY']);
    expect(refused.body.error.details).toEqual({ direction: 'sent', limit: 'caller', max_bytes: 8 * MB });
    expect(refused.headers['content-disposition']).toBeUndefined();
    expect((await beginDownload(download_url, {})).statusCode).toBe(503);
    expect((await alice.send('HEAD', path)).status).toBe(200);
    expect((await bob.get(`/raw-files/${theirs.id}/download`)).text).toBe('of bob');
    own.pop()?.destroy();
    await until(async () => (await alice.get(path)).status === 200, 'a place is free');
    for (const one of [...own, ...byLink]) one.destroy();
  });

  it('fields of an upload are refused when all of them together are too long', async () => {
    const before = storedIn(world);
    const fields = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, 'x'.repeat(500_000)]));
    const answer = await upload(alice, '/raw-files', { fields });
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details).toMatchObject([{ field: 'body' }]);
    const after = multipartOf([
      { name: 'file', filename: 'a.txt', content: 'a' },
      ...['a', 'b', 'c'].map((name) => ({ name, content: 'x'.repeat(500_000) })),
    ]);
    expect((await alice.post('/raw-files', after, { headers: MULTIPART })).status).toBe(400);
    await until(() => storedIn(world).length === before.length, 'the drafts are gone');
  });
});

describe('the room for uploads that are not complete', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.startHere();
  });
  afterAll(() => world.stop());

  it('uploads that are not complete take at most half of the free disk, and give it back (rule 6.5e)', async () => {
    const alice = await world.user();
    const room = world.nest.get(SpoolRoom);
    const before = storedIn(world);
    const full = jest.spyOn(room, 'freeBytes').mockResolvedValue(300_000);
    const refused = await upload(alice, '/raw-files');
    expect([codeOf(refused), refused.body.error.details]).toEqual([
      [503, 'TOO_MUCH_UNDER_WAY'],
      { limit: 'process' },
    ]);
    expect([storedIn(world), Reflect.get(room, 'used')]).toEqual([before, 0]);
    full.mockRestore();
    const slow = beginUpload(world, alice);
    await until(() => Reflect.get(room, 'used') > 0, 'it takes room');
    slow.destroy();
    await until(() => Reflect.get(room, 'used') === 0, 'it gives the room back');
    expect((await upload(alice, '/raw-files')).status).toBe(201);
    expect(Reflect.get(room, 'used')).toBe(0);
  });
});

describe('senders below the least rate', () => {
  let world: World;
  let alice: TestUser;
  /** The work that the service repeats each minute. */
  const minutely = new Set<() => void>();
  const { setInterval: repeat } = outerGlobals;
  beforeAll(async () => {
    outerGlobals.setInterval = ((work: () => void, ms: number) => {
      if (ms === 60_000) minutely.add(work);
      return repeat(work, ms);
    }) as typeof repeat;
    world = await World.startHere();
    alice = await world.user();
  });
  beforeEach(() => minutely.clear());
  afterAll(async () => {
    outerGlobals.setInterval = repeat;
    await world.stop();
  });

  /** Lets minutes pass in which nothing arrives. */
  const untilItEnds = async (begun: ClientRequest): Promise<void> => {
    await until(() => minutely.size > 0, 'the rate of the sender is looked at');
    let hasEnded = false;
    begun.once('close', () => (hasEnded = true));
    await until(() => {
      for (const look of minutely) look();
      return hasEnded;
    }, 'the request ends');
  };

  it('an upload whose sender is too slow ends with 408, and leaves nothing (rule 11.9k)', async () => {
    const before = storedIn(world).length;
    const begun = beginUpload(world, alice);
    const answered = once(begun, 'response') as Promise<[IncomingMessage]>;
    await until(() => storedIn(world).length === before + 1, 'the upload is under way');
    const [, [answer]] = await Promise.all([untilItEnds(begun), answered]);
    expect([answer.statusCode, answer.headers.connection]).toEqual([408, 'close']);
    await until(() => storedIn(world).length === before, 'the draft is gone');
    expect((await upload(alice, '/raw-files')).status).toBe(201);
  });

  it('an import whose sender is too slow ends, and can be sent again (rule 11.9k)', async () => {
    const archive = (await alice.get('/export')).bytes;
    const bob = await world.user();
    const type = 'application/zip';
    await untilItEnds(begin(world, bob, { path: '/import', type, bytes: archive.subarray(0, 100) }));
    await until(async () => (await imports(bob, archive)).status === 201, 'the account takes an import');
  });
});
