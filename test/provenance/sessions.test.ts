import { randomUUID } from 'node:crypto';
import { codeOf, letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const writing = profile({ read: 'all', create: 'all', edit: 'all' });

describe('/sessions', () => {
  let world: World;
  let user: TestUser;
  const agent = randomUUID();

  withWorld(
    (started) => (world = started),
    () => World.start(),
  );
  beforeEach(async () => {
    user = await world.user();
  });

  const inSession = (session_id: string, more: object = {}) => ({
    agent_metadata: { agent_id: agent, agent_name: 'Reader', session_id, ...more },
  });
  const listed = async (client: Client, query = '') =>
    (await client.get(`/sessions${query}`)).body.sessions as Record<string, unknown>[];

  it('sessions begin with the first write that names one', async () => {
    const { id } = await node(user, { title: 'a', ...inSession('import 1') });
    await node(user, { title: 'b', ...inSession('import 1') });
    await user.put(`/nodes/${id}`, { title: 'a2', last_modified_by_agent_id: agent });
    const { body } = await user.get('/sessions');
    expect(body).toEqual({
      sessions: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          external_id: 'import 1',
          status: 'processing',
          agent_id: agent,
          agent_name: 'Reader',
          app_id: null,
          created_at: expect.stringMatching(/Z$/),
          started_at: expect.stringMatching(/Z$/),
          completed_at: null,
          error: null,
          statistics: { total_contributions: 6, unique_nodes: 2, unique_contributors: 1 },
        },
      ],
      total: 1,
      limit: 50,
      offset: 0,
    });
    expect((await user.get(`/sessions/${body.sessions[0].id}`)).body).toEqual(body.sessions[0]);
  });

  it('sessions exist once, for any number of concurrent writes and in a batch', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => node(user, { title: `n${i}`, ...inSession('rush') })),
    );
    await user.post('/nodes/batch', {
      nodes: [1, 2].map((i) => ({ title: `m${i}`, node_type: 'note', ...inSession('rush') })),
    });
    expect(await listed(user)).toMatchObject([
      { external_id: 'rush', statistics: { unique_nodes: 10, total_contributions: 30 } },
    ]);
  });

  it('sessions that were made by hand start with the first write that names them by external id or by id', async () => {
    for (const name of ['word', 'id'] as const) {
      const made = await user.post('/sessions', {
        external_id: `by ${name}`,
        agent_id: agent,
        agent_name: 'Reader',
      });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        external_id: `by ${name}`,
        status: 'created',
        started_at: null,
        agent_id: agent,
      });
      await node(user, inSession(name === 'word' ? 'by word' : (made.body.id as string)));
      const { body } = await user.get(`/sessions/${made.body.id}`);
      expect(body).toMatchObject({ status: 'processing', statistics: { unique_nodes: 1 } });
      expect(body.started_at).not.toBeNull();
    }
    const plain = await user.post('/sessions', {});
    expect(plain.body).toMatchObject({
      external_id: null,
      agent_id: null,
      agent_name: null,
      statistics: { total_contributions: 0 },
    });
    await node(user, inSession(plain.body.id as string));
    expect(await listed(user)).toHaveLength(3);
  });

  it('sessions keep their external id: the same one again is the same session', async () => {
    const first = await user.post('/sessions', { external_id: 'x' });
    const again = await user.post('/sessions', { external_id: 'x' });
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
  });

  it('sessions follow their states, and stay ended', async () => {
    const change = (id: string, body: object) => user.patch(`/sessions/${id}`, body);
    const { body: one } = await user.post('/sessions', {});
    expect((await change(one.id, { status: 'processing' })).body).toMatchObject({
      status: 'processing',
      completed_at: null,
    });
    expect(codeOf(await change(one.id, { status: 'created' }))).toEqual([409, 'INVALID_STATE_TRANSITION']);
    expect(codeOf(await change(one.id, { status: 'processing' }))).toEqual([409, 'INVALID_STATE_TRANSITION']);
    const ended = await change(one.id, { status: 'failed', error: 'no paper' });
    expect(ended.body).toMatchObject({ status: 'failed', error: 'no paper' });
    expect(ended.body.completed_at).not.toBeNull();
    for (const status of ['created', 'processing', 'completed', 'failed'])
      expect(codeOf(await change(one.id, { status }))).toEqual([409, 'INVALID_STATE_TRANSITION']);
    const { body: two } = await user.post('/sessions', { external_id: 'two' });
    expect((await change(two.id, { status: 'completed' })).body.status).toBe('completed');
    await node(user, inSession('two'));
    expect((await user.get(`/sessions/${two.id}`)).body).toMatchObject({
      status: 'completed',
      statistics: { unique_nodes: 1 },
    });
    expect((await listed(user, '?status=failed')).map(({ id }) => id)).toEqual([one.id]);
    expect((await user.get('/sessions?limit=1')).body).toMatchObject({ total: 2, limit: 1 });
    expect((await user.get('/sessions?limit=999')).body.limit).toBe(200);
    for (const body of [{}, { status: 'done' }])
      expect(codeOf(await change(two.id, body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await user.get('/sessions?status=done'))).toEqual([400, 'VALIDATION_ERROR']);
    for (const id of [randomUUID(), 'nothing'])
      expect(codeOf(await user.get(`/sessions/${id}`))).toEqual([404, 'NOT_FOUND']);
  });

  it('sessions of one app are shown to another only if they touched a node that it can read', async () => {
    const work = await tagId(user, 'work');
    const maker = await letsIn(world, user, writing);
    const narrow = await letsIn(world, user, profile({ read: [work] }));
    const { body: hidden } = await maker.post('/sessions', { external_id: 'zq-hidden' });
    await node(maker, { tags: ['private'], ...inSession('zq-hidden') });
    expect((await narrow.get('/sessions')).body).toMatchObject({ sessions: [], total: 0 });
    const absent = await narrow.get(`/sessions/${randomUUID()}`);
    const seen = await narrow.get(`/sessions/${hidden.id}`);
    expect([seen.status, seen.body.error.message]).toEqual([404, absent.body.error.message]);
    expect(codeOf(await narrow.patch(`/sessions/${hidden.id}`, { status: 'completed' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    await node(maker, { tags: ['private'], ...inSession('mixed') });
    await node(maker, { tags: ['work'], ...inSession('mixed') });
    expect(await listed(narrow)).toMatchObject([
      { external_id: 'mixed', statistics: { unique_nodes: 1, total_contributions: 3 } },
    ]);
    const [mixed] = await listed(narrow);
    expect(
      codeOf(await narrow.patch(`/sessions/${mixed?.['id'] as string}`, { status: 'completed' })),
    ).toEqual([403, 'PERMISSION_DENIED']);
    expect((await maker.patch(`/sessions/${hidden.id}`, { status: 'completed' })).status).toBe(200);
    expect(await listed(user)).toHaveLength(2);
    const summary = await letsIn(world, user, profile({ read: [work] }, { max_detail_level: 'summary' }));
    expect(await listed(summary)).toMatchObject([
      { external_id: null, agent_name: null, statistics: { total_contributions: 3 } },
    ]);
  });

  it('sessions that changed only what is hidden inside a node are not shown, nor their times', async () => {
    const maker = await letsIn(world, user, writing);
    const least = await letsIn(world, user, profile({ read: 'all' }, { max_detail_level: 'minimal' }));
    const masked = await letsIn(
      world,
      user,
      profile(
        { read: 'all' },
        { transformations: [{ type: 'field_mask', config: { paths: ['metadata.health'] } }] },
      ),
    );
    const made = await node(user, { metadata: { a: 1 } });
    const changed = await maker.patch(`/nodes/${made.id}`, {
      metadata: { health: 'zq' },
      ...inSession('therapy'),
    });
    expect(changed.status).toBe(200);
    for (const app of [least, masked]) {
      expect((await app.get('/sessions')).body).toMatchObject({ sessions: [], total: 0 });
      expect((await app.get('/analytics/history-stats')).body).toMatchObject({
        session_stats: { total_sessions: 0 },
      });
    }
    await maker.patch(`/nodes/${made.id}`, {
      node_type: 'goal',
      metadata: { b: 1 },
      ...inSession('therapy'),
    });
    for (const app of [least, masked])
      expect(await listed(app)).toMatchObject([
        { status: 'processing', created_at: null, started_at: null, completed_at: null },
      ]);
    expect(await listed(maker)).not.toMatchObject([{ created_at: null }]);
  });

  it('sessions whose times are hidden come after those of the app itself, by id (rule 7.5)', async () => {
    const work = await tagId(user, 'work');
    const narrow = await letsIn(world, user, profile({ read: [work] }));
    const own = async () => (await narrow.post('/sessions', {})).body.id as string;
    const others = Array.from({ length: 6 }, (_, index) => `pass ${index}`);
    const first = await own();
    for (const other of others) await node(user, { tags: ['private'], ...inSession(other) });
    const second = await own();
    for (const other of others) await node(user, { tags: ['work'], ...inSession(other) });
    const idsOf = (sessions: Record<string, unknown>[]) => sessions.map(({ id }) => id as string);
    const byTime = idsOf(await listed(user));
    expect(byTime[0]).toBe(second);
    expect(byTime.at(-1)).toBe(first);
    const hidden = byTime.slice(1, -1).sort();
    const shown = [second, first, ...hidden];
    expect(idsOf(await listed(narrow))).toEqual(shown);
    for (const index of shown.keys())
      expect(idsOf(await listed(narrow, `?limit=1&offset=${index}`))).toEqual([shown[index]]);
  });

  it('sessions of two apps with one external id are two', async () => {
    const [one, two] = [await letsIn(world, user, writing), await letsIn(world, user, writing)];
    await node(one, { title: '1', ...inSession('same') });
    await node(two, { title: '2', ...inSession('same') });
    const sessions = await listed(user);
    expect(new Set(sessions.map(({ app_id }) => app_id)).size).toBe(2);
    // A session cannot be joined by its id, which any reader knows.
    const { body: own } = await one.post('/sessions', {});
    await node(two, { title: '3', ...inSession(own.id as string) });
    expect((await user.get(`/sessions/${own.id}`)).body).toMatchObject({
      status: 'created',
      statistics: { unique_nodes: 0 },
    });
  });

  it('sessions of a writer to a shared node are separate, for any external id or id', async () => {
    const { id } = await node(user);
    const guest = await world.user();
    await user.post('/sharing', { shared_with_user_id: guest.id, scope: 'all', can_write: true });
    const own = (await user.post('/sessions', { external_id: 'import' })).body;
    for (const word of ['import', own.id])
      expect((await guest.put(`/nodes/${id}`, { title: word, ...inSession(word) })).status).toBe(200);
    expect((await user.get(`/sessions/${own.id}`)).body).toMatchObject({
      status: 'created',
      statistics: { total_contributions: 0 },
    });
    expect((await user.get('/sessions')).body.total).toBe(3);
    expect((await guest.get('/sessions')).body.total).toBe(0);
    await node(user, inSession('import'));
    expect((await user.get(`/sessions/${own.id}`)).body).toMatchObject({ status: 'processing' });
  });

  it('sessions do not begin with a write that is undone', async () => {
    const { id } = await node(user, { title: 'a' });
    await user.put(`/nodes/${id}`, { title: 'b', ...inSession('lost') }, { headers: { 'If-Match': '"7"' } });
    expect(await listed(user)).toEqual([]);
  });

  it('sessions begun with an Idempotency-Key answer the same again', async () => {
    const once = () =>
      user.post('/sessions', { agent_name: 'Reader' }, { headers: { 'Idempotency-Key': 'k' } });
    const [first, again] = [await once(), await once()];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await listed(user)).toHaveLength(1);
  });
});
