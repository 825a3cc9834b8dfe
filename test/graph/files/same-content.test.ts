import { jest } from '@jest/globals';
import { BLOB_STORE, type BlobStore } from '../../../src/graph/files/application/blob-store.js';
import { until } from '../../support/until.js';
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

  it('an upload of bytes that are stored already is answered before they are removed again', async () => {
    const store = world.nest.get<BlobStore>(BLOB_STORE);
    const sent = { content: Buffer.from('a form letter') };
    expect((await upload(alice, '/raw-files', sent)).status).toBe(201);
    const before = storedIn(world);
    let remove: () => void = () => undefined;
    const isAllowed = new Promise<void>((resolve) => (remove = resolve));
    const original = store.remove.bind(store);
    jest.spyOn(store, 'remove').mockImplementation((key) => isAllowed.then(() => original(key)));
    expect((await upload(alice, '/raw-files', sent)).status).toBe(201);
    remove();
    await until(() => storedIn(world).length === before.length, 'the second copy is gone');
    expect(storedIn(world)).toEqual(before);
  });
});
