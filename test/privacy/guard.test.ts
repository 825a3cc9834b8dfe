import { jest } from '@jest/globals';
import { Clock } from '../../src/kernel/clock.js';
import { AccessQueries } from '../../src/privacy/infrastructure/access.queries.js';
import { AuthorizationsQueries } from '../../src/privacy/infrastructure/authorizations.queries.js';
import { type Answer, type Client } from '../support/client.js';
import { allSchemas, allTags, everything, readOnly } from '../support/defaults.js';
import { type TestApp, type TestUser, World } from '../support/world.js';

const UNKNOWN = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const reading = { tag_permissions: { discover: allTags, read: allTags }, schema_permissions: allSchemas };
const MINUTE = 60_000;

let world: World;
let alice: TestUser;
let ahead = 0;

beforeAll(async () => {
  world = await World.startHere();
  world.nest.get(Clock).now = () => new Date(Date.now() + ahead);
});
beforeEach(async () => {
  ahead = 0;
  alice = await world.user();
});
afterAll(() => world.stop());

const withoutId = ({ status, text, body }: Answer): string =>
  `${status} ${text.replace(String(body.error?.request_id), '')}`;

describe('403', () => {
  it('an app that may not act for the user is told the same whatever is missing (rules 1.8, 2.9)', async () => {
    const app = await world.app();
    const revoked = await world.user();
    await alice.authorizes(await world.app());
    await revoked.delete(`/authorizations/${(await revoked.authorizes(app)).authorization.id}`);
    const suspended = await world.user();
    const { profile } = await suspended.authorizes(app);
    await suspended.put(`/exposure-profiles/${profile.id}`, { is_active: false });
    const expired = await world.user();
    const { authorization } = await expired.authorizes(app);
    const expires_at = new Date(Date.now() + MINUTE).toISOString();
    await expired.patch(`/authorizations/${authorization.id}`, { expires_at });
    ahead = 2 * MINUTE;
    const users = [alice.id, revoked.id, suspended.id, expired.id, UNKNOWN];
    const as = (id: string): Client => app.alone.with({ 'X-User-ID': id });
    const answers = await Promise.all([
      ...users.map((id) => as(id).get('/nodes')),
      ...users.map((id) => as(id).get(`/nodes/${UNKNOWN}`)),
      ...users.map((id) => as(id).post('/nodes', '{')),
      ...users.map((id) => as(id).get('/authorizations/current')),
    ]);
    expect(new Set(answers.map(withoutId)).size).toBe(1);
    expect(answers[0]!.body.error.code).toBe('PERMISSION_DENIED');
    expect(answers[0]!.status).toBe(403);
  });
});

