import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { type Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { BLOB_STORE, BlobMissing, type BlobStore } from '../../../src/graph/files/application/blob-store.js';
import { S3BlobStore, type S3Patience } from '../../../src/graph/files/infrastructure/blob-store.s3.js';
import { newId } from '../../../src/kernel/ids.js';
import { SpoolRoom } from '../../../src/kernel/spool/spool-room.js';
import { ErasureService } from '../../../src/portability/application/erasure.service.js';
import { type Fault, FaultyS3, type Operation } from '../../support/faulty-s3.js';
import { spoolsOfTest } from '../../support/spools.js';
import { until } from '../../support/until.js';
import { type TestUser, World } from '../../support/world.js';
import { file, MB, multipartOf, MULTIPART, upload } from '../../support/worlds/files.js';
import { codeOf } from '../../support/worlds/nodes.js';

/** A guard without an effect waits for a minute instead. */
const SOON_MS = 20_000;
const HASTE: S3Patience = { answer: 200, word: 200 };
const PATIENCE: S3Patience = { answer: 60_000, word: 10_000 };

const { openSpool } = spoolsOfTest();
let s3: FaultyS3;
beforeAll(async () => {
  s3 = await FaultyS3.start();
});
afterEach(() => s3.heal());
afterAll(() => s3.stop());

describe('S3', () => {
  const stores: S3BlobStore[] = [];
  afterEach(() => stores.splice(0).forEach((store) => store.close()));

  function open(patience?: Partial<S3Patience>): S3BlobStore {
    const store = new S3BlobStore(s3.settings, openSpool, { ...HASTE, ...patience });
    stores.push(store);
    return store;
  }

  async function* bytes(size: number): AsyncGenerator<Buffer> {
    for (let rest = size; rest > 0; rest -= MB) yield Buffer.alloc(Math.min(rest, MB), 'x');
  }

  const stored = (size: number): Promise<string> => written(open(PATIENCE), size);

  async function written(store: BlobStore, size: number): Promise<string> {
    const key = newId();
    await store.write(key, bytes(size));
    return key;
  }

  async function lengthOf(body: Readable): Promise<number> {
    let length = 0;
    for await (const chunk of body) length += (chunk as Buffer).length;
    return length;
  }

  it(
    'more readers than sixty slow ones are served',
    async () => {
      const store = open(PATIENCE);
      const key = await written(store, MB);
      const slow = await Promise.all(Array.from({ length: 60 }, () => store.read(key)));
      await store.check();
      expect(await lengthOf(await store.read(key))).toBe(MB);
      for (const body of slow) body.destroy();
    },
    SOON_MS,
  );

  it.each<[Operation, Fault, (store: BlobStore, key: string) => Promise<unknown>]>([
    ['ListObjectsV2', 'stall', (store) => store.list()[Symbol.asyncIterator]().next()],
    ['ListMultipartUploads', 'stall', (store) => store.removeUnfinished(new Date())],
    ['CompleteMultipartUpload', 'stall', (store) => written(store, 6 * MB)],
    ['GetObject', 'stalled refusal', (store, key) => store.read(key)],
  ])(
    'the operation %s is abandoned when its answer is a %s',
    async (operation, fault, ask) => {
      const key = await stored(MB);
      s3.faults.set(operation, fault);
      await expect(ask(open(), key)).rejects.toThrow();
      await until(() => s3.underWay === 0, 'the connection is closed');
    },
    SOON_MS,
  );

  it(
    'a body that stalls is aborted, and no connection is held for it',
    async () => {
      const key = await stored(4 * MB);
      s3.faults.set('GetObject', 'stall');
      await expect(lengthOf(await open().read(key))).rejects.toThrow('the sender fell silent');
      await until(() => s3.underWay === 0, 'the connection is closed');
    },
    SOON_MS,
  );

  it('a slow reader can continue to the end', async () => {
    const body = await open().read(await stored(24 * MB));
    let length = 0;
    for await (const chunk of body) {
      // At the beginning, in the middle, and after everything but the end was taken.
      const before = length;
      length += (chunk as Buffer).length;
      const isAtMark = before === 0 || length === 24 * MB || (before < 12 * MB && length >= 12 * MB);
      if (isAtMark) await pause(5 * HASTE.answer);
    }
    expect(length).toBe(24 * MB);
  });

  it.each<[Operation, (store: BlobStore) => Promise<unknown>]>([
    ['HeadBucket', (store) => store.check()],
    ['HeadObject', (store) => store.size(newId())],
    ['DeleteObject', (store) => store.remove(newId())],
  ])(
    'a store that does not answer %s is not waited for, even where parts may take longer',
    async (operation, ask) => {
      s3.faults.set(operation, 'silent');
      await expect(ask(open({ answer: 60_000 }))).rejects.toThrow();
      await until(() => s3.underWay === 0, 'the connection is closed');
    },
    SOON_MS,
  );

  it(
    'large objects are requested twice from the store',
    async () => {
      s3.faults.set('GetObject', 'silent');
      await expect(open().read(newId())).rejects.toThrow('requestTimeout');
      expect(s3.timesOf('GetObject')).toBe(2);
    },
    SOON_MS,
  );

  it.each<[string, Operation, Fault]>([
    ['refuses a part', 'UploadPart', [403, 'AccessDenied']],
    ['takes no part', 'UploadPart', 'silent'],
    ['does not put the parts together', 'CompleteMultipartUpload', [500, 'InternalError']],
    ['does not say what it has', 'HeadObject', 'silent'],
  ])(
    'a store that %s stores nothing of a write',
    async (_, operation, fault) => {
      const before = s3.objects.size;
      s3.faults.set(operation, fault);
      await expect(written(open({ word: 2_000 }), 12 * MB)).rejects.toThrow();
      expect([s3.objects.size, s3.uploads.size]).toEqual([before, 0]);
    },
    SOON_MS,
  );

  it(
    'a store that does not answer the abort of a write is left alone',
    async () => {
      s3.faults.set('UploadPart', [403, 'AccessDenied']);
      for (const operation of ['AbortMultipartUpload', 'DeleteObject'] as const)
        s3.faults.set(operation, 'silent');
      await expect(written(open({ answer: 60_000 }), 12 * MB)).rejects.toThrow('as the test wants it');
      expect([s3.timesOf('AbortMultipartUpload'), s3.timesOf('DeleteObject')]).toEqual([1, 1]);
    },
    SOON_MS,
  );

  it(
    'parts are stored although the store does not support `Expect: 100-continue`',
    async () => {
      expect(await open(PATIENCE).size(await stored(12 * MB))).toBe(12 * MB);
    },
    SOON_MS,
  );

  it.each<[Operation, number]>([
    ['PutObject', MB],
    ['UploadPart', 6 * MB],
  ])(
    'a process has at most eight requests of %s with their bytes in memory (rule 6.5e)',
    async (operation, size) => {
      s3.faults.set(operation, 'held');
      const store = open(PATIENCE);
      let isDone = false;
      const writes = Promise.all(Array.from({ length: 12 }, () => written(store, size)));
      void writes.finally(() => (isDone = true));
      await until(() => s3.held.length === 8, 'eight requests are held');
      await until(() => {
        s3.held.shift()?.();
        return isDone;
      }, 'all is written');
      expect(s3.mostHeld).toBe(8);
      for (const key of await writes) expect(await store.size(key)).toBe(size);
    },
  );

  it('a write that breaks off while S3 begins its upload leaves nothing', async () => {
    s3.faults.set('CreateMultipartUpload', 'held');
    let isBroken = false;
    const broken = async function* (): AsyncGenerator<Buffer> {
      yield* bytes(6 * MB);
      await until(() => s3.held.length === 1, 'the upload begins');
      isBroken = true;
      throw new Error('the sender is gone');
    };
    const refused = expect(open(PATIENCE).write(newId(), broken())).rejects.toThrow('the sender is gone');
    await until(() => isBroken, 'the sender is gone');
    s3.held.shift()?.();
    await refused;
    expect(s3.uploads.size).toBe(0);
  });

  it('a missing blob is reported, but not when its bucket is gone', async () => {
    await expect(open().read(newId())).rejects.toThrow(BlobMissing);
    s3.faults.set('GetObject', [404, 'NoSuchBucket']);
    await expect(open().read(newId())).rejects.not.toThrow(BlobMissing);
  });
});

describe('the service on a failing blob store in S3', () => {
  let world: World;
  let alice: TestUser;
  let path: string;
  let store: BlobStore;
  let read: BlobStore['read'];
  const hasty = (settings = s3.settings): BlobStore['read'] => {
    const other = new S3BlobStore(settings, openSpool, HASTE);
    return (...asked) => other.read(...asked);
  };

  beforeAll(async () => {
    world = await World.startHere(s3.environment);
    alice = await world.user('alice');
    path = `/raw-files/${(await file(alice, { content: Buffer.alloc(9 * MB, 'x') })).id}/download`;
    store = world.nest.get<BlobStore>(BLOB_STORE);
    read = store.read.bind(store);
  });
  beforeEach(() => {
    store.read = read;
  });
  afterAll(() => world.stop());

  async function expectUnavailable(): Promise<void> {
    const answer = await alice.get(path);
    expect(codeOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.body.error.message).toBe('File storage is temporarily unavailable; try again later');
    expect(answer.headers['retry-after']).toBe('5');
  }

  it.each<[string, Fault]>([
    ['InternalError', [500, 'InternalError']],
    ['SlowDown', [503, 'SlowDown']],
    ['TooManyRequests', [429, 'TooManyRequests']],
    ['AccessDenied', [403, 'AccessDenied']],
    ['InvalidAccessKeyId', [403, 'InvalidAccessKeyId']],
    ['PermanentRedirect', [301, 'PermanentRedirect']],
    ['NoSuchBucket', [404, 'NoSuchBucket']],
    ['a reset', 'reset'],
    ['silence', 'silent'],
  ])('answers %s with a temporary failure to read files', async (_, fault) => {
    s3.faults.set('GetObject', fault);
    store.read = hasty();
    await expectUnavailable();
  });

  it.each<[string, () => BlobStore['read']]>([
    ['a port where nobody listens', () => hasty({ ...s3.settings, endpoint: 'http://127.0.0.1:9' })],
    [
      'another protocol',
      () => hasty({ ...s3.settings, endpoint: (s3.settings.endpoint as string).replace('http:', 'https:') }),
    ],
    // The SDK's error when the first packet is never answered.
    ['no connection', () => () => Promise.reject(Object.assign(new Error('none'), { name: 'TimeoutError' }))],
  ])('answers %s with a temporary failure to read files', async (_, failing) => {
    store.read = failing();
    await expectUnavailable();
  });

  it('uploads of slow senders wait on the disk, in the room for them, and send nothing to S3 (rule 6.5e)', async () => {
    const room = world.nest.get(SpoolRoom);
    const taken = (): number => Reflect.get(room, 'used') as number;
    const part = multipartOf([{ name: 'file', filename: 'a', content: Buffer.alloc(4 * MB) }], { end: '' });
    const headers = { ...alice.credentials, ...MULTIPART, 'Content-Length': String(9 * MB) };
    s3.calls.length = 0;
    const slow = Array.from({ length: 3 }, () => {
      const begun = request(`${world.origin}/api/v1/raw-files`, { method: 'POST', headers, agent: false });
      begun.on('error', () => undefined).write(part);
      return begun;
    });
    // The last bytes of each are still in its buffers.
    await until(() => taken() > 3 * 3.5 * MB, 'the bytes are on the disk');
    expect(s3.calls).toEqual([]);
    for (const one of slow) one.destroy();
    await until(() => taken() === 0, 'the room is free');
    expect(s3.timesOf('PutObject') + s3.timesOf('CreateMultipartUpload')).toBe(0);
  });

  it('reports the failure for uploads, and in its readiness', async () => {
    s3.faults.set('PutObject', [500, 'InternalError']).set('HeadBucket', [500, 'InternalError']);
    for (const answer of [await upload(alice, '/raw-files'), await world.api.get('//health/ready')]) {
      expect(codeOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(answer.headers['retry-after']).toBe('5');
    }
  });

  it('logs a missing blob as damage', async () => {
    const { id } = await file(alice, { content: 'to be lost' });
    s3.objects.delete([...s3.objects.keys()].at(-1) as string);
    expect(codeOf(await alice.get(`/raw-files/${id}/download`))).toEqual([500, 'INTERNAL_ERROR']);
  });

  it(
    'aborts a download that stalls',
    async () => {
      s3.faults.set('GetObject', 'stall');
      store.read = hasty();
      await expect(alice.get(path)).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    },
    SOON_MS,
  );

  it.each([
    ['the whole', {}],
    ['a range', { Range: `bytes=0-${8 * MB}` }],
  ])(
    'holds no connection for a client that has left while %s stalls',
    async (_, headers) => {
      s3.faults.set('GetObject', 'stall');
      const asked = get(`${world.origin}/api/v1${path}`, { headers: { ...alice.credentials, ...headers } });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      // No more data comes, and one piece is held back until the next.
      let length = 0;
      answer.on('data', (chunk: Buffer) => (length += chunk.length)).on('error', () => undefined);
      await until(() => length >= 4 * MB, 'half of it is there');
      answer.destroy();
      await until(() => s3.underWay === 0, 'the connection is closed');
    },
    SOON_MS,
  );

  it('erases accounts, and removes their bytes when it can', async () => {
    const bob = await world.user();
    const before = s3.objects.size;
    for (let count = 0; count < 5; count++) await file(bob, { content: `of bob ${count}` });
    const removed = s3.timesOf('DeleteObject');
    s3.faults.set('DeleteObject', [403, 'AccessDenied']);
    expect((await bob.delete('/auth/me', { password: 'correct horse battery' })).status).toBe(204);
    expect([s3.timesOf('DeleteObject') - removed, s3.objects.size]).toEqual([5, before + 5]);
    s3.heal();
    await world.nest.get(ErasureService).sweep();
    expect(s3.objects.size).toBe(before);
  });
});
