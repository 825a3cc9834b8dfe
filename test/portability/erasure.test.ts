import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { ACCOUNT, Workshop } from '../support/server.js';
import { type TestUser, type World } from '../support/world.js';
import { group } from '../support/worlds/people.js';
import { withWorld } from '../support/worlds/with-world.js';
import { erase, leavesNothing, MARK } from './erasures.js';
import { placesOf } from './places.js';

leavesNothing('on disk', {});

describe('rows of others', () => {
  let world: World;
  withWorld((started) => (world = started));

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

  it('a share that was passed on ends with the account of its sharer', async () => {
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
});

describe('unreachable rows', () => {
  let world: World;
  withWorld((started) => (world = started));
  afterEach(() => letClockRun(world));

  const sweep = () => world.nest.get(Housekeeping).sweep();
  const logOf = async (appId: string): Promise<number> => {
    const [row] = await world.nest
      .get(Database)
      .read<{ count: number }>(sql`SELECT count(*) AS count FROM changes WHERE owner_id = ${appId}`);
    return row?.count as number;
  };
  const appWithLog = async (developer: TestUser): Promise<string> => {
    const asks = (write: boolean) => ({
      name: 'app',
      requested_permissions: { tags: { read: true, write } },
    });
    const { body: app } = await developer.post('/apps', asks(true));
    expect((await developer.patch(`/apps/${app.id}`, asks(false))).status).toBe(200);
    expect(await logOf(app.id)).toBe(1);
    return app.id;
  };

  it('the contents of a disbanded group are erased after an hour, those of other groups stay (rule 10.1b)', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const [ended, living] = [await group(alice, [bob]), await group(alice, [bob])];
    for (const id of [ended, living])
      await alice.post(`/groups/${id}/nodes`, { title: `buried in ${id}`, node_type: 'note', tags: ['t'] });
    expect((await alice.delete(`/groups/${ended}`)).status).toBe(200);
    await sweep();
    expect(await placesOf(world, `buried in ${ended}`)).not.toEqual([]);
    holdClock(world).advance(3_601);
    await sweep();
    const places = (await placesOf(world, ended)).filter((place) => !/^(sequences|erasures)\./.test(place));
    expect(places).toEqual([]);
    expect(await placesOf(world, `buried in ${ended}`)).toEqual([]);
    holdClock(world).advance(7_202);
    await sweep();
    expect((await placesOf(world, ended)).filter((place) => place !== 'sequences.id')).toEqual([]);
    letClockRun(world);
    expect((await bob.get(`/groups/${living}/nodes`)).body.total).toBe(1);
    expect((await bob.get(`/groups/${ended}`)).status).toBe(404);
  });

  it('the log of a deleted app is erased by the hourly sweep (rule 9.8j)', async () => {
    const alice = await world.user();
    const [deleted, living] = [await appWithLog(alice), await appWithLog(alice)];
    await alice.delete(`/apps/${deleted}`);
    await sweep();
    expect([await logOf(deleted), await logOf(living)]).toEqual([0, 1]);
  });

  it('a deleted app leaves its name where authorizations name it, and nothing elsewhere (rule 1.5d)', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const description = {
      description: 'interred description',
      redirect_uris: ['https://interred.example.org'],
      requested_permissions: { schemas: { read: { schema_ids: ['interred schema'] } } },
    };
    const register = async (more: object) => (await alice.post('/apps', { name: 'known', ...more })).body;
    const [named, unknown] = [await register({ requested_permissions: {} }), await register(description)];
    const { authorization } = await bob.authorizes(named);
    for (const { id } of [named, unknown]) await alice.delete(`/apps/${id}`);
    expect(await placesOf(world, 'interred')).toEqual([]);
    holdClock(world).advance(3_601);
    await sweep();
    letClockRun(world);
    expect(await placesOf(world, unknown.id)).toEqual([]);
    const left = (await bob.get(`/authorizations/${authorization.id}`)).body;
    expect([left.status, left.app_name]).toEqual(['revoked', 'known']);
  });

  it('the logs of apps are erased with the account of their developer (rule 12.4)', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const [gone, living] = [await appWithLog(alice), await appWithLog(bob)];
    expect((await erase({ user: alice })).status).toBe(204);
    expect([await logOf(gone), await logOf(living)]).toEqual([0, 1]);
  });
});

describe('logs', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.clear());

  it('the logs of a server have nothing of an account, not of its life and not of its end', async () => {
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