describe('the next request sees (rule 2.8)', () => {
  it('an edit of the profile, and its being taken back', async () => {
    const app = await world.app({ requested: readOnly });
    const { profile } = await alice.authorizes(app, reading);
    await alice.post('/nodes', { title: 'a', node_type: 'note', tags: ['x'] });
    const total = async () => (await app.as(alice).get('/nodes')).body.total;
    for (let i = 0; i < 10; i++) {
      await alice.put(`/exposure-profiles/${profile.id}`, { excluded_node_types: ['note'] });
      expect(await total()).toBe(0);
      await alice.put(`/exposure-profiles/${profile.id}`, { excluded_node_types: [] });
      expect(await total()).toBe(1);
    }
  });

  it('suspension and its end, another profile, revocation, a new approval', async () => {
    const app = await world.app();
    const client = app.as(alice);
    const { profile, authorization } = await alice.authorizes(app);
    const status = async () => (await client.post('/nodes', { title: 'a', node_type: 'note' })).status;
    expect(await status()).toBe(201);
    await alice.put(`/exposure-profiles/${profile.id}`, { is_active: false });
    expect(await status()).toBe(403);
    expect((await client.get('/nodes')).status).toBe(403);
    await alice.put(`/exposure-profiles/${profile.id}`, { is_active: true });
    expect(await status()).toBe(201);
    await alice.delete(`/authorizations/${authorization.id}`);
    expect(await status()).toBe(403);
    const again = (await alice.authorizes(app)).authorization;
    expect(await status()).toBe(201);
    await client.delete('/authorizations/current');
    expect(await status()).toBe(403);
    expect(again.id).not.toBe(authorization.id);
  });

  it('the end of an authorization that comes with time only, on a decision that is remembered', async () => {
    const app = await world.app();
    const { authorization } = await alice.authorizes(app);
    const expires_at = new Date(Date.now() + MINUTE).toISOString();
    await alice.patch(`/authorizations/${authorization.id}`, { expires_at });
    expect((await app.as(alice).get('/nodes')).status).toBe(200);
    ahead = 2 * MINUTE;
    expect((await app.as(alice).get('/nodes')).status).toBe(403);
    ahead = 0;
    expect((await app.as(alice).get('/nodes')).status).toBe(200);
  });

  it('an authorization made after the app was refused', async () => {
    const app = await world.app();
    expect((await app.as(alice).get('/nodes')).status).toBe(403);
    await alice.authorizes(app);
    expect((await app.as(alice).get('/nodes')).status).toBe(200);
  });

  it('a tag that is made, renamed or deleted', async () => {
    const client = await alice.lets(await world.app({ requested: everything }));
    const names = async () => (await client.get('/tags')).body.tags.map(({ name }: { name: string }) => name);
    const { body: tag } = await alice.post('/tags', { name: 'one' });
    expect(await names()).toEqual(['one']);
    await alice.put(`/tags/${tag.id}`, { name: 'two' });
    expect(await names()).toEqual(['two']);
    await alice.delete(`/tags/${tag.id}`);
    expect(await names()).toEqual([]);
  });
});

describe('caching', () => {
  it('a decision that is remembered costs no query of the guard, for apps and for owners', async () => {
    const client = await alice.lets(await world.app());
    await client.get('/nodes');
    await alice.get('/nodes');
    const queries = world.nest.get(AccessQueries);
    const [policy, vocabulary] = [jest.spyOn(queries, 'policy'), jest.spyOn(queries, 'vocabulary')];
    for (let i = 0; i < 5; i++) {
      expect((await client.get('/nodes')).status).toBe(200);
      expect((await alice.get('/nodes')).status).toBe(200);
      expect((await client.post('/nodes', { title: 'a', node_type: 'note' })).status).toBe(201);
    }
    expect([policy.mock.calls.length, vocabulary.mock.calls.length]).toEqual([0, 0]);
    await alice.post('/tags', { name: 'new' });
    await client.get('/nodes');
    expect([policy.mock.calls.length, vocabulary.mock.calls.length]).toEqual([1, 0]);
    policy.mockRestore();
    vocabulary.mockRestore();
  });

  it('a decision that is remembered is not shared between users, apps, or a key and a user key', async () => {
    const app = await world.app();
    const bob = await world.user();
    await alice.post('/nodes', { title: "alice's", node_type: 'note' });
    await bob.post('/nodes', { title: "bob's", node_type: 'note' });
    const { authorization } = await alice.authorizes(app);
    const { profile } = await bob.authorizes(app);
    await bob.put(`/exposure-profiles/${profile.id}`, reading);
    const titles = async (client: Client) =>
      (await client.get('/nodes')).body.nodes.map(({ title }: { title: string }) => title);
    const bound = world.api.with({ 'X-API-Key': authorization.user_key });
    for (let i = 0; i < 3; i++) {
      expect(await titles(app.as(alice))).toEqual(["alice's"]);
      expect(await titles(app.as(bob))).toEqual(["bob's"]);
      expect(await titles(bound)).toEqual(["alice's"]);
    }
    const create = (client: Client) => client.post('/nodes', { title: 'x', node_type: 'note' });
    expect((await create(app.as(bob))).status).toBe(403);
    expect((await create(bound)).status).toBe(201);
  });
});

