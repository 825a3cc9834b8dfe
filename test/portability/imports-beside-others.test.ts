import { Users } from '../../src/identity/index.js';
import { RestoredChecks } from '../../src/portability/infrastructure/restored-checks.queries.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { RouteTable } from '../../src/kernel/http/route-table.js';
import { miscounted } from '../support/counted.js';
import { onPostgres } from '../support/database.js';
import { until } from '../support/until.js';
import { codeOf } from '../support/worlds/nodes.js';
import { group, joins } from '../support/worlds/people.js';
import { type Answer } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { exported, imports, zipped } from './archives.js';

const UNAVAILABLE = [503, 'SERVICE_UNAVAILABLE'];

/** The importing person, what they have before the import, and others who act beside it. */
interface Cast {
  importer: TestUser;
  /** An admin of groups that the importer has created. */
  admin: TestUser;
  /** The id of a group of the importer with the admin; the importer is a member. */
  crew: string;
  /** The same for groups that end during the import. */
  disbanded: string;
  left: string;
  stranger: TestUser;
  strangers: string;
  invitation: string;
  asked: TestUser;
  made: Record<string, string>;
}

type Act = readonly [expected: number, act: (cast: Cast) => Promise<Answer>];

/** Acts of others beside an import, in their order, by operation; a reason where nothing of the importer can be concerned. */
const ACTS: Readonly<Record<string, Act | string>> = {
  'POST sharing': [503, ({ importer, stranger }) => stranger.post('/sharing', toAll(importer))],
  'PUT sharing/:share_id': [
    200,
    ({ stranger, made }) => stranger.put(`/sharing/${made['share']}`, { can_write: true }),
  ],
  'DELETE sharing/:share_id': [200, ({ stranger, made }) => stranger.delete(`/sharing/${made['share']}`)],
  'DELETE sharing/incoming/:user_id': 'an act of the importing person, who is the recipient',
  'PUT blocked-users/:user_id': [
    200,
    ({ importer, stranger }) => stranger.put(`/blocked-users/${importer.id}`, {}),
  ],
  'DELETE blocked-users/:user_id': [
    200,
    ({ importer, stranger }) => stranger.delete(`/blocked-users/${importer.id}`),
  ],
  'POST follows': [
    503,
    ({ importer, stranger }) => stranger.post('/follows', { target_user_id: importer.id }),
  ],
  'PUT follows/:follow_id/respond': [
    200,
    ({ asked, made }) => asked.put(`/follows/${made['follow']}/respond`, { action: 'decline' }),
  ],
  'DELETE follows/:follow_id': [200, ({ admin, made }) => admin.delete(`/follows/${made['request']}`)],
  'PUT groups/:group_id': [200, ({ admin, crew }) => admin.put(`/groups/${crew}`, { name: 'renamed' })],
  // Before the importer is no longer an admin, which ends invitations of theirs.
  'PUT groups/invitations/:invitation_id': [
    200,
    ({ stranger, invitation }) => stranger.put(`/groups/invitations/${invitation}`, { action: 'accept' }),
  ],
  'PUT groups/:group_id/members/:user_id': [
    200,
    ({ admin, crew, importer }) => admin.put(`/groups/${crew}/members/${importer.id}`, { role: 'member' }),
  ],
  'POST groups/:group_id/members/:user_id/promote': [
    200,
    ({ admin, crew, importer }) => admin.post(`/groups/${crew}/members/${importer.id}/promote`, {}),
  ],
  'POST groups/:group_id/nodes': [
    201,
    noting('node', ({ admin, crew }) =>
      admin.post(`/groups/${crew}/nodes`, { title: 'ours', node_type: 'note' }),
    ),
  ],
  'PUT groups/:group_id/nodes/:node_id': [
    200,
    ({ admin, crew, made }) =>
      admin.put(`/groups/${crew}/nodes/${made['node']}`, { title: 'new', node_type: 'note' }),
  ],
  'DELETE groups/:group_id/nodes/:node_id': [
    204,
    ({ admin, crew, made }) => admin.delete(`/groups/${crew}/nodes/${made['node']}`),
  ],
  'POST groups/:group_id/tags': [201, ({ admin, crew }) => admin.post(`/groups/${crew}/tags`, { name: 't' })],
  'POST groups/:group_id/exposure-profiles': [
    201,
    noting('profile', ({ admin, crew }) => admin.post(`/groups/${crew}/exposure-profiles`, { name: 'p' })),
  ],
  'PUT groups/:group_id/exposure-profiles/:profile_id': [
    200,
    ({ admin, crew, made }) =>
      admin.put(`/groups/${crew}/exposure-profiles/${made['profile']}`, { name: 'q' }),
  ],
  'DELETE groups/:group_id/exposure-profiles/:profile_id': [
    200,
    ({ admin, crew, made }) => admin.delete(`/groups/${crew}/exposure-profiles/${made['profile']}`),
  ],
  'POST groups/:group_id/share': [201, ({ admin, crew, made }) => shares(admin, 'POST', crew, made)],
  'PUT groups/:group_id/share': [200, ({ admin, crew, made }) => shares(admin, 'PUT', crew, made)],
  'DELETE groups/:group_id/share': [200, ({ admin, crew }) => admin.delete(`/groups/${crew}/share`)],
  'POST groups/:group_id/connections': [
    201,
    noting('connection', ({ admin, crew, strangers }) =>
      admin.post(`/groups/${crew}/connections`, { target_group_id: strangers }),
    ),
  ],
  'PUT groups/:group_id/connections/:connection_id': [
    200,
    ({ stranger, strangers, made }) =>
      stranger.put(`/groups/${strangers}/connections/${made['connection']}`, { action: 'accept' }),
  ],
  'DELETE groups/:group_id/connections/:connection_id': [
    200,
    ({ admin, crew, made }) => admin.delete(`/groups/${crew}/connections/${made['connection']}`),
  ],
  'DELETE groups/:group_id/members/:user_id': [
    200,
    ({ admin, crew, importer }) => admin.delete(`/groups/${crew}/members/${importer.id}`),
  ],
  'POST groups/:group_id/invitations': [
    201,
    noting('invitation', ({ admin, crew, importer }) =>
      admin.post(`/groups/${crew}/invitations`, { user_id: importer.id }),
    ),
  ],
  'DELETE groups/:group_id/invitations/:invitation_id': [
    200,
    ({ admin, crew, made }) => admin.delete(`/groups/${crew}/invitations/${made['invitation']}`),
  ],
  'POST groups': [201, ({ admin }) => admin.post('/groups', { name: 'another' })],
  'DELETE groups/:group_id': [200, ({ admin, disbanded }) => admin.delete(`/groups/${disbanded}`)],
  // A person whom the importer has asked to follow, and who is the only one left in a group of the importer.
  'DELETE auth/me': [204, ({ asked }) => asked.delete('/auth/me', { password: 'correct horse battery' })],
};

