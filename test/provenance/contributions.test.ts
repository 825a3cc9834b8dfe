import { randomUUID } from 'node:crypto';
import { codeOf, letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type Answer, type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

type Row = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
const rows = ({ body }: Answer): Row[] => body.contributions as Row[];

describe('authorship', () => {
  let world: World;
  let user: TestUser;
  const [reader, writer] = [randomUUID(), randomUUID()];

  withWorld(
    (started) => (world = started),
    () => World.start(),
  );
  beforeEach(async () => {
    user = await world.user();
  });

  const by = (agent: string, more: object = {}) => ({ agent_metadata: { agent_id: agent, ...more } });
  const told = async (client: Client, id: string, query = '') =>
    rows(await client.get(`/nodes/${id}/contributions${query}`)).map(
      ({ field_path, contributed_value, status }) => [field_path, contributed_value, status],
    );

  it('contributions name the author of each field and path, with value and confidence', async () => {
    const { id } = await node(user, {
      title: 'Sail',
      value: 'soon',
      node_type: 'GOAL',
      meaning_level: 'IDENTITY',
      importance_score: 0.5,
      metadata: {
        properties: { status: 'active', steps: ['a', 'b'], where: { sea: 'north' } },
        source: 'diary',
      },
      ...by(reader, { confidence_score: 0.9 }),
    });
    const answer = await user.get(`/nodes/${id}/contributions`);
    expect(answer.body).toMatchObject({ node_id: id, total: 9, limit: 100, offset: 0 });
    expect(await told(user, id)).toEqual([
      ['importance_score', 0.5, 'active'],
      ['meaning_level', 'IDENTITY', 'active'],
      ['metadata.properties.status', 'active', 'active'],
      ['metadata.properties.steps', ['a', 'b'], 'active'],
      ['metadata.properties.where.sea', 'north', 'active'],
      ['metadata.source', 'diary', 'active'],
      ['node_type', 'GOAL', 'active'],
      ['title', 'Sail', 'active'],
      ['value', 'soon', 'active'],
    ]);
    const title = rows(answer).find(({ field_name }) => field_name === 'title');
    expect(title).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      node_id: id,
      version: 1,
      field_name: 'title',
      field_path: 'title',
      contributed_value: 'Sail',
      confidence_score: 0.9,
      contributed_at: expect.stringMatching(/Z$/),
      status: 'active',
      contributor_id: reader,
      contributor_type: 'agent',
    });
    expect(new Set(rows(answer).map((row) => row['id'] as string)).size).toBe(9);
  });

  it('contributions are superseded by newer writes of the same path, and only those', async () => {
    const { id } = await node(user, {
      title: 'a',
      metadata: { properties: { x: 1, y: { z: 1 } } },
      ...by(reader),
    });
    await user.put(`/nodes/${id}`, {
      title: 'b',
      metadata: { properties: { x: 1, y: 'flat' } },
      ...by(writer),
    });
    expect(await told(user, id)).toEqual([
      ['metadata.properties.y', 'flat', 'active'],
      ['title', 'b', 'active'],
      ['meaning_level', 'CONTEXT', 'active'],
      ['metadata.properties.x', 1, 'active'],
      ['node_type', 'note', 'active'],
    ]);
    expect(await told(user, id, '?status=superseded')).toEqual([
      ['metadata.properties.y.z', 1, 'superseded'],
      ['title', 'a', 'superseded'],
    ]);
    await user.put(`/nodes/${id}`, { metadata: null });
    expect((await told(user, id)).map(([path]) => path)).toEqual(['title', 'meaning_level', 'node_type']);
    expect((await user.get(`/nodes/${id}/contributions?status=all`)).body.total).toBe(7);
    expect((await user.get(`/nodes/${id}/contributions?status=all&limit=2&offset=5`)).body).toMatchObject({
      total: 7,
      limit: 2,
      offset: 5,
    });
    expect(rows(await user.get(`/nodes/${id}/contributions?status=all&limit=2&offset=5`))).toHaveLength(2);
    for (const query of ['status=gone', 'contributor_type=app', 'limit=0'])
      expect(codeOf(await user.get(`/nodes/${id}/contributions?${query}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
  });

  it('contributions that were rejected stand beside the active one', async () => {
    const { id } = await node(user, { title: 'a', ...by(reader) });
    await user.put(`/nodes/${id}`, { title: 'b', ...by(writer, { validation_status: 'rejected' }) });
    expect(await told(user, id, '?status=rejected')).toEqual([['title', 'b', 'rejected']]);
    expect(await told(user, id)).toContainEqual(['title', 'a', 'active']);
    await user.put(`/nodes/${id}`, { title: 'c', ...by(reader) });
    expect(await told(user, id, '?status=superseded')).toEqual([['title', 'a', 'superseded']]);
    expect(await told(user, id, '?status=rejected')).toHaveLength(1);
  });

  it('contributions are filtered by contributor: agents, users, and apps that name no agent only under all', async () => {
    const app = await letsIn(world, user, profile({ read: 'all', create: 'all', edit: 'all' }));
    const { id } = await node(app, { title: 'a' });
    await app.put(`/nodes/${id}`, { title: 'b', last_modified_by_agent_id: reader });
    await user.put(`/nodes/${id}`, { value: 'mine' });
    const of = async (type: string) =>
      rows(await user.get(`/nodes/${id}/contributions?contributor_type=${type}`)).map((row) => [
        row['field_path'],
        row['contributor_type'],
        row['contributor_id'] === user.id,
      ]);
    expect(await of('agent')).toEqual([['title', 'agent', false]]);
    expect(await of('user')).toEqual([['value', 'user', true]]);
    expect(await of('all')).toHaveLength(4);
  });

  it('contributions of a batch that writes one node twice are superseded in its order', async () => {
    const nodes = [
      { title: 'same', node_type: 'note', metadata: { properties: { n: 1 } } },
      { title: 'same', node_type: 'note', metadata: { properties: { n: 2 } } },
      { title: 'same', node_type: 'note', metadata: { properties: { n: 3 } } },
    ];
    const { body } = await user.post('/nodes/batch', { nodes, on_duplicate: 'overwrite' });
    const { id } = body.created[0];
    expect((await told(user, id)).filter(([path]) => path === 'metadata.properties.n')).toEqual([
      ['metadata.properties.n', 3, 'active'],
    ]);
    expect(await told(user, id, '?status=superseded')).toHaveLength(2);
  });

  it('contributions have exactly one active for each path after concurrent writes', async () => {
    const { id } = await node(user, { title: 'start' });
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => user.put(`/nodes/${id}`, { title: `t${i}`, value: `v${i}` })),
    );
    const active = await told(user, id);
    const { body } = await user.get(`/nodes/${id}`);
    expect(active.filter(([path]) => path === 'title')).toEqual([['title', body.title, 'active']]);
    expect(active.filter(([path]) => path === 'value')).toEqual([['value', body.value, 'active']]);
    expect((await user.get(`/nodes/${id}/contributions?status=superseded`)).body.total).toBe(12 + 11);
  });

  it('contributions do not exist for a change that was undone', async () => {
    const { id } = await node(user, { title: 'a' });
    await user.put(`/nodes/${id}`, { title: 'b' }, { headers: { 'If-Match': '"9"' } });
    expect(await told(user, id, '?status=all')).toHaveLength(3);
  });

  it('contributions record metadata of any shape in bounded rows', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`k${i}`, i]));
    const { id } = await node(user, {
      metadata: {
        properties: { 'a.b': 1, '': 2 },
        many,
        deep: { ['k'.repeat(5_000)]: { x: 1 } },
        list: [],
        none: null,
      },
    });
    const paths = (await told(user, id)).map(([path]) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['metadata.properties', 'metadata.many', 'metadata.deep', 'metadata.list']),
    );
    expect(paths).not.toContain('metadata.none');
  });

  describe('apps', () => {
    it('an app reads and counts contributions to shown fields only', async () => {
      const { id } = await node(user, {
        title: 'a',
        value: 'zq-v',
        metadata: { properties: { x: 'zq-x' } },
        ...by(reader, { confidence_score: 1 }),
      });
      const count = async (detail: string) => {
        const app = await letsIn(world, user, profile({ read: 'all' }, { max_detail_level: detail }));
        const answer = await app.get(`/nodes/${id}/contributions`);
        expect(rows(answer)).toHaveLength(answer.body.total as number);
        if (detail !== 'full') expect(answer.text).not.toContain('zq-');
        if (detail !== 'full') expect(rows(answer)[0]?.['confidence_score']).toBeNull();
        const ledger = await app.get(`/nodes/${id}/ledger`);
        expect(ledger.body.agents[0].contribution_count).toBe(answer.body.total);
        const agents = await app.get(`/agents/${reader}/contributions`);
        expect(agents.body.total).toBe(answer.body.total);
        expect(agents.body.contributions[0].node_title).toBe(detail === 'minimal' ? null : 'a');
        return answer.body.total as number;
      };
      expect([await count('full'), await count('summary'), await count('minimal')]).toEqual([5, 3, 2]);
    });

    it('an app reads contributions masked as the field is, and none if the field is removed', async () => {
      const transformations = [
        { type: 'field_mask', config: { paths: ['metadata.properties.secret'] } },
        { type: 'field_mask', config: { paths: ['metadata.*.phone'], strategy: 'hash' } },
        { type: 'pii_redaction', config: { entities: ['email'] } },
      ];
      const app = await letsIn(world, user, profile({ read: 'all' }, { transformations }));
      const metadata = {
        properties: {
          secret: { deep: 'zq-secret' },
          phone: 'zq-phone',
          mail: 'zq@example.org',
          'ann@example.org': 'zq-key',
        },
        'x.y': { phone: 'zq-dotted' },
      };
      const { id } = await node(user, { title: 'from zq@example.org', metadata, ...by(reader) });
      const answer = await app.get(`/nodes/${id}/contributions`);
      expect(answer.text).not.toContain('zq');
      expect(rows(answer)).toHaveLength(answer.body.total as number);
      expect((await told(app, id)).find(([path]) => path === 'title')).toEqual([
        'title',
        'from [REDACTED:email]',
        'active',
      ]);
      const { id: plain } = await node(user, {
        metadata: { properties: { secret: 'zq-a', open: 'b' } },
        ...by(reader),
      });
      expect((await told(app, plain)).map(([path]) => path)).toEqual([
        'meaning_level',
        'metadata.properties.open',
        'node_type',
        'title',
      ]);
      const ledger = await app.get(`/nodes/${plain}/ledger`);
      expect(ledger.body.agents).toMatchObject([{ agent_id: reader, contribution_count: 4 }]);
    });

    it('the parts of an object that is shown as null are not named', async () => {
      const config = { paths: ['metadata.secret'], strategy: 'null' };
      const transformations = [{ type: 'field_mask', config }];
      const app = await letsIn(world, user, profile({ read: 'all' }, { transformations }));
      const { id } = await node(user, { metadata: { secret: { 'zq-key': 'zq' }, open: 'b' } });
      const { text } = await app.get(`/nodes/${id}/contributions`);
      expect(text).toContain('metadata.open');
      expect(text).not.toContain('zq-key');
    });

    it('a blind write does not reveal if it guessed a value that is shown as null', async () => {
      const config = { paths: ['metadata.properties.pin'], strategy: 'null' };
      const transformations = [{ type: 'field_mask', config }];
      const app = await letsIn(world, user, profile({ read: 'all', edit: 'all' }, { transformations }));
      const { id } = await node(user, { metadata: { properties: { pin: '4711', colour: 'red' } } });
      const guessed = async (pin: string) => {
        const written = await app.put(`/nodes/${id}`, { metadata: { properties: { pin, colour: 'red' } } });
        expect(written.status).toBe(200);
        const { body } = await app.get('/analytics/history-stats');
        const { contributions } = (await app.get(`/nodes/${id}/contributions`)).body;
        return [body.contribution_stats, contributions.map((one: { field_path: string }) => one.field_path)];
      };
      expect(await guessed('4711')).toEqual(await guessed('1147'));
    });

    it('agents whose id is masked are not revealed', async () => {
      const transformations = [{ type: 'pseudonymize', config: { paths: ['last_modified_by_agent_id'] } }];
      const app = await letsIn(world, user, profile({ read: 'all' }, { transformations }));
      const { id } = await node(user, { last_modified_by_agent_id: reader });
      const paths = [
        `/nodes/${id}`,
        `/nodes/${id}/history`,
        `/nodes/${id}/contributions`,
        `/nodes/${id}/ledger`,
        '/analytics/agent-stats',
      ];
      for (const path of paths) expect((await app.get(path)).text).not.toContain(reader);
      expect((await app.get(`/agents/${reader}/contributions`)).body.total).toBe(0);
      expect((await user.get(`/agents/${reader}/contributions`)).body.total).toBe(3);
    });

    it('contributions of a hidden version are left out, and those that only differ from one', async () => {
      const work = await tagId(user, 'work');
      const app = await letsIn(world, user, profile({ read: [work] }));
      const { id } = await node(user, { title: 'zq-old', tags: ['private'], ...by(reader) });
      await user.put(`/nodes/${id}`, { title: 'new', tags: ['work'], ...by(writer) });
      const answer = await app.get(`/nodes/${id}/contributions?status=all`);
      expect([answer.text.includes('zq-'), answer.body.total]).toEqual([false, 0]);
      await user.put(`/nodes/${id}`, { title: 'newer', ...by(writer) });
      const later = await app.get(`/nodes/${id}/contributions?status=all`);
      expect(later.text).not.toContain('zq-');
      expect(rows(later).map(({ field_path }) => field_path as string)).toEqual(['title']);
      expect((await app.get(`/nodes/${id}/ledger`)).body).toMatchObject({
        total_agents: 1,
        agents: [{ agent_id: writer }],
      });
      expect((await app.get(`/agents/${reader}/contributions?status=all`)).body.total).toBe(0);
      await user.put(`/nodes/${id}`, { tags: ['private'] });
      expect((await app.get(`/agents/${writer}/contributions?status=all`)).body.total).toBe(0);
    });
  });

  it('contributions to a node are summed up by agent in its ledger', async () => {
    const { id } = await node(user, {
      title: 'a',
      ...by(reader, { agent_name: 'Reader', agent_type: 'extractor' }),
    });
    await user.put(`/nodes/${id}`, { title: 'b', ...by(writer, { agent_name: 'Writer' }) });
    await user.put(`/nodes/${id}`, { title: 'c', last_modified_by_agent_id: reader });
    const { body } = await user.get(`/nodes/${id}/ledger`);
    expect(body).toEqual({
      node_id: id,
      total_agents: 2,
      total: 2,
      limit: 100,
      offset: 0,
      agents: [
        {
          agent_id: reader,
          agent_name: 'Reader',
          agent_type: 'extractor',
          contribution_count: 4,
          last_contribution: expect.stringMatching(/Z$/),
        },
        {
          agent_id: writer,
          agent_name: 'Writer',
          agent_type: null,
          contribution_count: 1,
          last_contribution: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  it('contributions of an agent are listed over all nodes, with their titles; an unknown agent has none', async () => {
    const { id } = await node(user, { title: 'a', ...by(reader) });
    const { body } = await user.get(`/agents/${reader.toUpperCase()}/contributions`);
    expect(body).toMatchObject({ total: 3, limit: 100, offset: 0 });
    expect(
      body.contributions.map((row: Row) => [row['node_id'], row['node_title'], row['field_path']]),
    ).toEqual([
      [id, 'a', 'meaning_level'],
      [id, 'a', 'node_type'],
      [id, 'a', 'title'],
    ]);
    for (const agent of [randomUUID(), 'nobody'])
      expect((await user.get(`/agents/${agent}/contributions`)).body).toEqual({
        agent_id: agent,
        contributions: [],
        total: 0,
        limit: 100,
        offset: 0,
      });
  });
});
