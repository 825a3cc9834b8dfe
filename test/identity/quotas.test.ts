import { jest } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Users } from '../../src/identity/index.js';
import { Config } from '../../src/config/config.js';
import { NodesRepository } from '../../src/graph/nodes/infrastructure/nodes.repository.js';
import { ArchiveUploads, ImportService } from '../../src/portability/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { upload } from '../support/worlds/files.js';
import { exported, imports, zipped } from '../portability/archives.js';
import { letsIn, profile } from '../support/worlds/nodes.js';
import { approved, proposer } from '../support/worlds/proposals.js';
import { group, joins } from '../support/worlds/people.js';
import { miscounted } from '../support/counted.js';
import { type Answer, type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

const LIMITS =
  'nodes=5, relationships=2, tags=4, all_tags=6, schemas=1, apps=6, groups=1, exposure_profiles=3, graph_bytes=64KiB, file_bytes=100';
const ROOM =
  'nodes=none, relationships=none, tags=none, all_tags=none, schemas=none, apps=none, groups=none, exposure_profiles=none';

const note = (title: string, tags = ['a']) => ({ title, node_type: 'note', tags });
const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.details];
const refused = (quota: string, limit: number, used: number) => [
  403,
  'QUOTA_EXCEEDED',
  { quota, limit, used },
];