/** The beginnings of paths below which others write only to graphs and accounts of their own. */
const OWN = [
  'auth, apps, authorizations, exposure-profiles, nodes, relationships, tags, third-party, schemas',
  'raw-files, sessions, proposals, webhooks, import, graph, sync, oauth, mcp',
].flatMap((names) => names.split(', '));

/** Remembers the id that an act makes. */
function noting(name: string, act: Act[1]): Act[1] {
  return async (cast) => {
    const answer = await act(cast);
    cast.made[name] = answer.body?.id;
    return answer;
  };
}

const toAll = ({ id }: TestUser): object => ({ shared_with_user_id: id, scope: 'all' });

const shares = (who: TestUser, method: 'POST' | 'PUT', groupId: string, made: Cast['made']) =>
  who.send(method, `/groups/${groupId}/share`, { exposure_profile_id: made['own profile'] });

describe('acts of others beside an import', () => {
  let world: World;
  let archive: Buffer;
  beforeAll(async () => {
    world = await World.startHere();
    const alice = await world.user();
    for (const title of ['one', 'two']) await alice.post('/nodes', { title, node_type: 'note', tags: ['t'] });
    archive = await zipped(await exported(alice));
  });
  afterAll(() => world.stop());

  async function cast(): Promise<Cast> {
    const [importer, admin, stranger, asked] = await Promise.all([1, 2, 3, 4].map(() => world.user()));
    const people = { importer, admin, stranger, asked } as Record<string, TestUser> as unknown as Cast;
    const ofImporter = async (other: TestUser): Promise<string> => {
      const id = await group(people.importer);
      await joins(other, people.importer, id, 'admin');
      return id;
    };
    const [crew, disbanded, left] = [
      await ofImporter(people.admin),
      await ofImporter(people.admin),
      await ofImporter(people.asked),
    ];
    await people.importer.delete(`/groups/${left}/members/${people.importer.id}`);
    const invited = await people.importer.post(`/groups/${crew}/invitations`, {
      user_id: people.stranger.id,
    });
    const follow = await people.importer.post('/follows', { target_user_id: people.asked.id });
    const profile = await people.admin.post('/exposure-profiles', { name: 'own' });
    const [share] = await Promise.all([
      people.stranger.post('/sharing', toAll(people.importer)),
      people.asked.post('/sharing', toAll(people.importer)),
    ]);
    const request = await people.admin.post('/follows', { target_user_id: people.importer.id });
    return Object.assign(people, {
      crew,
      disbanded,
      left,
      strangers: await group(people.stranger),
      invitation: invited.body.id as string,
      made: {
        follow: follow.body.id,
        'own profile': profile.body.id,
        share: share.body.id,
        request: request.body.id,
      },
    });
  }

  /** Runs acts while an import has written everything and waits for them to end. */
  async function during<T>(user: TestUser, acts: () => Promise<T>): Promise<{ answer: Answer; done: T }> {
    const checks = world.nest.get(RestoredChecks);
    const { dangling } = checks;
    let isReached = false;
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    checks.dangling = async (...given) => {
      isReached = true;
      await opened;
      return dangling.apply(checks, given);
    };
    try {
      const importing = imports(user, archive);
      await Promise.race([importing, until(() => isReached, 'the import checks its rows')]);
      expect(isReached).toBe(true);
      const done = await acts().finally(open);
      return { answer: await importing, done };
    } finally {
      checks.dangling = dangling;
    }
  }

  it('every operation has an act that names the importing person, or a reason', () => {
    const writes = world.nest
      .get(RouteTable)
      .routes.filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path.replace(/^\/?api\/v1\//, '')}`);
    const unnamed = writes.filter(
      (name) => !OWN.includes(name.split(/[ /]+/)[1] as string) && !(name in ACTS),
    );
    expect(unnamed).toEqual([]);
    expect(Object.keys(ACTS).filter((name) => !writes.includes(name))).toEqual([]);
  });

  const named = Object.entries(ACTS).filter((entry): entry is [string, Act] => typeof entry[1] !== 'string');
  const expected = named.map(([name, [status]]): [string, number] => [name, status]);

  /** All acts, one after the other: one that waits for the import is refused before the import continues. */
  async function actsOf(all: Cast): Promise<[string, number][]> {
    const statuses: [string, number][] = [];
    for (const [name, [, act]] of named) statuses.push([name, (await act(all)).status]);
    return statuses;
  }
  const hasShares = async ({ id }: TestUser): Promise<boolean> =>
    (await world.nest.get(Database).read(sql`SELECT FROM shares WHERE owner_id = ${id}`)).length > 0;
  const write = (statement: string): Promise<unknown> =>
    world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(sql.raw(statement)));

  it('no act waits for the import or is refused, but those that begin to share or follow (rule 12.3n)', async () => {
    const all = await cast();
    const { answer, done } = await during(all.importer, async () => {
      // The operator's, who needs no HTTP.
      await world.nest.get(Users).setTier(all.importer.id, 'pro');
      const statuses = await actsOf(all);
      await until(async () => !(await hasShares(all.asked)), 'the shares of the erased person are gone');
      return statuses;
    });
    expect(done).toEqual(expected);
    expect(codeOf(answer)).toEqual([201, undefined]);
    expect((await all.importer.get('/nodes')).body.total).toBe(2);
    expect(await miscounted(world)).toEqual([]);
    expect((await all.importer.get('/auth/me')).body.quotas.groups.used).toBe(1);
  });

  it('the sweep finds acts that are refused where the whole counter of the importing person is closed', async () => {
    const all = await cast();
    await write(`CREATE TRIGGER planted BEFORE UPDATE ON sequences FOR EACH ROW
      WHEN (OLD.is_filling AND NEW.is_filling OR OLD.is_importing AND NEW.is_importing)
      EXECUTE FUNCTION sequences_wait_for_import()`);
    const { done } = await during(all.importer, () => actsOf(all)).finally(() =>
      write('DROP TRIGGER planted ON sequences'),
    );
    const found = done.filter(
      ([name, status], index) => name !== expected[index]?.[0] || status !== expected[index][1],
    );
    expect(found).toEqual([
      ['PUT sharing/:share_id', 503],
      ['DELETE sharing/:share_id', 503],
      ['PUT follows/:follow_id/respond', 503],
      ['DELETE groups/:group_id', 503],
      ['DELETE auth/me', 503],
    ]);
  });

  it('a share or a follow by a blocked person is refused until the import has ended, and can end then (rule 12.3n)', async () => {
    const [importer, blocked] = [await world.user(), await world.user()];
    await importer.put(`/blocked-users/${blocked.id}`, {});
    const share = () => blocked.post('/sharing', toAll(importer));
    const ask = () => blocked.post('/follows', { target_user_id: importer.id });
    const { answer, done } = await during(importer, async () => [codeOf(await share()), codeOf(await ask())]);
    expect([answer.status, ...done]).toEqual([201, UNAVAILABLE, UNAVAILABLE]);
    const made = await share();
    expect([made.status, (await ask()).status]).toEqual([201, 201]);
    expect((await blocked.delete(`/sharing/${made.body.id}`)).status).toBe(200);
  });

  it('the importing person ends log-ins during the import where it is one transaction, and writes nothing to the log', async () => {
    const importer = await world.user();
    const { answer, done } = await during(importer, async () => [
      (await importer.post('/nodes', { title: 'beside', node_type: 'note' })).status,
      (await importer.delete('/auth/sessions')).status,
    ]);
    expect([answer.status, ...done]).toEqual(onPostgres ? [201, 503, 204] : [201, 503, 503]);
    await importer.logsIn();
    expect((await importer.get('/nodes')).body.total).toBe(2);
  });
});
