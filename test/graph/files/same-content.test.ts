import { jest } from '@jest/globals';
import { BLOB_STORE, type BlobStore } from '../../../src/graph/files/application/blob-store.js';
import { type TestUser, World } from '../../support/world.js';
import { storedIn, upload } from '../../support/worlds/files.js';

describe('uploads of the same bytes', () => {
  let world: World;
  let alice: TestUser;
  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user('alice');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  it('an upload costs the store the same, whether its bytes are new or stored in a file that may be hidden', async () => {
    const store = world.nest.get<BlobStore>(BLOB_STORE);
    const calls = { write: jest.spyOn(store, 'write'), remove: jest.spyOn(store, 'remove') };
    const sent = { content: Buffer.from('a form letter') };
    const cost = async () => {
      jest.clearAllMocks();
      expect((await upload(alice, '/raw-files', sent)).status).toBe(201);
      return [calls.write.mock.calls.length, calls.remove.mock.calls.length];
    };
    const first = await cost();
    const before = storedIn(world);
    expect(first).toEqual([1, 1]);
    expect(await cost()).toEqual(first);
    expect(storedIn(world)).toEqual(before);
  });
});