describe('QUOTA_EXCEEDED (rule 9.8)', () => {
  let world: World;
  let alice: TestUser;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.startHere({ QUOTAS_FREE: LIMITS, QUOTAS_PRO: `${ROOM}, graph_bytes=none` }),
  );
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await miscounted(world)).toEqual([]);
  });

  const quotas = async (user: Client) => (await user.get('/auth/me')).body.quotas;
  const used = async (user: Client, quota: string): Promise<number> => (await quotas(user))[quota].used;
  const total = async (user: Client, path = '/nodes'): Promise<number> => (await user.get(path)).body.total;
  const log = async (user: TestUser): Promise<number> => {
    const [row] = await world.nest
      .get(Database)
      .read<{ count: number }>(sql`SELECT count(*) FROM changes WHERE owner_id = ${user.id}`);
    return row?.count as number;
  };
  async function fill(user: TestUser, count = 5): Promise<string[]> {
    const ids: string[] = [];
    for (let number = 0; number < count; number++) {
      const made = await user.post('/nodes', note(`node ${number}`));
      expect(made.status).toBe(201);
      ids.push(made.body.id);
    }
    return ids;
  }
  /** Makes the log large: pro people have no limit of it. */
  async function fillBytes(user: TestUser): Promise<string> {
    const users = world.nest.get(Users);
    await users.setTier(user.id, 'pro');
    const made = await user.post('/nodes', { ...note('long'), value: 'x'.repeat(70_000) });
    expect(made.status).toBe(201);
    await users.setTier(user.id, 'free');
    return made.body.id;
  }

  it('quotas are shown to their owner in GET /auth/me, with the used amounts', async () => {
    const none = (limit: number) => ({ limit, used: 0 });
    expect(await quotas(alice)).toEqual({
      nodes: none(5),
      relationships: none(2),
      tags: none(4),
      all_tags: none(6),
      schemas: none(1),
      apps: none(6),
      groups: none(1),
      exposure_profiles: none(3),
      graph_bytes: none(65_536),
      file_bytes: none(100),
    });
    const [from, to] = await fill(alice, 2);
    await alice.post('/relationships', { from_node_id: from, to_node_id: to, relationship_type: 'near' });
    await alice.post('/schemas', { name: 'a schema', json_schema: {} });
    await upload(alice, '/nodes/upload', { content: 'x'.repeat(30) });
    const told = await quotas(alice);
    expect([told.nodes.used, told.relationships.used, told.tags.used]).toEqual([3, 1, 1]);
    expect([told.schemas.used, told.file_bytes.used]).toEqual([1, 30]);
    expect(told.graph_bytes.used).toBeGreaterThan(1_000);
  });

  it("quotas are shown in the header X-Quota of the owner's own writes, and only there", async () => {
    const made = await alice.post('/nodes', note('one'));
    const me = await quotas(alice);
    const dictionary = Object.entries(me).map(([name, one]) => {
      const { used: has, limit } = one as { used: number; limit: number };
      return `${name}=${has};limit=${limit}`;
    });
    expect(made.headers['x-quota']).toBe(dictionary.join(', '));
    const renamed = await alice.put(`/nodes/${made.body.id}`, { title: 'two' });
    expect(renamed.headers['x-quota']).toContain('nodes=1;limit=5, ');
    expect((await alice.get('/nodes')).headers['x-quota']).toBeUndefined();
    const app = await alice.lets(await world.app());
    const byApp = await app.post('/nodes', note('three'));
    expect([byApp.status, byApp.headers['x-quota']]).toEqual([201, undefined]);
  });

  it('quotas are null and have no header in a tier without limits', async () => {
    await world.nest.get(Users).setTier(alice.id, 'enterprise');
    const made = await alice.post('/nodes', note('one'));
    expect([made.status, made.headers['x-quota']]).toEqual([201, undefined]);
    expect((await quotas(alice)).nodes).toEqual({ limit: null, used: 1 });
  });

  it('quotas refuse a node too many without writing anything, and allow it after a deletion', async () => {
    const [first] = await fill(alice);
    const before = await log(alice);
    const refusedNode = await alice.post('/nodes', note('one too many', ['new tag']));
    expect(refusal(refusedNode)).toEqual(refused('nodes', 5, 5));
    expect(refusedNode.headers['x-quota']).toBeUndefined();
    expect([await total(alice), await total(alice, '/tags'), await log(alice)]).toEqual([5, 1, before]);
    expect((await alice.delete(`/nodes/${first}`)).status).toBe(204);
    expect((await alice.post('/nodes', note('now'))).status).toBe(201);
    expect(refusal(await alice.post(`/nodes/${first}/restore`))).toEqual(refused('nodes', 5, 5));
    expect(await total(alice)).toBe(5);
  });

  it('quotas let exactly as many of 30 concurrent creates pass as there is room for', async () => {
    await fill(alice, 1);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => alice.post('/nodes', note(`at once ${index}`))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    const others = answers.filter(({ status }) => status !== 201).map(refusal);
    expect(new Set(others.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify(refused('nodes', 5, 5))]),
    );
    expect(await total(alice)).toBe(5);
  });

  it('quotas refuse a full owner in a statement of several owners, without refusing the others', async () => {
    const full = await world.user();
    const people = [await world.user(), await world.user()];
    for (const one of people) await fill(one, 1);
    await fill(full);
    const database = world.nest.get(Database);
    const alone = database.writeAlone.bind(database);
    const round = async (title: string) => {
      const names: string[] = [];
      const gate = gateOf(world.nest.get(NodesRepository), 3);
      jest.spyOn(database, 'writeAlone').mockImplementation(async (statement) => {
        await gate;
        names.push(statement.name as string);
        return alone(statement);
      });
      const answers = await Promise.all([full, ...people].map((one) => one.post('/nodes', note(title))));
      jest.restoreAllMocks();
      expect(answers.map(({ status }) => status)).toEqual([403, 201, 201]);
      expect(refusal(answers[0] as Answer)).toEqual(refused('nodes', 5, 5));
      return names.filter((name) => !name.startsWith('changes:shared')).length;
    };
    expect(await round('first')).toBe(1);
    expect(await round('second')).toBe(1);
  });

  it('quotas refuse a batch that exceeds them as a whole, with its tags', async () => {
    await fill(alice, 3);
    const before = await log(alice);
    const nodes = [1, 2, 3].map((number) => note(`batch ${number}`, ['a', `tag ${number}`]));
    expect(refusal(await alice.post('/nodes/batch', { nodes }))).toEqual(refused('nodes', 5, 3));
    expect([await total(alice), await total(alice, '/tags'), await log(alice)]).toEqual([3, 1, before]);
    expect((await alice.post('/nodes/batch', { nodes: nodes.slice(1) })).status).toBe(201);
    expect([await total(alice), await total(alice, '/tags')]).toEqual([5, 3]);
  });

  it('quotas limit tags, relationships, schemas, apps and groups separately', async () => {
    const [from, to] = await fill(alice, 2);
    for (const name of ['b', 'c', 'd']) await alice.post('/tags', { name });
    expect(refusal(await alice.post('/tags', { name: 'e' }))).toEqual(refused('tags', 4, 4));
    expect(refusal(await alice.post('/nodes', note('tagged', ['e'])))).toEqual(refused('tags', 4, 4));
    const edge = (relationship_type: string) =>
      alice.post('/relationships', { from_node_id: from, to_node_id: to, relationship_type });
    expect([(await edge('near')).status, (await edge('far')).status]).toEqual([201, 201]);
    expect(refusal(await edge('by'))).toEqual(refused('relationships', 2, 2));
    const { relationships } = (await alice.get('/relationships')).body;
    expect((await alice.delete(`/relationships/${relationships[0].id}`)).status).toBeLessThan(300);
    expect((await edge('by')).status).toBe(201);
    const schema = () => alice.post('/schemas', { name: 'a schema', json_schema: {} });
    expect((await schema()).status).toBe(201);
    expect(refusal(await schema())).toEqual(refused('schemas', 1, 1));
    const app = () => alice.post('/apps', { name: 'app', requested_permissions: { tags: { read: true } } });
    const apps = [];
    for (let number = 0; number < 6; number++) apps.push(await app());
    expect(apps.map(({ status }) => status)).toEqual(apps.map(() => 201));
    expect(refusal(await app())).toEqual(refused('apps', 6, 6));
    expect((await alice.get('/apps')).body.total).toBe(6);
    expect((await alice.delete(`/apps/${apps[0]?.body.id}`)).status).toBeLessThan(300);
    expect((await app()).status).toBe(201);
    const crew = await alice.post('/groups', { name: 'crew' });
    expect(refusal(await alice.post('/groups', { name: 'another' }))).toEqual(refused('groups', 1, 1));
    expect((await alice.delete(`/groups/${crew.body.id}`)).status).toBeLessThan(300);
    expect((await alice.post('/groups', { name: 'another' })).status).toBe(201);
  });

  it('quotas limit created tags, deleted ones included; deletions and renames always pass', async () => {
    const make = (name: string) => alice.post('/tags', { name });
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const { body } = await make(name);
      expect((await alice.delete(`/tags/${body.id}`)).status).toBe(200);
    }
    expect([await used(alice, 'tags'), await used(alice, 'all_tags')]).toEqual([0, 5]);
    const { body: last } = await make('f');
    const full = refused('all_tags', 6, 6);
    expect(refusal(await make('g'))).toEqual(full);
    expect(refusal(await alice.post('/nodes', note('tagged', ['g'])))).toEqual(full);
    expect([await total(alice), await used(alice, 'all_tags')]).toEqual([0, 6]);
    expect((await alice.post('/nodes', note('tagged', ['f']))).status).toBe(201);
    expect((await alice.put(`/tags/${last.id}`, { name: 'g' })).status).toBe(200);
    expect((await alice.delete(`/tags/${last.id}`)).status).toBe(200);
    expect([await used(alice, 'tags'), await used(alice, 'all_tags')]).toEqual([0, 6]);
  });

  it('quotas limit the profiles of a user and those of a group separately', async () => {
    const make = (name: string) => alice.post('/exposure-profiles', { name });
    const [first] = [await make('one'), await make('two'), await make('three')];
    expect(await used(alice, 'exposure_profiles')).toBe(3);
    const full = refused('exposure_profiles', 3, 3);
    expect(refusal(await make('four'))).toEqual(full);
    const template = { template: 'transparent', name: 'four' };
    expect(refusal(await alice.post('/exposure-profiles/from-template', template))).toEqual(full);
    const change = { name: 'changed', max_detail_level: 'minimal' };
    expect((await alice.put(`/exposure-profiles/${first.body.id}`, change)).status).toBe(200);
    const below = `/groups/${await group(alice)}/exposure-profiles`;
    for (const name of ['one', 'two', 'three']) expect((await alice.post(below, { name })).status).toBe(201);
    expect(refusal(await alice.post(below, { name: 'four' }))[1]).toBe('QUOTA_EXCEEDED');
    expect((await alice.delete(`/exposure-profiles/${first.body.id}`)).status).toBe(200);
    expect((await make('four')).status).toBe(201);
  });

  it('quotas refuse additions to a graph with too many bytes, but allow removals and restrictions', async () => {
    const { profile, authorization } = await alice.authorizes(await world.app());
    const [other] = await fill(alice, 1);
    const id = await fillBytes(alice);
    const has = await used(alice, 'graph_bytes');
    const full = refused('graph_bytes', 65_536, has);
    expect(refusal(await alice.post('/nodes', note('more')))).toEqual(full);
    expect(refusal(await alice.put(`/nodes/${id}`, { title: 'other' }))).toEqual(full);
    expect(refusal(await alice.post('/tags', { name: 'b' }))).toEqual(full);
    expect(await used(alice, 'graph_bytes')).toBe(has);
    const narrowed = await alice.put(`/exposure-profiles/${profile.id}`, {
      tag_permissions: { read: { allow_all: false, tag_ids: [] } },
    });
    expect(narrowed.status).toBe(200);
    expect((await alice.delete(`/authorizations/${authorization.id}`)).status).toBeLessThan(300);
    const tags = (await alice.get('/tags')).body.tags as { id: string }[];
    expect((await alice.delete(`/nodes/${other}/tags/${tags[0]?.id}`)).status).toBe(200);
    expect((await alice.delete(`/nodes/${id}`)).status).toBe(204);
    expect((await alice.delete(`/tags/${tags[0]?.id}`)).status).toBeLessThan(300);
    // Deleted nodes can be restored, so their bytes stay.
    expect(await used(alice, 'graph_bytes')).toBeGreaterThan(has);
    expect((await alice.delete('/auth/me', { password: 'correct horse battery' })).status).toBe(204);
  });

  it('quotas let the log of an app have a hundredth of the bytes of its tier (rule 9.8j)', async () => {
    const app = await alice.post('/apps', { name: 'app', requested_permissions: { tags: { read: true } } });
    const asks = (ids: number) =>
      alice.patch(`/apps/${app.body.id}`, {
        requested_permissions: {
          tags: { read: true },
          schemas: { read: { schema_ids: Array.from({ length: ids }, (_, i) => `schema ${ids} ${i}`) } },
        },
      });
    expect([(await asks(400)).status, (await asks(1)).status]).toEqual([200, 200]);
    const full = await asks(401);
    expect(refusal(full)).toEqual([
      403,
      'QUOTA_EXCEEDED',
      { quota: 'graph_bytes', limit: 655, used: expect.any(Number) },
    ]);
    expect((await asks(2)).status).toBe(200);
    expect(await used(alice, 'graph_bytes')).toBe(0);
  });

  it('quotas refuse a file that is too large for the rest, and keep no byte of it', async () => {
    const { dataDir } = world.nest.get(Config);
    const stored = () =>
      readdirSync(dataDir, { recursive: true }).filter((name) => isBlob(String(name))).length;
    const kept = 'x'.repeat(60);
    expect((await upload(alice, '/nodes/upload', { content: kept })).status).toBe(201);
    const before = stored();
    expect(before).toBeGreaterThan(0);
    const more = await upload(alice, '/raw-files', { content: 'y'.repeat(41) });
    expect(refusal(more)).toEqual(refused('file_bytes', 100, 60));
    expect([stored(), await total(alice)]).toEqual([before, 1]);
    expect((await upload(alice, '/nodes/upload', { content: 'z'.repeat(40) })).status).toBe(201);
    expect(await used(alice, 'file_bytes')).toBe(100);
  });

  it('quotas do not tell an app whether a content is in a file that it is not shown (ADR 73)', async () => {
    const { id: inbox } = (await alice.post('/tags', { name: 'inbox' })).body;
    const app = await letsIn(world, alice, profile({ read: [inbox], create: [inbox] }));
    const guesses = (content: string) =>
      upload(app, '/nodes/upload', { content, fields: { tags: '["inbox"]' } });
    const hidden = 'h'.repeat(30);
    expect((await upload(alice, '/nodes/upload', { content: hidden })).status).toBe(201);
    const known = async (content: string) => (await guesses(content)).status;
    expect((await app.get('/raw-files')).body.total).toBe(0);
    // The rest of the quota shrinks by a guess, right or not.
    expect([await known(hidden), await known('x'.repeat(41))]).toEqual([201, 403]);
    expect([await known('y'.repeat(15)), await known('z'.repeat(30)), await known(hidden)]).toEqual([
      201, 403, 403,
    ]);
    expect(await used(alice, 'file_bytes')).toBe(75);
  });

  it('quotas name the exceeded quota to an app and another user, without numbers', async () => {
    const app = await alice.lets(await world.app());
    await fill(alice);
    const told = await app.post('/nodes', note('by an app'));
    expect(refusal(told)).toEqual([403, 'QUOTA_EXCEEDED', { quota: 'nodes' }]);
    expect(told.text).not.toMatch(/\b5\b/);
    const bob = await world.user();
    const crew = await group(alice);
    await joins(bob, alice, crew, 'admin');
    for (let number = 0; number < 5; number++) {
      const made = await bob.post(`/groups/${crew}/nodes`, note(`of the group ${number}`));
      expect([made.status, made.headers['x-quota']]).toEqual([201, undefined]);
    }
    for (const member of [alice, bob])
      expect(refusal(await member.post(`/groups/${crew}/nodes`, note('too many')))).toEqual([
        403,
        'QUOTA_EXCEEDED',
        { quota: 'nodes' },
      ]);
  });

  it('quotas follow a larger tier at once, also for groups that the user created', async () => {
    await fill(alice);
    const crew = await group(alice);
    const inGroup = () => alice.post(`/groups/${crew}/nodes`, note('of the group'));
    for (let number = 0; number < 5; number++) expect((await inGroup()).status).toBe(201);
    expect([(await alice.post('/nodes', note('six'))).status, (await inGroup()).status]).toEqual([403, 403]);
    await world.nest.get(Users).setTier(alice.id, 'pro');
    expect([(await alice.post('/nodes', note('six'))).status, (await inGroup()).status]).toEqual([201, 201]);
  });

  it('quotas of a group whose maker is gone are those of DEFAULT_TIER (rule 9.8b)', async () => {
    const bob = await world.user();
    await world.nest.get(Users).setTier(alice.id, 'pro');
    const crew = await group(alice);
    await joins(bob, alice, crew, 'admin');
    const inGroup = () => bob.post(`/groups/${crew}/nodes`, note('of the group'));
    for (let number = 0; number < 6; number++) expect((await inGroup()).status).toBe(201);
    expect((await alice.delete('/auth/me', { password: 'correct horse battery' })).status).toBe(204);
    expect(refusal(await inGroup())).toEqual([403, 'QUOTA_EXCEEDED', { quota: 'nodes' }]);
  });

  it('quotas refuse without storing the refusal under an Idempotency-Key: the same request passes after a deletion', async () => {
    const [first] = await fill(alice);
    const again = () => alice.post('/nodes', note('six'), { headers: { 'Idempotency-Key': 'six' } });
    expect(refusal(await again())).toEqual(refused('nodes', 5, 5));
    await alice.delete(`/nodes/${first}`);
    const made = await again();
    expect([made.status, made.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect((await again()).headers['idempotent-replayed']).toBe('true');
    expect(await total(alice)).toBe(5);
  });

  it('quotas leave a proposal that exceeds them approved, and it applies after a deletion', async () => {
    const ids = await fill(alice, 4);
    const app = await proposer(world, alice, 'all');
    const items = ['one', 'two'].map((title) => ({
      id: title,
      type: 'CREATE_NODE',
      payload: { title, node_type: 'note', tags: ['a'] },
    }));
    const id = await approved(alice, app, { type: 'BATCH', actions: items });
    const before = await log(alice);
    expect(refusal(await alice.post(`/proposals/${id}/apply`))).toEqual(refused('nodes', 5, 4));
    expect([await total(alice), await log(alice)]).toEqual([4, before]);
    expect((await alice.get(`/proposals/${id}`)).body.status).toBe('APPROVED');
    await alice.delete(`/nodes/${ids[0]}`);
    const applied = await alice.post(`/proposals/${id}/apply`);
    expect([applied.status, applied.body.status]).toEqual([200, 'APPLIED']);
    expect(await total(alice)).toBe(5);
    expect((await alice.post(`/proposals/${id}/revert`)).status).toBe(200);
    expect(await used(alice, 'nodes')).toBe(3);
  });

  it('quotas refuse an archive that does not fit as a whole, except for the operator', async () => {
    const bob = await world.user();
    const users = world.nest.get(Users);
    await users.setTier(bob.id, 'pro');
    await fill(bob, 6);
    const archive = await zipped(await exported(bob));
    expect(refusal(await imports(alice, archive))).toEqual(refused('nodes', 5, 0));
    expect([await total(alice), await log(alice), await used(alice, 'nodes')]).toEqual([0, 0, 0]);
    const uploads = world.nest.get(ArchiveUploads);
    const { user } = { user: (await alice.get('/auth/me')).body };
    const upload = await uploads.take(user, Readable.from([archive]), true);
    await world.nest.get(ImportService).restore(alice.id, upload, true);
    await upload.close();
    expect(await used(alice, 'nodes')).toBe(6);
  });
});

/** Keys of blobs are UUIDs. */
const isBlob = (name: string): boolean => /(^|\/)[0-9a-f-]{36}$/.test(name);

/** Resolves when this number of nodes is about to be written. */
function gateOf(nodes: NodesRepository, count: number): Promise<void> {
  const insert = nodes.insert.bind(nodes);
  let left = count;
  return new Promise((resolve) => {
    jest.spyOn(nodes, 'insert').mockImplementation((node) => {
      insert(node);
      if (--left === 0) process.nextTick(() => setImmediate(resolve));
    });
  });
}
