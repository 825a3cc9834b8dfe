import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestUser, World } from '../support/world.js';

describe('/users (rule 1.4)', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    world = await World.start();
    [alice, bob] = [await world.user('alice'), await world.user('bob', { is_public: true })];
  });
  afterAll(() => world.stop());

  it('other users are found by id, without private fields', async () => {
    const answer = await alice.get(`/users/${bob.id}`);
    expect([answer.status, answer.body]).toEqual([200, { id: bob.id, username: 'bob', is_public: true }]);
    expect((await alice.get(`/users/${bob.id.toUpperCase()}`)).body.id).toBe(bob.id);
  });

  it('other users are found by their whole username', async () => {
    const answer = await bob.get('/users?username=alice');
    expect([answer.status, answer.body]).toEqual([
      200,
      { users: [{ id: alice.id, username: 'alice', is_public: false }] },
    ]);
    for (const other of ['ali', 'alice%25', '_lice', '%27%20OR%201=1--', '', '%00x']) {
      const { status, body } = await bob.get(`/users?username=${other}`);
      if (status !== 400) expect([status, body]).toEqual([200, { users: [] }]);
    }
  });

  it('other users are not listed', async () => {
    const answer = await alice.get('/users');
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each(['0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f', 'nonsense', '%00', '..%2f'])(
    'other users are 404 for the id %s',
    async (id) => {
      const answer = await alice.get(`/users/${id}`);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('other users are visible to users only', async () => {
    const app = await world.app();
    for (const path of [`/users/${bob.id}`, '/users?username=bob']) {
      const byKey = await app.as(alice).get(path);
      expect([byKey.status, byKey.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
      expect((await world.api.get(path)).status).toBe(401);
    }
  });
});
