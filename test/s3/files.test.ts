import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '../../src/config/config.js';
import { BLOB_STORE, type BlobStore } from '../../src/graph/files/application/blob-store.js';
import { Clock } from '../../src/kernel/clock.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { s3Environment } from '../support/s3.js';
import { type TestUser, World } from '../support/world.js';
import { file, follow, MB, sha256, upload } from '../support/worlds/files.js';
import { codeOf } from '../support/worlds/nodes.js';

describe('uploads', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.startHere(s3Environment);
    alice = await world.user('alice');
  });
  afterAll(() => world.stop());

  const keys = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { key } of world.nest.get<BlobStore>(BLOB_STORE).list()) found.push(key);
    return found.sort();
  };

  it('files in S3 come in, go out, in part and by link, and are not on the disk', async () => {
    const content = randomBytes(9 * MB);
    const { id, size } = await file(alice, { content, type: 'application/octet-stream' });
    expect(size).toBe(9 * MB);
    const whole = await alice.get(`/raw-files/${id}/download`);
    expect([whole.bytes.equals(content), whole.headers.etag]).toEqual([true, `"${sha256(content)}"`]);
    const part = await alice.get(`/raw-files/${id}/download`, {
      headers: { Range: `bytes=${5 * MB}-${6 * MB}` },
    });
    expect([part.status, part.bytes.equals(content.subarray(5 * MB, 6 * MB + 1))]).toEqual([206, true]);
    const { body } = await alice.get(`/nodes/${id}/download`);
    expect((await follow(body.download_url)).bytes.equals(content)).toBe(true);
    expect(existsSync(join(world.nest.get(Config).dataDir, 'files'))).toBe(false);
  });

  it('files in S3 that are too large leave nothing', async () => {
    const before = await keys();
    const answer = await upload(alice, '/raw-files', { content: Buffer.alloc(10 * MB + 1) });
    expect(codeOf(answer)).toEqual([413, 'FILE_TOO_LARGE']);
    expect(await keys()).toEqual(before);
  });

  it('files in S3 are stored once for one person, and swept when nothing refers to them', async () => {
    const before = await keys();
    const same = { content: 'the very same' };
    const [one, two] = [await file(alice, same), await file(alice, same)];
    expect((await keys()).length).toBe(before.length + 1);
    await upload(alice, '/raw-files', { fields: { tag_ids: 'none' } });
    expect((await keys()).length).toBe(before.length + 1);
    const clock = world.nest.get(Clock);
    const now = clock.now.bind(clock);
    clock.now = () => new Date(now().getTime() + 3 * 60 * 60_000);
    await world.nest.get(Housekeeping).sweep();
    clock.now = now;
    for (const { id } of [one, two])
      expect((await alice.get(`/raw-files/${id}/download`)).text).toBe('the very same');
  });

  it('the service is ready with it, and not without', async () => {
    expect((await world.api.get('//health/ready')).status).toBe(200);
    const lost = await World.startHere({ ...s3Environment, S3_ENDPOINT: 'http://127.0.0.1:9' });
    try {
      expect((await lost.api.get('//health/ready')).status).toBe(503);
      const bob = await lost.user();
      expect(codeOf(await upload(bob, '/raw-files'))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    } finally {
      await lost.stop();
    }
  });
});
