import { jest } from '@jest/globals';
import { BLOB_STORE, type BlobStore } from '../../src/graph/files/application/blob-store.js';
import { BlobIntake } from '../../src/graph/files/application/blob-intake.js';
import { GRACE_MS } from '../../src/graph/files/application/blob-sweep.js';
import { file } from '../support/worlds/files.js';
import { codeOf } from '../support/worlds/nodes.js';
import { World } from '../support/world.js';
import { imports } from './archives.js';

it('an archive that takes so long that its files could be swept is refused, and leaves none', async () => {
  const world = await World.startHere();
  try {
    const [alice, bob] = [await world.user(), await world.user()];
    await file(alice, { content: 'kept' });
    const { bytes } = await alice.get('/export');
    const intake = world.nest.get(BlobIntake);
    const take = intake.take.bind(intake);
    const now = performance.now.bind(performance);
    jest.spyOn(intake, 'take').mockImplementation(async (...given) => {
      const blob = await take(...given);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + GRACE_MS / 2);
      return blob;
    });
    expect(codeOf(await imports(bob, bytes))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    jest.restoreAllMocks();
    const keys: string[] = [];
    for await (const { key } of world.nest.get<BlobStore>(BLOB_STORE).list()) keys.push(key);
    expect(keys).toHaveLength(1);
    expect((await imports(bob, bytes)).status).toBe(201);
  } finally {
    await world.stop();
  }
});
