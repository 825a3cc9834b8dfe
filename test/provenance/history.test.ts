import { randomUUID } from 'node:crypto';
import { codeOf, letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type Answer, type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { MovableClock } from './movable-clock.js';

type Entry = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
const historyOf = ({ body }: Answer): Entry[] => body.history as Entry[];

describe('/nodes/:node_id/history', () => {
  let world: World;
  let clock: MovableClock;
  let user: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    clock = new MovableClock(world);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    user = await world.user();
  });

  const versions = async (client: Client, id: string, query = '') =>
    historyOf(await client.get(`/nodes/${id}/history${query}`)).map(({ version }) => version as number);

  it('history has an entry for each step, newest first, with every field', async () => {
    const agent = randomUUID();
    const { id } = await node(user, {
      title: 'one',
      tags: ['sea'],
      agent_metadata: { agent_id: agent, agent_name: 'reader' },
    });
    await user.put(`/nodes/${id}`, { title: 'two', change_reason: 'it grew' });
    await user.put(`/nodes/${id}`, { tags: ['sea', 'sun'] }, { headers: { 'X-Change-Reason': 'tidying' } });
    const answer = await user.get(`/nodes/${id}/history`);
    expect(answer.body).toMatchObject({ node_id: id, total: 3, limit: 100, offset: 0 });
    const [tagged, changed, made] = historyOf(answer) as [Entry, Entry, Entry];
    const by = { changed_by_user_id: user.id, changed_by_app_id: null, proposal_id: null };
    expect(tagged).toMatchObject({
      ...by,
      version: 3,
      change_type: 'tag_added',
      change_reason: 'tidying',
      changed_fields: { tags: { old: ['sea'], new: ['sea', 'sun'] } },
      agent_metadata: null,
    });
    expect(changed).toEqual({
      ...by,
      version: 2,
      changed_at: expect.stringMatching(/Z$/),
      change_type: 'updated',
      change_reason: 'it grew',
      changed_by_type: 'user',
      changed_by_agent_id: null,
      agent_metadata: null,
      changed_fields: { title: { old: 'one', new: 'two' } },
    });
    expect(made).toMatchObject({
      version: 1,
      change_type: 'created',
      changed_by_type: 'agent',
      changed_by_agent_id: agent,
      agent_metadata: { agent_name: 'reader' },
      changed_fields: {},
    });
  });

  it('history is paged, has snapshots on request, and filters by time', async () => {
    const { id } = await node(user, { title: 'v1', tags: ['sea'] });
    const times = [clock.now];
    for (const title of ['v2', 'v3', 'v4']) {
      times.push(clock.step());
      await user.put(`/nodes/${id}`, { title });
    }
    const page = await user.get(`/nodes/${id}/history?limit=2&offset=1&include_snapshots=true`);
    expect(page.body).toMatchObject({ total: 4, limit: 2, offset: 1 });
    expect(historyOf(page).map(({ snapshot }) => [snapshot.title, snapshot.version, snapshot.tags])).toEqual([
      ['v3', 3, ['sea']],
      ['v2', 2, ['sea']],
    ]);
    expect(page.text).not.toContain('graph_view');
    const [, second, third] = times.map((time) => encodeURIComponent(time.toISOString()));
    expect(await versions(user, id, `?start_date=${second}&end_date=${third}`)).toEqual([3, 2]);
    expect((await user.get(`/nodes/${id}/history?limit=5000`)).body.limit).toBe(1000);
    for (const query of [
      'limit=0',
      'limit=x',
      'offset=-1',
      'start_date=yesterday',
      'include_snapshots=maybe',
    ])
      expect(codeOf(await user.get(`/nodes/${id}/history?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('history returns one version, and 404 for an unknown one', async () => {
    const { id } = await node(user, { title: 'v1' });
    await user.put(`/nodes/${id}`, { title: 'v2' });
    const { body } = await user.get(`/nodes/${id}/history/1`);
    expect(body).toMatchObject({
      node_id: id,
      version: 1,
      change_type: 'created',
      snapshot: { id, title: 'v1', version: 1 },
    });
    for (const version of ['3', '0', '-1', '1.0', '01', 'x', '99999999999', '%00'])
      expect((await user.get(`/nodes/${id}/history/${version}`)).status).toBe(404);
    expect(codeOf(await user.get(`/nodes/${randomUUID()}/history/1`))).toEqual([404, 'NODE_NOT_FOUND']);
    expect(codeOf(await user.get(`/nodes/nothing/history`))).toEqual([404, 'NODE_NOT_FOUND']);
  });

  it('history returns the node at a point in time; not before its creation, not while it was deleted', async () => {
    const before = clock.now;
    clock.step();
    const { id } = await node(user, { title: 'v1' });
    const first = clock.now;
    clock.step();
    await user.put(`/nodes/${id}`, { title: 'v2' });
    await user.put(`/nodes/${id}`, { title: 'v3' });
    const both = clock.now;
    clock.step();
    await user.delete(`/nodes/${id}`);
    const deleted = clock.now;
    clock.step();
    const at = (time: Date | string) =>
      user.get(
        `/nodes/${id}/history/at-time?timestamp=${encodeURIComponent(typeof time === 'string' ? time : time.toISOString())}`,
      );
    expect((await at(first)).body).toMatchObject({
      version: 1,
      timestamp: first.toISOString(),
      snapshot: { title: 'v1' },
    });
    // Two changes of one millisecond: the later number wins.
    expect((await at(both)).body).toMatchObject({ version: 3, snapshot: { title: 'v3' } });
    for (const time of [before, deleted, clock.now])
      expect(codeOf(await at(time))).toEqual([404, 'NODE_NOT_FOUND']);
    await user.post(`/nodes/${id}/restore`);
    expect((await at('2999-01-01')).body).toMatchObject({
      version: 5,
      change_type: 'restored',
      snapshot: { title: 'v3' },
    });
    expect(codeOf(await at(deleted))).toEqual([404, 'NODE_NOT_FOUND']);
    for (const time of ['', 'today', '2026-02-30T10:00:00Z', '12:00'])
      expect(codeOf(await at(time))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await user.get(`/nodes/${id}/history/at-time`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('history accepts a time with an offset, also if its plus became a space', async () => {
    const { id } = await node(user, { title: 'v1' });
    const ahead = new Date(clock.now.getTime() + 2 * 3600_000).toISOString().replace('Z', '+02:00');
    for (const text of [encodeURIComponent(ahead), ahead]) {
      const { body } = await user.get(`/nodes/${id}/history/at-time?timestamp=${text}`);
      expect(body).toMatchObject({ version: 1, timestamp: clock.now.toISOString() });
    }
  });

  it('history of a deleted node is open to the owner, and not to apps', async () => {
    const app = await letsIn(world, user, profile({ read: 'all' }));
    const { id } = await node(user, { title: 'gone' });
    await user.delete(`/nodes/${id}`);
    expect(await versions(user, id)).toEqual([2, 1]);
    expect((await user.get(`/nodes/${id}/history/1`)).body.snapshot.title).toBe('gone');
    for (const path of [
      'history',
      'history/1',
      'history/at-time?timestamp=2999-01-01',
      'contributions',
      'ledger',
    ]) {
      const absent = await app.get(`/nodes/${randomUUID()}/${path}`);
      const hidden = await app.get(`/nodes/${id}/${path}`);
      expect([hidden.status, hidden.body.error.code]).toEqual([404, 'NODE_NOT_FOUND']);
      expect(hidden.body.error.message).toBe(absent.body.error.message);
    }
    expect(historyOf(await user.get('/nodes/history'))).toHaveLength(2);
    expect((await app.get('/nodes/history')).body).toEqual({ history: [], total: 0, limit: 100 });
  });

  it('history of all nodes is sorted newest first, with their ids, and can be filtered by node', async () => {
    const one = await node(user, { title: 'one' });
    const two = await node(user, { title: 'two' });
    await user.put(`/nodes/${one.id}`, { title: 'one more' });
    const answer = await user.get('/nodes/history');
    expect(answer.body.total).toBe(3);
    expect(historyOf(answer).map(({ node_id, version }) => [node_id, version])).toEqual([
      [one.id, 2],
      [two.id, 1],
      [one.id, 1],
    ]);
    expect((await user.get('/nodes/history?limit=5000')).body.limit).toBe(1000);
    expect((await user.get('/nodes/history?limit=1')).body).toMatchObject({
      total: 3,
      history: [{ version: 2 }],
    });
    expect((await user.get(`/nodes/history?node_id=${two.id}`)).body).toMatchObject({
      total: 1,
      history: [{ node_id: two.id }],
    });
    for (const id of [randomUUID(), 'nothing'])
      expect((await user.get(`/nodes/history?node_id=${id}`)).body).toEqual({
        history: [],
        total: 0,
        limit: 100,
      });
  });

  describe('apps', () => {
    it('history as an app reads it leaves out versions that were hidden then, and the part of the next one that would reveal them', async () => {
      const [work] = [await tagId(user, 'work')];
      const app = await letsIn(world, user, profile({ read: [work] }));
      const { id } = await node(user, { title: 'secret beginnings', value: 'same', tags: ['private'] });
      await user.put(`/nodes/${id}`, { title: 'public', tags: ['work'] });
      await user.put(`/nodes/${id}`, { title: 'more public' });
      const answer = await app.get(`/nodes/${id}/history?include_snapshots=true`);
      expect(answer.body.total).toBe(2);
      expect(historyOf(answer).map(({ version, changed_fields }) => [version, changed_fields])).toEqual([
        [2, { title: { old: 'public', new: 'more public' } }],
        [1, {}],
      ]);
      expect(answer.text).not.toContain('secret');
      expect(answer.text).not.toContain('private');
      expect((await app.get('/nodes/history')).body.total).toBe(2);
      const hidden = await app.get(`/nodes/${id}/history/3`);
      const absent = await app.get(`/nodes/${id}/history/9`);
      expect([hidden.status, hidden.body.error.message]).toEqual([404, absent.body.error.message]);
      expect((await user.get(`/nodes/${id}/history`)).body.total).toBe(3);
      await user.put(`/nodes/${id}`, { tags: ['private'] });
      expect((await app.get(`/nodes/${id}/history`)).status).toBe(404);
      expect((await app.get('/nodes/history')).body).toEqual({ history: [], total: 0, limit: 100 });
    });

    it('history as an app reads it does not return an older version at a time of a hidden one', async () => {
      const work = await tagId(user, 'work');
      const app = await letsIn(world, user, profile({ read: [work] }));
      const { id } = await node(user, { title: 'shown', tags: ['work'] });
      clock.step();
      await user.put(`/nodes/${id}`, { title: 'hidden', tags: ['private'] });
      const hidden = clock.now;
      clock.step();
      await user.put(`/nodes/${id}`, { title: 'shown again', tags: ['work'] });
      expect((await app.get(`/nodes/${id}/history/at-time?timestamp=${hidden.toISOString()}`)).status).toBe(
        404,
      );
      expect(await versions(app, id)).toEqual([2, 1]);
      expect(historyOf(await app.get(`/nodes/${id}/history`))[0]).toMatchObject({
        version: 2,
        changed_fields: {},
      });
    });

    it.each([
      ['summary', ['title', 'tags'], null],
      ['minimal', [], null],
    ])(
      'history as an app reads it shows no more than the node does at detail %s',
      async (detail, fields, reason) => {
        const app = await letsIn(world, user, profile({ read: 'all' }, { max_detail_level: detail }));
        const { id } = await node(user, {
          title: 'zq-title',
          value: 'zq-value',
          tags: ['zq-tag'],
          metadata: { properties: { a: 'zq-meta' } },
          agent_metadata: { agent_id: randomUUID(), agent_name: 'zq-agent' },
        });
        await user.put(`/nodes/${id}`, {
          title: 'zq-title 2',
          value: 'zq-value 2',
          tags: ['zq-tag 2'],
          change_reason: 'zq-reason',
          metadata: { properties: { a: 'zq-meta 2' } },
        });
        await user.put(`/nodes/${id}`, { value: 'zq-value 3' });
        const answer = await app.get(`/nodes/${id}/history?include_snapshots=true`);
        const versions = historyOf(answer);
        // At minimal no change is shown.
        expect(versions).toHaveLength(fields.length === 0 ? 1 : 2);
        const last = versions[0] as Entry;
        expect(Object.keys(last.changed_fields as object).sort()).toEqual([...fields].sort());
        expect(last.change_reason).toBe(reason);
        expect(versions.at(-1)).toMatchObject({ agent_metadata: null, version: 1 });
        const shown = await app.get(`/nodes/${id}`);
        expect(Object.keys(last.snapshot as object).sort()).toEqual(Object.keys(shown.body as object).sort());
        const words = detail === 'minimal' ? ['zq-'] : ['zq-value', 'zq-meta', 'zq-agent', 'zq-reason'];
        for (const word of words) expect(answer.text).not.toContain(word);
      },
    );

    it('history as an app reads it has no version for a change of tags that are hidden from the app', async () => {
      const work = await tagId(user, 'work');
      const app = await letsIn(world, user, profile({ read: [work] }));
      const { id } = await node(user, { title: 'x', tags: ['work'] });
      await user.put(`/nodes/${id}`, { tags: ['work', 'therapy'] });
      const answer = await app.get(`/nodes/${id}/history`);
      expect(historyOf(answer)).toMatchObject([{ version: 1, change_type: 'created' }]);
      expect(answer.text).not.toContain('therapy');
      expect(historyOf(await user.get(`/nodes/${id}/history`))[0]?.['change_type']).toBe('tag_added');
    });

    it('history as an app reads it masks old values by the rules of their version', async () => {
      const secret = await tagId(user, 'secret');
      const transformations = [
        {
          type: 'field_mask',
          config: { paths: ['value'], strategy: 'null' },
          apply_to: { tag_ids: [secret] },
        },
        { type: 'pii_redaction', config: { entities: ['email'] } },
      ];
      const app = await letsIn(world, user, profile({ read: 'all' }, { transformations }));
      const { id } = await node(user, { title: 'bob@example.org', value: 'masked words', tags: ['secret'] });
      await user.put(`/nodes/${id}`, {
        title: 'bo',
        value: 'open words',
        tags: ['open'],
        change_reason: 'for ann@example.org',
      });
      const answer = await app.get(`/nodes/${id}/history?include_snapshots=true`);
      expect(historyOf(answer)[0]).toMatchObject({
        change_reason: 'for [REDACTED:email]',
        changed_fields: {
          title: { old: '[REDACTED:email]', new: 'bo' },
        },
      });
      // An app does not learn if the masked value has changed.
      expect(historyOf(answer)[0]?.['changed_fields']).not.toHaveProperty('value');
      for (const word of ['masked words', 'bob@', 'ann@']) expect(answer.text).not.toContain(word);
    });

    it('history as an app reads it does not reveal true times by its filters if they are shown rounded', async () => {
      const app = await letsIn(
        world,
        user,
        profile({ read: 'all' }, { transformations: [{ type: 'round_date' }] }),
      );
      const { id } = await node(user, { title: 'x' });
      const made = clock.now;
      const day = `${made.toISOString().slice(0, 10)}T00:00:00.000Z`;
      const [entry] = historyOf(await app.get(`/nodes/${id}/history`));
      expect(entry?.['changed_at']).toBe(day);
      const later = encodeURIComponent(new Date(made.getTime() + 1).toISOString());
      expect(await versions(app, id, `?start_date=${day}&end_date=${day}`)).toEqual([1]);
      expect(await versions(app, id, `?start_date=${later}`)).toEqual([]);
      expect(await versions(app, id, `?start_date=${encodeURIComponent(made.toISOString())}`)).toEqual([]);
      expect((await app.get(`/nodes/${id}/history/at-time?timestamp=${day}`)).body).toMatchObject({
        version: 1,
      });
      expect((await user.get(`/nodes/${id}/history/at-time?timestamp=${day}`)).status).toBe(404);
    });
  });
});

describe('timestamps', () => {
  it('history on the real clock has each version at the exact time that its answer shows', async () => {
    const world = await World.startHere();
    const user = await world.user();
    const other = await node(user, { title: 'another one' });
    for (let round = 0; round < 10; round++) {
      const one = await node(user, { title: 'one' });
      const two = (await user.put(`/nodes/${one.id}`, { title: 'two' })).body as Entry;
      const edge = { from_node_id: one.id, to_node_id: other.id, relationship_type: 'NEAR' };
      const near = (await user.post('/relationships', edge)).body as Entry;
      const batch = await user.post('/nodes/batch', {
        nodes: [{ title: `item ${round}`, node_type: 'NOTE' }],
      });
      const [made] = batch.body.created as Entry[];
      const third = (await user.get(`/nodes/${made?.['id']}`)).body as Entry;
      const told = [
        [one.id, one.created_at, 1],
        [one.id, two['updated_at'], 2],
        [third['id'], third['created_at'], 1],
      ];
      for (const [id, timestamp, version] of told) {
        const { body } = await user.get(`/nodes/${id}/history/at-time?timestamp=${timestamp}`);
        expect([timestamp, body.version]).toEqual([timestamp, version]);
      }
      const { body } = await user.get(`/graph/snapshot?timestamp=${near['created_at']}`);
      expect((body.relationships as Entry[]).map(({ id }) => id as string)).toContain(near['id']);
    }
    await world.stop();
  });
});