describe('users of an app key (rule 1.9)', () => {
  const create = (client: Client) => client.post('/third-party/tags', { name: `tag ${world.number()}` });
  const code = ({ status, body }: Answer): [number, string | undefined] => [status, body.error?.code];

  it('an app with a user key acts for the user of that key', async () => {
    const app = await world.app();
    const bob = await world.user();
    const { authorization } = await alice.authorizes(app);
    await bob.authorizes(app);
    const bound = world.api.with({ 'X-API-Key': authorization.user_key });
    const { status, body } = await create(bound);
    expect([status, body.owner_id]).toEqual([201, alice.id]);
    expect((await create(bound.with({ 'X-User-ID': alice.id.toUpperCase() }))).status).toBe(201);
    expect(code(await create(bound.with({ 'X-User-ID': bob.id })))).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('an app acts for the one user who has authorized it', async () => {
    const app = await world.app();
    const bob = await world.user();
    await alice.authorizes(app);
    const { status, body } = await create(app.alone);
    expect([status, body.owner_id]).toEqual([201, alice.id]);
    expect((await create(app.as(alice))).status).toBe(201);
    expect(code(await create(app.as(bob)))).toEqual([403, 'PERMISSION_DENIED']);
    expect(code(await create(app.alone.with({ 'X-User-ID': 'nobody' })))).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('the user must be named where several have authorized the app, or none', async () => {
    const app = await world.app();
    const bob = await world.user();
    expect(code(await create(app.alone))).toEqual([400, 'USER_REQUIRED']);
    expect(code(await create(app.as(alice)))).toEqual([403, 'PERMISSION_DENIED']);
    const { authorization } = await alice.authorizes(app);
    await bob.authorizes(app);
    expect(code(await create(app.alone))).toEqual([400, 'USER_REQUIRED']);
    expect((await create(app.as(bob))).body.owner_id).toBe(bob.id);
    expect(code(await create(app.alone.with({ 'X-User-ID': UNKNOWN })))).toEqual([403, 'PERMISSION_DENIED']);
    await alice.delete(`/authorizations/${authorization.id}`);
    expect((await create(app.alone)).body.owner_id).toBe(bob.id);
  });

  it('the named user changes nothing of what the app may do: the permission comes before the body', async () => {
    const app = await world.app({ requested: { tags: { read: true, discover: true } } });
    await alice.authorizes(app);
    expect(code(await app.alone.post('/third-party/tags', { name: 7 }))).toEqual([403, 'PERMISSION_DENIED']);
    expect(code(await alice.post('/third-party/tags', { name: 'x' }))).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('the guards decide by what the app asks for now, also when that changes while its user is looked for', async () => {
    const developer = await world.user();
    const { body: app } = await developer.post('/apps', { name: 'x', requested_permissions: everything });
    await alice.authorizes({ id: app.id } as TestApp);
    await alice.post('/nodes', { title: 'a', node_type: 'note', tags: ['x'] });
    const queries = world.nest.get(AuthorizationsQueries);
    const activeUsers = queries.activeUsers.bind(queries);
    const looking = jest.spyOn(queries, 'activeUsers').mockImplementationOnce(async (appId, limit) => {
      const users = await activeUsers(appId, limit);
      await developer.patch(`/apps/${app.id}`, { requested_permissions: {} });
      return users;
    });
    const client = world.api.with({ 'X-API-Key': app.api_key });
    // After a second the request would be decided again (rule 2.8).
    const time = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    // An existing tag: a new one would raise the user's counter and hide a missing update.
    expect((await client.post('/third-party/tags', { name: 'x' })).status).toBe(409);
    time.mockRestore();
    expect(looking).toHaveBeenCalledTimes(1);
    const nodes = await client.with({ 'X-User-ID': alice.id }).get('/nodes');
    expect([nodes.status, nodes.body.total]).toEqual([200, 0]);
    expect((await create(client)).status).toBe(403);
  });
});
