import { type AppCaller, requestedPermissionsFrom } from '../../identity/index.js';
import { templateRules } from '../domain/profile-rules.js';
import { byName } from '../domain/tags/tag-references.js';
import { TagVocabulary } from '../domain/tags/tag-vocabulary.js';
import { Accesses } from './accesses.service.js';

const TAGS = Array.from({ length: 10_000 }, (_, i) => ({
  id: `tag ${i}`,
  name: `name ${i}`,
  deleted: false,
}));
const PERMISSIONS = requestedPermissionsFrom({ tags: { discover: true, read: true } });
const STAMP = { changes: 1, policy: 1 };

function callerFor(userId: string): AppCaller {
  const app = { id: 'app', name: 'app', requestedPermissions: PERMISSIONS } as AppCaller['app'];
  const stamps = new Map([
    [userId, STAMP],
    ['app', STAMP],
  ]);
  return { kind: 'app', app, keyId: 'key', userId, boundAuthorizationId: null, stamps };
}

/** Decisions of owners who have ten thousand tags each, and the owners for whom one was loaded. */
function decisions(): { accesses: Accesses; loaded: string[] } {
  const loaded: string[] = [];
  const policy = {
    authorizationId: 'authorization',
    approved: PERMISSIONS,
    expiresAt: null,
    isActive: true,
    rules: byName(templateRules('transparent')),
  };
  const queries = {
    policy: ({ ownerId }: { ownerId: string }) => {
      loaded.push(ownerId);
      return Promise.resolve({ policy, vocabulary: new TagVocabulary(TAGS) });
    },
  };
  const secret = { bytes: Buffer.alloc(32) };
  const clock = { now: () => new Date(0) };
  const parts = [queries, {}, secret, clock, {}] as unknown as ConstructorParameters<typeof Accesses>;
  return { accesses: new Accesses(...parts), loaded };
}

describe('Accesses', () => {
  it('decisions kept in memory are dropped, those asked for longest ago first, when they take too much of it', async () => {
    const { accesses, loaded } = decisions();
    const owners = Array.from({ length: 40 }, (_, i) => `owner ${i}`);
    for (const owner of owners) await accesses.ofApp(callerFor(owner), owner);
    expect(loaded).toEqual(owners);
    await accesses.ofApp(callerFor('owner 39'), 'owner 39');
    expect(loaded).toEqual(owners);
    await accesses.ofApp(callerFor('owner 0'), 'owner 0');
    expect(loaded).toEqual([...owners, 'owner 0']);
  });
});
