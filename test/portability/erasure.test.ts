import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { Database } from '../../src/kernel/persistence/database.js';
import { sql } from '../../src/kernel/persistence/sql.js';
import { onPostgres } from '../support/database.js';
import { hasS3, s3Environment } from '../support/s3.js';
import { ACCOUNT, Workshop } from '../support/server.js';
import { World } from '../support/world.js';
import { type FullAccount, fullAccount } from './full-account.js';
import { filesWith, keysWith, placesOf, storedWith } from './places.js';

const PASSWORD = 'correct horse battery';
const MARK = 'markedforerasure';
const erase = ({ user }: Pick<FullAccount, 'user'>, password = PASSWORD) =>
  user.delete('/auth/me', { password });

/** Until so many wait for a lock. A write that needs none is answered meanwhile, and told by the test. */
async function waiting(client: pg.Client, count: number): Promise<void> {
  for (let found = 0, looks = 0; found < count && looks < 5_000; looks++) {
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query(
      `SELECT count(*)::int AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    found = rows[0].found;
  }
}

const STORES: [where: string, environment: Record<string, string>][] = [
  ['on disk', {}],
  ...(hasS3 ? [['in S3', s3Environment] as [string, Record<string, string>]] : []),
];

describe.each(STORES)('an erased account, with files %s', (_, environment) => {
  let world: World;
  let alice: FullAccount;
  let other: FullAccount;

  beforeAll(async () => {
    world = await World.startHere({ ...environment, RATE_LIMITS: 'on', DEFAULT_TIER: 'enterprise' });
    alice = await fullAccount(world, MARK);
    other = await fullAccount(world, 'staying');
    await world.api.post('/auth/login', { email: `${MARK}@example.org`, password: 'a wrong password' });
  });
  afterAll(() => world.stop());

  it('needs the password', async () => {
    expect((await alice.user.delete('/auth/me')).status).toBe(400);
    expect((await alice.user.delete('/auth/me', {})).status).toBe(400);
    const { status, body } = await erase(alice, 'a wrong password');
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect((await alice.user.get('/auth/me')).status).toBe(200);
    expect((await placesOf(world, MARK)).length).toBeGreaterThan(40);
    expect(await storedWith(world, MARK)).toHaveLength(1);
  });

  it('leaves no byte of itself in the database, the files or Redis', async () => {
    const gone = await erase(alice);
    expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: '' });
    expect(await placesOf(world, MARK)).toEqual([]);
    expect(await storedWith(world, MARK)).toEqual([]);
    expect(filesWith(world.nest.get(Config).dataDir, MARK)).toEqual([]);
    expect(await keysWith(MARK)).toEqual([]);
    const ids = await placesOf(world, alice.user.id);
    // Numbers of counters, and whom the changes of others name; no word of anybody's.
    expect(
      ids.filter((place) => !/^(sequences\.id|erasures\.owner_id|changes\.|apps\.owner_id)/.test(place)),
    ).toEqual([]);
  });

  it('is nobody: its tokens, its apps and all keys for it have ended', async () => {
    expect((await alice.user.get('/auth/me')).status).toBe(401);
    expect((await alice.user.get('/nodes')).status).toBe(401);
    expect(
      (await world.api.post('/auth/login', { email: `${MARK}@example.org`, password: PASSWORD })).status,
    ).toBe(401);
    expect((await alice.app.as(alice.user).get('/nodes')).status).toBe(403);
    expect((await world.api.with({ 'X-API-Key': alice.developer.apiKey }).get('/apps/current')).status).toBe(
      401,
    );
    expect((await alice.friend.get(`/users/${alice.user.id}`)).status).toBe(404);
    expect((await alice.friend.get('/sharing/incoming')).body.total).toBe(0);
    expect((await alice.friend.get('/sharing/outgoing')).body.total).toBe(0);
    expect((await alice.friend.get('/follows/incoming')).body.total).toBe(0);
    expect((await alice.friend.get('/nodes?access=shared')).body.total).toBe(0);
    expect((await alice.friend.get('/groups/invitations/incoming')).body.total).toBe(0);
  });

  it('took nothing of others with it', async () => {
    expect((await other.user.get('/nodes')).body.total).toBe(8);
    expect((await other.user.get(`/raw-files/${other.file}/download`)).text).toBe('staying in a file');
    expect((await other.app.as(other.user).get('/nodes')).status).toBe(200);
    expect((await other.user.get(`/groups/${other.group}/nodes`)).body.total).toBe(1);
  });

  it('frees its names', async () => {
    const again = await world.user(undefined, { email: `${MARK}@example.org`, username: MARK });
    expect((await again.get('/nodes')).body.total).toBe(0);
    expect((await erase({ user: again })).status).toBe(204);
  });

  it('is forgotten by the sweep of a later hour', async () => {
    await world.nest.get(Database).read(sql`SELECT 1`);
    await world.nest.get(Housekeeping).sweep();
    expect(await placesOf(world, MARK)).toEqual([]);
  });
});

describe('what an erased account leaves to others', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.startHere();
  });
  afterAll(() => world.stop());

  it('a group goes on under the member who has been in it for longest', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const { body: group } = await alice.post('/groups', { name: 'club', deletion_policy: 'transfer' });
    const { body: invitation } = await alice.post(`/groups/${group.id}/invitations`, { user_id: bob.id });
    await bob.put(`/groups/invitations/${invitation.id}`, { action: 'accept' });
    await alice.post(`/groups/${group.id}/nodes`, { title: 'ours', node_type: 'note' });
    expect((await erase({ user: alice })).status).toBe(204);
    const { body } = await bob.get(`/groups/${group.id}`);
    expect(body).toMatchObject({ my_role: 'admin', member_count: 1 });
    expect((await bob.get(`/groups/${group.id}/nodes`)).body.total).toBe(1);
  });

  it('what was shared on ends with its giver', async () => {
    const [alice, bob, carol] = [await world.user(), await world.user(), await world.user()];
    const { body: node } = await alice.post('/nodes', { title: 'mine', node_type: 'note' });
    await alice.post('/sharing', { shared_with_user_id: bob.id, scope: 'all', can_share: true });
    const shared = await bob.post('/sharing', {
      shared_with_user_id: carol.id,
      scope: 'specific_nodes',
      node_ids: [node.id],
    });
    expect(shared.status).toBe(201);
    expect((await carol.get(`/nodes/${node.id}`)).status).toBe(200);
    await erase({ user: alice });
    expect((await carol.get(`/nodes/${node.id}`)).status).toBe(404);
    expect((await bob.get('/sharing/outgoing')).body.total).toBe(0);
  });

  it('authorizations of a developer’s apps read as revoked, and their profiles can be deleted', async () => {
    const [developer, bob] = [await world.user(), await world.user()];
    const { body: app } = await developer.post('/apps', {
      name: 'theirs',
      requested_permissions: { tags: { read: true } },
    });
    const { body: profile } = await bob.post('/exposure-profiles/from-template', {
      template: 'transparent',
      name: 'p',
    });
    await bob.post('/authorizations', { app_id: app.id, exposure_profile_id: profile.id });
    await erase({ user: developer });
    const { body } = await bob.get('/authorizations');
    expect(body.authorizations.map(({ status }: { status: string }) => status)).toEqual(['revoked']);
    expect((await bob.delete(`/exposure-profiles/${profile.id}`)).status).toBe(200);
  });

  (onPostgres ? it : it.skip)('its tokens and keys end at once in another process, too', async () => {
    const { databaseUrl, dataDir } = world.nest.get(Config);
    const second = await World.startHere({ DATABASE_URL: databaseUrl as string, DATA_DIR: dataDir });
    try {
      const [alice, app] = [await world.user(), await world.app()];
      const { authorization } = await alice.authorizes(app);
      const there = (headers: Record<string, string>) => second.api.with(headers).get('/nodes');
      const credentials: Record<string, string>[] = [
        { Authorization: `Bearer ${alice.token}` },
        { 'X-API-Key': app.apiKey, 'X-User-ID': alice.id },
        { 'X-API-Key': authorization.user_key as string },
      ];
      for (const one of credentials) expect((await there(one)).status).toBe(200);
      await erase({ user: alice });
      const statuses: number[] = [];
      for (const one of credentials) statuses.push((await there(one)).status);
      expect(statuses).toEqual([401, 403, 401]);
    } finally {
      await second.stop();
    }
  });

  it('writes that were under way fail as a whole', async () => {
    const alice = await world.user();
    await alice.post('/nodes', { title: 'first', node_type: 'note' });
    const writes = Array.from({ length: 24 }, (_, i) =>
      alice.post('/nodes', { title: `racing ${i}`, node_type: 'note' }),
    );
    const gone = await erase({ user: alice });
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(gone.status).toBe(204);
    expect(statuses.filter((status) => ![201, 401, 404].includes(status))).toEqual([]);
    await world.nest.get(Housekeeping).sweep();
    expect(await placesOf(world, 'racing ')).toEqual([]);
  });

  (onPostgres ? it : it.skip)(
    'nobody makes an app, a group or a place in one who is gone by then',
    async () => {
      const [alice, bob] = [await world.user(), await world.user()];
      const { body: group } = await bob.post('/groups', { name: 'theirs' });
      const { body: invitation } = await bob.post(`/groups/${group.id}/invitations`, { user_id: alice.id });
      const erasure = new pg.Client(world.nest.get(Config).databaseUrl as string);
      await erasure.connect();
      try {
        await erasure.query('BEGIN');
        await erasure.query('SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE', [alice.id]);
        const writes = Promise.all([
          alice.post('/apps', { name: 'late', requested_permissions: { tags: { read: true } } }),
          alice.post('/groups', { name: 'late' }),
          alice.put(`/groups/invitations/${invitation.id}`, { action: 'accept' }),
        ]);
        await waiting(erasure, 3);
        await erasure.query('DELETE FROM users WHERE id = $1', [alice.id]);
        await erasure.query('COMMIT');
        expect((await writes).map(({ status }) => status)).toEqual([401, 401, 401]);
      } finally {
        await erasure.end();
      }
      const database = world.nest.get(Database);
      for (const [table, column] of [
        ['apps', 'owner_id'],
        ['groups', 'created_by'],
        ['group_members', 'user_id'],
      ] as const)
        expect([
          table,
          await database.read(sql`SELECT 1 FROM ${sql.raw(table)} WHERE ${sql.raw(column)} = ${alice.id}`),
        ]).toEqual([table, []]);
    },
  );
});

describe('the logs of a server', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.clear());

  it('have nothing of an account, not of its life and not of its end', async () => {
    const server = await workshop.serve({ DATA_DIR: await workshop.emptyDirectory(), LOG_LEVEL: 'trace' });
    const account = { email: `${MARK}@example.org`, username: MARK, password: ACCOUNT.password };
    expect((await server.client().post('/auth/register', account)).status).toBe(201);
    const alice = await server.logIn(account);
    const { body: node } = await alice.post('/nodes', {
      title: MARK,
      value: MARK,
      node_type: MARK,
      tags: [MARK],
    });
    await alice.get(`/nodes?search=${MARK}&node_type=${MARK}`);
    await alice.put(`/nodes/${node.id}`, { title: `${MARK} new`, importance_score: MARK });
    await server.client().post('/auth/login', { ...account, password: `${MARK} wrong` });
    expect((await alice.get('/export')).status).toBe(200);
    expect(
      (await alice.post('/import', MARK, { headers: { 'Content-Type': 'application/zip' } })).status,
    ).toBe(409);
    expect((await alice.delete('/auth/me', { password: account.password })).status).toBe(204);
    await server.kill('SIGTERM');
    expect(server.stdout.length).toBeGreaterThan(500);
    expect(server.stdout + server.stderr).not.toContain(MARK);
  });
});
