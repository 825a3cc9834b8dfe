import { CredentialCache } from './credential-cache.js';

const MIB = 1024 * 1024;

describe('CredentialCache', () => {
  it('cached credentials are bounded by their bytes, however few they are', async () => {
    let loads = 0;
    const load = (name: string) => {
      loads++;
      return Promise.resolve({ name, stamp: { changes: 0, policy: 0 } });
    };
    const cache = new CredentialCache(load, { max: 10_000, bytesOf: () => 8 * MIB });
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await cache.recall(name);
    await cache.recall('e');
    expect(loads).toBe(names.length);
    await cache.recall('a');
    expect(loads).toBe(names.length + 1);
  });
});
