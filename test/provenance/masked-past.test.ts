import { type Client } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { upload } from '../support/worlds/files.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { applied } from '../support/worlds/proposals.js';

const ALL = { read: 'all', create: 'all', edit: 'all', propose: 'all', discover: 'all' } as const;
const WORDS = /Dr\. Lee|HIV positive/;
const AGENT = '7b0c6d3e-3f43-4d0e-9a51-0d4f5f7f9c11';

/** A past state is shown by the transformations that apply to it then or now (rule 3.20). */
describe('current masks (rule 3.20)', () => {
  let world: World;
  let alice: TestUser;
  let health = '';
  let app: Client;

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    health = await tagId(alice, 'health');
    await tagId(alice, 'open');
    app = await lets({ tag_ids: [health] });
  });

  const lets = (apply_to: object, ...more: object[]): Promise<Client> =>
    letsIn(
      world,
      alice,
      profile(ALL, {
        transformations: [{ type: 'field_mask', config: { paths: ['title', 'value'] }, apply_to }, ...more],
      }),
    );
  const visit = async (body: object = {}) => {
    const { id } = await node(alice, {
      title: 'Visit to Dr. Lee',
      value: 'Diagnosis: HIV positive',
      tags: ['open'],
      agent_metadata: { agent_id: AGENT },
      ...body,
    });
    return id as string;
  };
  const ways = (id: string) => [
    `/nodes/${id}`,
    `/nodes/${id}/history?include_snapshots=true`,
    `/nodes/${id}/history/1`,
    `/nodes/${id}/history/at-time?timestamp=2100-01-01T00:00:00Z`,
    `/nodes/history?node_id=${id}`,
    `/nodes/${id}/contributions?status=all`,
    `/agents/${AGENT}/contributions`,
  ];
  const told = async (client: Client, id: string) => {
    const texts: string[] = [];
    for (const way of ways(id)) {
      const answer = await client.get(way);
      if (answer.status !== 200) throw new Error(`${way}: ${answer.status} ${answer.text}`);
      if (WORDS.test(answer.text)) texts.push(way);
    }
    return texts;
  };

  it('past values are masked if a label was added after the write', async () => {
    const id = await visit();
    await alice.put(`/nodes/${id}`, { title: 'Second visit to Dr. Lee', change_reason: 'HIV positive' });
    expect(await told(app, id)).toEqual(ways(id));
    expect((await alice.post(`/nodes/${id}/tags`, { tag_id: health })).status).toBe(201);
    expect(await told(app, id)).toEqual([]);
    expect(await told(alice, id)).toEqual(ways(id));
  });

  it('past values are masked if the type was changed after the write', async () => {
    app = await lets({ node_types: ['DIAGNOSIS'] });
    const id = await visit();
    expect(await told(app, id)).not.toEqual([]);
    await alice.put(`/nodes/${id}`, { node_type: 'DIAGNOSIS' });
    expect(await told(app, id)).toEqual([]);
  });

  it('past values stay masked as they were then if the owner removes the label', async () => {
    const id = await visit({ tags: ['health'] });
    await alice.put(`/nodes/${id}`, { tags: ['open'], value: 'better' });
    expect((await app.get(`/nodes/${id}`)).body).toMatchObject({ value: 'better', version: 2 });
    const { body } = await app.get(`/nodes/${id}/history?include_snapshots=true`);
    expect(body.history[1].snapshot).not.toHaveProperty('value');
    expect(JSON.stringify(body)).not.toContain('HIV positive');
  });

  it('history does not reveal if a value that was masked then has changed', async () => {
    const named = [];
    for (const value of [undefined, 'another']) {
      const id = await visit({ tags: ['health'] });
      await alice.put(`/nodes/${id}`, { tags: ['open'], ...(value && { value }) });
      const { body } = await app.get(`/nodes/${id}/history`);
      named.push(Object.keys(body.history[0].changed_fields));
    }
    expect(named).toEqual([['tags'], ['tags']]);
  });

  it.each([
    ['taken out', 'field_mask', { paths: ['value'] }],
    ['cut short', 'truncate', { field: 'value', max: 3 }],
  ])('contributions do not reveal if a value that was %s then has changed', async (_, type, config) => {
    const transformations = [{ type, config, apply_to: { tag_ids: [health] } }];
    const agent = await letsIn(world, alice, profile(ALL, { transformations }));
    const listed = [];
    for (const value of ['the same', 'another']) {
      const id = await visit({ tags: ['health'], value: 'the same' });
      await alice.put(`/nodes/${id}`, { tags: ['open'], value, title: 'Now open' });
      const { body } = await agent.get(`/nodes/${id}/contributions?status=all`);
      const entries = body.contributions as { version: number; field_path: string; status: string }[];
      listed.push(entries.map(({ version, field_path, status }) => `${version} ${field_path} ${status}`));
      const stats = (await agent.get('/analytics/history-stats')).body.contribution_stats;
      listed.push(stats.total_contributions);
    }
    const [whereSame, total, whereAnother, twice] = listed;
    expect(whereAnother).toEqual(whereSame);
    expect(whereSame).toContain('2 title active');
    expect(twice).toBe(2 * (total as number));
  });

  it('contributions do not reveal if a value of an unreadable version has changed', async () => {
    const reader = await letsIn(world, alice, profile(ALL, { tag_filters: { exclude_any: ['health'] } }));
    const listed = [];
    for (const value of ['the same', 'another']) {
      const id = await visit({ tags: ['health', 'open'], value: 'the same' });
      await alice.put(`/nodes/${id}`, { tags: ['open'], value });
      await alice.put(`/nodes/${id}`, { title: 'Since then' });
      const { body } = await reader.get(`/nodes/${id}/contributions`);
      listed.push((body.contributions as { field_path: string }[]).map(({ field_path }) => field_path));
      expect((await alice.get(`/nodes/${id}/contributions?status=all`)).body.total).toBeGreaterThan(2);
    }
    expect(listed).toEqual([['title'], ['title']]);
  });

  it('past times are rounded to the day, also in filters of time, after a label is added', async () => {
    app = await letsIn(
      world,
      alice,
      profile(ALL, { transformations: [{ type: 'round_date', apply_to: { tag_ids: [health] } }] }),
    );
    const id = await visit();
    await alice.post(`/nodes/${id}/tags`, { tag_id: health });
    const { body } = await app.get(`/nodes/${id}/history`);
    for (const { changed_at } of body.history) expect(changed_at).toMatch(/T00:00:00\.000Z$/);
    const midnight = body.history[0].changed_at as string;
    const all = await app.get(`/nodes/${id}/history?end_date=${midnight}`);
    expect(all.body.total).toBe(2);
  });

  it('the past name of a file is masked in the metadata as the title is', async () => {
    app = await lets({});
    const { body: file } = await upload(alice, '/raw-files', { filename: 'Dr. Lee.txt' });
    await alice.put(`/raw-files/${file.id}`, { filename: 'HIV positive.txt' });
    for (const way of [
      `/nodes/${file.id}/history?include_snapshots=true`,
      `/nodes/${file.id}/contributions?status=all`,
      `/raw-files/${file.id}`,
    ]) {
      const answer = await app.get(way);
      expect([answer.status, WORDS.test(answer.text)]).toEqual([200, false]);
    }
  });

  it('the past of a merged node is masked by the facts of the vanished node', async () => {
    app = await lets({ node_types: ['DIAGNOSIS'] });
    const [source, target] = [await visit(), (await node(alice, { title: 'kept' })).id as string];
    await alice.put(`/nodes/${source}`, { node_type: 'DIAGNOSIS', value: 'HIV positive, again' });
    await applied(alice, app, {
      type: 'MERGE_NODES',
      canonical_data: { target_node_id: target, source_node_ids: [source] },
    });
    const answer = await app.get(`/nodes/${target}/contributions?status=all`);
    expect([answer.status, WORDS.test(answer.text)]).toEqual([200, false]);
    expect((await alice.get(`/nodes/${target}/contributions?status=all`)).text).toMatch(WORDS);
  });

  it('the event of the proposal that made a node masks its past', async () => {
    const made = await applied(alice, app, {
      type: 'CREATE_NODE',
      canonical_data: { title: 'Visit to Dr. Lee', node_type: 'note', value: 'HIV positive', tags: ['open'] },
    });
    const [id] = made.body.created.node_ids as string[];
    const madeOf = async () => {
      const { body } = await app.get('/proposals/events?limit=100');
      const events = body.events as { event_type: string; data: { created_nodes: object[] } }[];
      return events.find(({ event_type }) => event_type === 'applied')?.data.created_nodes[0];
    };
    expect(await madeOf()).toMatchObject({ title: 'Visit to Dr. Lee' });
    await alice.post(`/nodes/${id}/tags`, { tag_id: health });
    expect(await madeOf()).toMatchObject({ id });
    expect(await madeOf()).not.toHaveProperty('title');
  });
});
