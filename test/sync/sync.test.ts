import { codeOf, letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { everything } from '../support/defaults.js';
import { type TestUser, World } from '../support/world.js';
import { getsToKnow } from '../support/worlds/people.js';
import { withAlice } from '../support/worlds/with-world.js';
import { type Page, pull, steps } from './pages.js';

let world: World;
let alice: TestUser;

withAlice(
  (met) => ({ world, alice } = met),
  () => World.start(),
);

describe('a deletion that is synced to a caller with masks', () => {
  it('shows neither a title nor a time that was masked by a label', async () => {
    const health = await tagId(alice, 'health');
    const apply_to = { tag_ids: [health] };
    const transformations = [
      { type: 'field_mask', config: { paths: ['title'] }, apply_to },
      { type: 'round_date', apply_to },
    ];
    const app = await letsIn(world, alice, profile({ read: 'all' }, { transformations }));
    const { id } = await node(alice, { title: 'Dr. Lee', tags: ['open'] });
    const { cursor } = await pull(app);
    await alice.put(`/nodes/${id}`, { tags: ['health'] });
    await alice.delete(`/nodes/${id}/tags/${health}`);
    const { changes } = await pull(app, { cursor });
    expect(changes).toMatchObject([{ action: 'delete', deleted_title: null, reason: 'deleted' }]);
    expect(changes[0].timestamp).toMatch(/T00:00:00\.000Z$/);
  });
});

describe('first pulls', () => {
  it('a full sync returns every node once, in the order of their last changes, as a single read shows it', async () => {
    const first = await node(alice, { title: 'first', tags: ['a'] });
    const second = await node(alice, { title: 'second' });
    await alice.put(`/nodes/${first.id}`, { title: 'first again' });
    const page = await pull(alice, { include_tags: true });
    expect(page).toEqual({
      changes: [
        expect.objectContaining({
          action: 'create',
          version: 3,
          node_version: 1,
          node: (await alice.get(`/nodes/${second.id}`)).body,
        }),
        expect.objectContaining({
          action: 'create',
          version: 4,
          node_version: 2,
          node: (await alice.get(`/nodes/${first.id}`)).body,
        }),
      ],
      cursor: expect.any(String),
      has_more: false,
      limit: 100,
      stats: { created: 2, updated: 0, deleted: 0, total: 2 },
    });
    expect(Object.keys(page.changes[0]).sort()).toEqual([
      'action',
      'node',
      'node_version',
      'timestamp',
      'version',
    ]);
    expect(page.changes[0].timestamp >= second.updated_at).toBe(true);
  });

  it('a full sync leaves tags out unless requested, and nodes if only ids are requested', async () => {
    const made = await node(alice, { tags: ['a'] });
    expect((await pull(alice)).changes[0].node).not.toHaveProperty('tags');
    const page = await pull(alice, { ids_only: true, include_tags: true });
    expect(page.changes).toEqual([
      { action: 'create', timestamp: expect.any(String), version: 2, node_id: made.id },
    ]);
    expect(page.stats.total).toBe(1);
  });

  it('a full sync takes the options for tags and ids from each page, because a cursor stores neither (rule 7.10a)', async () => {
    const made = await node(alice, { tags: ['a'] });
    await node(alice, { tags: ['a'] });
    await node(alice, { tags: ['a'] });
    const first = await pull(alice, { limit: 1, ids_only: true, include_tags: true });
    expect(first.changes[0].node_id).toBe(made.id);
    const second = await pull(alice, { limit: 1, cursor: first.cursor });
    expect(second.changes[0].node).toMatchObject({ title: 'a node' });
    expect(second.changes[0].node).not.toHaveProperty('tags');
    const third = await pull(alice, { limit: 1, cursor: second.cursor, include_tags: true });
    expect(third.changes[0].node.tags).toEqual(['a']);
  });

  it('a full sync comes in pages that end exactly at the last node', async () => {
    const made = [];
    for (let i = 0; i < 6; i++) made.push((await node(alice)).id);
    const seen: string[] = [];
    const sizes: number[] = [];
    let page = await pull(alice, { limit: 3 });
    for (;;) {
      seen.push(...page.changes.map((entry: Page) => entry.node.id));
      sizes.push(page.stats.total);
      if (!page.has_more) break;
      page = await pull(alice, { limit: 3, cursor: page.cursor });
    }
    expect(seen).toEqual(made);
    expect(sizes).toEqual([3, 3]);
  });

  it('a full sync has the nodes of both graph views, for owners and apps (rule 7.11c)', async () => {
    const app = await letsIn(world, alice, profile({ read: 'all' }));
    const [personal, neutral] = [await node(alice), await node(alice, { graph_view: 'neutral' })];
    for (const client of [alice, app])
      expect(steps(await pull(client))).toEqual([
        ['create', personal.id],
        ['create', neutral.id],
      ]);
  });

  it('a full sync is empty for a new graph, and its cursor works', async () => {
    const page = await pull(alice);
    expect(page).toMatchObject({ changes: [], has_more: false, stats: { total: 0 } });
    const made = await node(alice);
    expect(steps(await pull(alice, { cursor: page.cursor }))).toEqual([['create', made.id]]);
  });
});

describe('owners', () => {
  it('a sync of an owner has one entry for each node with all changed fields, and none for nodes that came and went', async () => {
    const kept = await node(alice, { title: 'kept', value: 'v' });
    const gone = await node(alice, { title: 'gone' });
    const { cursor } = await pull(alice);
    await alice.put(`/nodes/${kept.id}`, { title: 'kept 2' });
    await alice.put(`/nodes/${kept.id}`, { value: 'w' });
    await alice.put(`/nodes/${gone.id}`, { title: 'gone 2' });
    await alice.delete(`/nodes/${gone.id}`);
    await alice.delete(`/nodes/${(await node(alice)).id}`);
    const fresh = await node(alice);
    const page = await pull(alice, { cursor });
    expect(steps(page)).toEqual([
      ['update', kept.id, ['title', 'value']],
      ['delete', gone.id, 'deleted'],
      ['create', fresh.id],
    ]);
    expect(page.changes[1]).toEqual({
      action: 'delete',
      timestamp: expect.any(String),
      version: 6,
      node_id: gone.id,
      deleted_title: 'gone 2',
      reason: 'deleted',
    });
    expect(page.stats).toEqual({ created: 1, updated: 1, deleted: 1, total: 3 });
    expect(steps(await pull(alice, { cursor: page.cursor }))).toEqual([]);
    expect(steps(await pull(alice, { cursor }))).toEqual(steps(page));
  });

  it('a sync of an owner has the nodes of a renamed or deleted tag as updates of tags, with their own number', async () => {
    const made = await node(alice, { tags: ['old', 'other'] });
    await node(alice, { tags: ['other'] });
    const { cursor } = await pull(alice);
    const before = await pull(alice, { include_tags: true });
    const id = await tagId(alice, 'old');
    const renamed = (await alice.put(`/tags/${id}`, { name: 'new' })).body;
    const coloured = (await alice.put(`/tags/${id}`, { color: '#102030' })).body;
    const page = await pull(alice, { cursor, include_tags: true });
    expect(steps(page)).toEqual([['update', made.id, ['tags']]]);
    expect(page.changes[0]).toMatchObject({
      version: before.changes[0].version,
      node: { tags: ['new', 'other'] },
    });
    expect(page.changes[0].timestamp).toBe(renamed.updated_at);
    expect(coloured.updated_at > renamed.updated_at).toBe(true);
    await alice.delete(`/tags/${id}`);
    const last = await pull(alice, { cursor: page.cursor, include_tags: true });
    expect(last.changes.map((entry: Page) => entry.node.tags)).toEqual([['other']]);
    expect(steps(await pull(alice, { cursor: last.cursor }))).toEqual([]);
  });
});

describe('a sync of an app', () => {
  it('an app whose profile names single nodes and no tag may sync (rule 7.11b)', async () => {
    const named = await node(alice, { tags: ['named'] });
    await node(alice, { tags: ['named'] });
    const app = await world.app({ requested: { ...everything, tags: { read: true } } });
    const { profile: made } = await alice.authorizes(app, profile({ read: 'all' }));
    const path = `/exposure-profiles/${made.id}`;
    const none = { tag_permissions: { read: { tag_ids: [], allow_all: false } } };
    expect((await alice.put(path, { ...none, allowed_node_ids: [named.id] })).status).toBe(200);
    expect(steps(await pull(app.as(alice)))).toEqual([['create', named.id]]);
    expect((await alice.put(path, { ...none, allowed_node_ids: [] })).status).toBe(200);
    expect(codeOf(await app.as(alice).get('/sync'))).toEqual([403, 'FORBIDDEN']);
  });

  it('reports which nodes leave its view and why, and nothing else', async () => {
    const [work, secret] = [await tagId(alice, 'work'), await tagId(alice, 'secret')];
    const app = await letsIn(world, alice, profile({ read: [work] }, { excluded_tag_ids: [secret] }));
    const [a, b, c, hidden] = [
      await node(alice, { title: 'a', tags: ['work'] }),
      await node(alice, { title: 'b', tags: ['work'] }),
      await node(alice, { title: 'c', tags: ['work'] }),
      await node(alice, { title: 'hidden', tags: ['secret'] }),
    ];
    const first = await pull(app, { include_tags: true });
    expect(steps(first).length).toBe(3);
    await alice.put(`/nodes/${a.id}`, { title: 'a hidden', tags: ['work', 'secret'] });
    await alice.put(`/nodes/${b.id}`, { title: 'b now' });
    await alice.delete(`/nodes/${b.id}`);
    await alice.put(`/nodes/${c.id}`, { tags: ['secret'] });
    await alice.delete(`/nodes/${c.id}`);
    await alice.put(`/nodes/${hidden.id}`, { title: 'still hidden' });
    const page = await pull(app, { cursor: first.cursor });
    expect(steps(page)).toEqual([
      ['delete', a.id, 'access_removed'],
      ['delete', b.id, 'deleted'],
      ['delete', c.id, 'access_removed'],
    ]);
    expect(page.changes.map((entry: Page) => entry.deleted_title)).toEqual([null, 'b now', null]);
    await alice.put(`/nodes/${hidden.id}`, { tags: ['work'] });
    const back = await pull(app, { cursor: page.cursor });
    expect(steps(back)).toEqual([['create', hidden.id]]);
    expect(steps(await pull(app, { cursor: back.cursor }))).toEqual([]);
  });

  it('removes nodes whose long deleted tag is hidden with its namesake (rule 3.11)', async () => {
    const [old, later] = [await tagId(alice, 'diary'), await tagId(alice, 'journal')];
    const [kept, gone] = [await node(alice), await node(alice, { tags: ['diary'] })];
    await alice.delete(`/tags/${old}`);
    const excludes = { include_all: [], include_any: [], exclude_any: ['journal'] };
    const app = await letsIn(world, alice, profile({ read: 'all' }, { tag_filters: excludes }));
    await alice.put(`/tags/${later}`, { name: 'diary' });
    const first = await pull(app);
    expect(steps(first)).toEqual([
      ['create', kept.id],
      ['create', gone.id],
    ]);
    await alice.delete(`/tags/${later}`);
    expect((await app.get(`/nodes/${gone.id}`)).status).toBe(404);
    const page = await pull(app, { cursor: first.cursor });
    expect(steps(page)).toEqual([['delete', gone.id, 'access_removed']]);
    expect(page.changes[0].timestamp >= first.changes[1].timestamp).toBe(true);
  });

  it('reports a node that left and came back as an update', async () => {
    const work = await tagId(alice, 'work');
    const app = await letsIn(world, alice, profile({ read: [work] }));
    const a = await node(alice, { tags: ['work'] });
    const { cursor } = await pull(app);
    await alice.put(`/nodes/${a.id}`, { tags: ['other'] });
    await alice.put(`/nodes/${a.id}`, { tags: ['work'] });
    expect(steps(await pull(app, { cursor }))).toEqual([['update', a.id, []]]);
  });

  it('follows edits of its profile: nodes that enter, leave, and are shown otherwise', async () => {
    const [work, home] = [await tagId(alice, 'work'), await tagId(alice, 'home')];
    const app = await world.app();
    const { profile: made } = await alice.authorizes(app, {
      ...profile({
        read: [work],
        edit: [work],
        create: [work],
        propose: [work],
        delete: [work],
        discover: [work],
      }),
    });
    const client = app.as(alice);
    const a = await node(alice, { title: 'mail ada@example.org', tags: ['work'] });
    const b = await node(alice, { title: 'b', tags: ['home'] });
    const first = await pull(client);
    expect(steps(first)).toEqual([['create', a.id]]);
    const edited = await alice.put(`/exposure-profiles/${made.id}`, {
      tag_permissions: { ...made.tag_permissions, read: { tag_ids: [work, home], allow_all: false } },
      transformations: ['pii_redaction'],
    });
    expect(edited.status).toBe(200);
    const second = await pull(client, { cursor: first.cursor });
    expect(steps(second)).toEqual([
      ['update', a.id, ['title']],
      ['create', b.id],
    ]);
    for (const { timestamp } of second.changes) expect(timestamp >= edited.body.updated_at).toBe(true);
    await alice.put(`/exposure-profiles/${made.id}`, {
      tag_permissions: made.tag_permissions,
      max_detail_level: 'minimal',
    });
    const third = await pull(client, { cursor: second.cursor });
    expect(steps(third)).toContainEqual(['delete', b.id, 'access_removed']);
    expect(third.changes.find((entry: Page) => entry.action === 'update')).toMatchObject({
      node: { id: a.id, node_type: 'note' },
      changed_fields: expect.arrayContaining(['title', 'value', 'owner_id']),
    });
    expect(third.changes.find((entry: Page) => entry.action === 'update')).not.toHaveProperty('node_version');
    expect(steps(await pull(client, { cursor: third.cursor }))).toEqual([]);
    await alice.delete(`/nodes/${a.id}`);
    expect((await pull(client, { cursor: third.cursor })).changes).toMatchObject([
      { deleted_title: null, reason: 'deleted' },
    ]);
  });

  it('keeps its cursor through revocation and renewed authorization, and reports deletions meanwhile', async () => {
    const app = await world.app();
    const { authorization } = await alice.authorizes(app);
    const client = app.as(alice);
    const [a, b] = [await node(alice, { title: 'a' }), await node(alice, { title: 'b' })];
    const { cursor } = await pull(client);
    await alice.delete(`/authorizations/${authorization.id}`);
    expect((await client.get(`/sync?cursor=${cursor}`)).status).toBe(403);
    await alice.delete(`/nodes/${a.id}`);
    await alice.authorizes(app);
    const page = await pull(client, { cursor });
    expect(steps(page)).toEqual([['delete', a.id, 'access_removed']]);
    expect(page.changes[0].deleted_title).toBeNull();
    expect((await client.get('/nodes')).body.nodes).toMatchObject([{ id: b.id }]);
  });

  it('removes nodes that the app no longer requests, and brings them back', async () => {
    const developer = await world.user();
    const made = await developer.post('/apps', { name: 'A', requested_permissions: everything });
    const { body: transparent } = await alice.post('/exposure-profiles/from-template', {
      template: 'transparent',
      name: 'T',
    });
    await alice.post('/authorizations', { app_id: made.body.id, exposure_profile_id: transparent.id });
    const client = world.api.with({ 'X-API-Key': made.body.api_key, 'X-User-ID': alice.id });
    const a = await node(alice);
    const first = await pull(client);
    const none = {
      ...everything,
      schemas: { read: { schema_ids: ['00000000-0000-7000-8000-000000000002'] } },
    };
    await developer.patch(`/apps/${made.body.id}`, { requested_permissions: none });
    const second = await pull(client, { cursor: first.cursor });
    expect(steps(second)).toEqual([['delete', a.id, 'access_removed']]);
    await developer.patch(`/apps/${made.body.id}`, { requested_permissions: everything });
    expect(steps(await pull(client, { cursor: second.cursor }))).toEqual([['create', a.id]]);
    expect(steps(await pull(client, { cursor: first.cursor }))).toEqual([]);
  });
});

describe('scopes', () => {
  it('a sync scope of a tag holds its nodes; an untagged one leaves it', async () => {
    const work = await tagId(alice, 'work');
    const a = await node(alice, { title: 'a', tags: ['work', 'x'] });
    await node(alice, { tags: ['x'] });
    const first = await pull(alice, { scope: `tag:${work}` });
    expect(steps(first)).toEqual([['create', a.id]]);
    await alice.put(`/nodes/${a.id}`, { tags: ['x'] });
    const second = await pull(alice, { scope: `tag:${work.toUpperCase()}`, cursor: first.cursor });
    expect(second.changes).toMatchObject([{ node_id: a.id, reason: 'scope_left', deleted_title: null }]);
    expect(codeOf(await alice.get(`/sync?cursor=${first.cursor}`))).toEqual([400, 'INVALID_CURSOR']);
  });

  it('a sync scope of a schema holds its nodes', async () => {
    const schema = '00000000-0000-7000-8000-000000000005';
    const made = await alice.post('/nodes', { title: 'g', node_type: 'GOAL', schema_id: schema });
    expect(made.status).toBe(201);
    await node(alice);
    expect(steps(await pull(alice, { scope: `schema:${schema}` }))).toEqual([['create', made.body.id]]);
  });
});

describe('refusals', () => {
  it('a refused sync request includes the scope of a tag that somebody else shares: sync covers only the own graph', async () => {
    const bob = await world.user();
    await node(bob, { tags: ['sea'] });
    const sea = await tagId(bob, 'sea');
    const own = await tagId(alice, 'own');
    await bob.post('/sharing', { shared_with_user_id: alice.id, scope: 'all' });
    await getsToKnow(alice, bob);
    const app = await alice.lets(await world.app());
    expect(codeOf(await app.get(`/tags/${sea}`))).toEqual([200, undefined]);
    for (const client of [alice, app])
      expect(codeOf(await client.get(`/sync?scope=tag:${sea}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await app.get(`/sync?scope=tag:${own}`))).toEqual([200, undefined]);
    expect(Object.keys((await app.get('/sync/status')).body.scopes)).toEqual([`tag:${own}`]);
  });

  it('a refused sync request is refused in order: FORBIDDEN, INVALID_SCOPE, 404, INVALID_CURSOR, others', async () => {
    const none = await letsIn(world, alice, profile({ discover: 'all' }));
    expect(codeOf(await none.get('/sync?scope=x&cursor=y&limit=z'))).toEqual([403, 'FORBIDDEN']);
    expect(codeOf(await none.get('/sync/status'))).toEqual([403, 'FORBIDDEN']);
    expect(codeOf(await none.get('/sync/stream'))).toEqual([403, 'FORBIDDEN']);
    for (const scope of ['', 'x', 'tag:', 'tag:1', 'schema:__freeform__', 'all ', 'ALL'])
      expect(codeOf(await alice.get(`/sync?scope=${scope}&cursor=y&limit=z`))).toEqual([
        400,
        'INVALID_SCOPE',
      ]);
    const bob = await world.user();
    const foreign = await tagId(bob, 'foreign');
    for (const scope of [`tag:${foreign}`, `tag:${alice.id}`, `schema:${alice.id}`])
      expect(codeOf(await alice.get(`/sync?scope=${scope}&cursor=y&limit=z`))).toEqual([404, 'NOT_FOUND']);
    for (const cursor of ['', 'y', 'AAAA', `${(await pull(bob)).cursor}`])
      expect(codeOf(await alice.get(`/sync?cursor=${cursor}&limit=z`))).toEqual([400, 'INVALID_CURSOR']);
    for (const rest of [
      'limit=z',
      'limit=0',
      'ids_only=1',
      'wait=31',
      'wait=-1',
      'include_tags=x',
      'limit=1&limit=2',
    ])
      expect(codeOf(await alice.get(`/sync?${rest}`))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await alice.get('/sync?limit=100000')).body.limit).toBe(1000);
    expect((await world.api.get('/sync?scope=x')).status).toBe(401);
  });

  it('a refused sync request includes a cursor of another app, of the owner, or of another user', async () => {
    const [one, other] = [await world.app(), await world.app()];
    const [first, second] = [await alice.lets(one), await alice.lets(other)];
    const { cursor } = await pull(first);
    for (const client of [second, alice, one.as(await world.user())]) {
      const { status, body } = await client.get(`/sync?cursor=${cursor}`);
      expect([status, body.error.code]).toEqual(
        client === second || client === alice ? [400, 'INVALID_CURSOR'] : [403, 'PERMISSION_DENIED'],
      );
    }
    expect(codeOf(await first.get(`/sync?cursor=${(await pull(alice)).cursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
  });
});

describe('GET /sync/status', () => {
  it('counts for an app the entries of a pull from its last cursor', async () => {
    const app = await letsIn(world, alice, profile({ read: 'all' }));
    const work = await tagId(alice, 'work');
    await node(alice, { tags: ['work'] });
    const second = await node(alice);
    const fresh = (await app.get('/sync/status')).body;
    expect(fresh).toEqual({
      total_versions: 5,
      latest_change: expect.any(String),
      last_sync_at: null,
      pending_changes: 2,
      pending_more: false,
      scopes: {},
    });
    const { cursor } = await pull(app);
    expect((await app.get('/sync/status')).body).toMatchObject({
      pending_changes: 2,
      scopes: {
        all: {
          last_version_seen: 0,
          pending_changes: 2,
          pending_more: false,
          last_sync_at: expect.any(String),
        },
      },
    });
    await pull(app, { cursor });
    await pull(app, { scope: `tag:${work}` });
    await alice.put(`/nodes/${second.id}`, { title: 'new' });
    const { body } = await app.get('/sync/status');
    expect(body).toMatchObject({
      total_versions: 6,
      pending_changes: 1,
      scopes: {
        all: { last_version_seen: 5, pending_changes: 1 },
        [`tag:${work}`]: { last_version_seen: 0, pending_changes: 1 },
      },
    });
    expect(body.last_sync_at).toBe(body.scopes[`tag:${work}`].last_sync_at);
  });

  it('the status of a replica counts, as the numbers of entries do, entries sent to an app, and no hidden change', async () => {
    const work = await tagId(alice, 'work');
    const app = await letsIn(world, alice, profile({ read: [work] }));
    const hide = async (count: number) => {
      for (let i = 0; i < count; i++) await node(alice, { title: `hidden ${i}` });
    };
    const told = async (hidden: number) => {
      const entries: unknown[] = [];
      const statuses: Page[] = [];
      let cursor: string | undefined;
      const take = async () => {
        for (let page: Page = null; page === null || page.has_more;) {
          page = await pull(app, { limit: 1, ids_only: true, ...(cursor === undefined ? {} : { cursor }) });
          cursor = page.cursor as string;
          entries.push(...page.changes.map(({ action, version }: Page) => `${action} ${version}`));
        }
        await pull(app, { cursor: cursor as string });
        const { last_sync_at, latest_change, scopes, ...status } = (await app.get('/sync/status')).body;
        void last_sync_at;
        statuses.push({ ...status, seen: scopes.all.last_version_seen });
        return latest_change as string;
      };
      const first = await node(alice, { tags: ['work'] });
      await hide(hidden);
      const second = await node(alice, { tags: ['work'] });
      const newest = await take();
      expect(newest).toBe(second.updated_at);
      await hide(hidden);
      await alice.put(`/nodes/${first.id}`, { title: 'again' });
      await alice.delete(`/nodes/${second.id}`);
      await hide(hidden);
      await take();
      await alice.delete(`/nodes/${first.id}`);
      return { entries, statuses, length: cursor?.length };
    };
    const quiet = await told(0);
    expect(quiet.entries).toEqual(['create 1', 'create 2', 'update 3', 'delete 4']);
    expect(quiet.statuses).toEqual([
      { total_versions: 2, pending_changes: 0, pending_more: false, seen: 2 },
      { total_versions: 4, pending_changes: 0, pending_more: false, seen: 4 },
    ]);
    expect(await told(3)).toEqual(quiet);
    expect((await app.get('/sync/status')).body.latest_change).toBeNull();
  });

  it('stores nothing for an owner', async () => {
    expect((await alice.get('/sync/status')).body).toEqual({
      total_versions: 0,
      latest_change: null,
      last_sync_at: null,
      pending_changes: 0,
      pending_more: false,
    });
    await node(alice);
    await pull(alice);
    expect((await alice.get('/sync/status')).body).toEqual({
      total_versions: 1,
      latest_change: expect.any(String),
      last_sync_at: null,
      pending_changes: 0,
      pending_more: false,
    });
  });
});
