import { randomUUID } from 'node:crypto';
import { codeOf, letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';
import { MovableClock } from './movable-clock.js';

const PAGE = { limit: 100, offset: 0 };
const NONE = { agent_stats: [], total_agents: 0, total: 0, ...PAGE };

describe('/analytics', () => {
  let world: World;
  let clock: MovableClock;
  let user: TestUser;
  const [reader, writer] = [randomUUID(), randomUUID()];

  beforeAll(async () => {
    world = await World.startHere();
    clock = new MovableClock(world);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    user = await world.user();
  });

  it('analytics are zero for an empty graph', async () => {
    expect((await user.get('/analytics/agent-stats')).body).toEqual(NONE);
    expect((await user.get('/analytics/history-stats')).body).toEqual({
      history_stats: { total_history_records: 0, nodes_with_history: 0 },
      contribution_stats: { total_contributions: 0, agent_contributions: 0, user_contributions: 0 },
      session_stats: { total_sessions: 0, completed_sessions: 0, success_rate: 0 },
    });
  });

  it('analytics average the confidence of an agent, for any numbers that it gave', async () => {
    const by = (confidence_score: number) => ({ agent_metadata: { agent_id: reader, confidence_score } });
    const average = async () =>
      (await user.get('/analytics/agent-stats')).body.agent_stats[0].avg_confidence as number;
    const { id } = await node(user, { title: 'a', ...by(Number.MAX_VALUE) });
    expect(await average()).toBe(Number.MAX_VALUE);
    expect((await user.get(`/nodes/${id}/ledger`)).body.total_agents).toBe(1);
    await node(user, { title: 'b', ...by(-Number.MAX_VALUE) });
    expect(await average()).toBe(0);
    await node(user, { title: 'c', ...by(Number.MIN_VALUE) });
    expect(await average()).toBe(0);
  });

  it('analytics list for each agent its contributions, their times and its confidence', async () => {
    const by = (agent_id: string, confidence_score?: number) => ({
      agent_metadata: { agent_id, agent_name: `A ${agent_id}`, confidence_score },
    });
    const first = clock.step();
    const { id } = await node(user, { title: 'a', ...by(reader, 0.5) });
    clock.step();
    await user.put(`/nodes/${id}`, { title: 'b', ...by(writer) });
    const last = clock.step();
    await node(user, { title: 'c', ...by(reader, 1) });
    expect((await user.get('/analytics/agent-stats')).body).toEqual({
      agent_stats: [
        {
          agent_id: reader,
          agent_name: `A ${reader}`,
          total_contributions: 6,
          nodes_affected: 2,
          avg_confidence: 0.75,
          active_contributions: 5,
          superseded_contributions: 1,
          first_contribution: first.toISOString(),
          last_contribution: last.toISOString(),
        },
        expect.objectContaining({
          agent_id: writer,
          total_contributions: 1,
          avg_confidence: null,
          active_contributions: 1,
        }),
      ],
      total_agents: 2,
      total: 2,
      ...PAGE,
    });
  });

  it('analytics count only nodes that the app can read now and could have read then', async () => {
    const work = await tagId(user, 'work');
    const app = await letsIn(world, user, profile({ read: [work] }));
    const agent = { agent_metadata: { agent_id: reader } };
    await node(user, { title: 'hidden', tags: ['private'], ...agent });
    const { id } = await node(user, { title: 'turned', tags: ['private'] });
    await user.put(`/nodes/${id}`, { tags: ['work'], title: 'comes to be shown', ...agent });
    await user.put(`/nodes/${id}`, { title: 'shown', ...agent });
    const { id: gone } = await node(user, { title: 'gone', tags: ['work'], ...agent });
    await user.delete(`/nodes/${gone}`);
    expect((await app.get('/analytics/history-stats')).body).toMatchObject({
      history_stats: { total_history_records: 2, nodes_with_history: 1 },
      contribution_stats: { total_contributions: 1, agent_contributions: 1, user_contributions: 0 },
    });
    expect((await app.get('/analytics/agent-stats')).body).toMatchObject({
      agent_stats: [{ agent_id: reader, total_contributions: 1, nodes_affected: 1 }],
      total_agents: 1,
    });
    expect((await user.get('/analytics/history-stats')).body.history_stats).toEqual({
      total_history_records: 6,
      nodes_with_history: 3,
    });
    const none = await letsIn(world, user, profile({}));
    expect((await none.get('/analytics/history-stats')).body.contribution_stats.total_contributions).toBe(0);
    expect((await none.get('/analytics/agent-stats')).body).toEqual(NONE);
  });

  it('analytics count successful sessions among those that ended', async () => {
    for (const status of ['completed', 'completed', 'failed', null]) {
      const { body } = await user.post('/sessions', {});
      if (status) await user.patch(`/sessions/${body.id}`, { status });
    }
    const { body } = await user.get('/analytics/history-stats');
    expect(body.session_stats).toEqual({ total_sessions: 4, completed_sessions: 2, success_rate: 2 / 3 });
  });

  it('analytics do not reveal the confidence of an agent to callers who are not shown it', async () => {
    await node(user, {
      title: 'a',
      agent_metadata: { agent_id: reader, agent_name: 'zq-name', confidence_score: 0.123 },
    });
    const app = await letsIn(world, user, profile({ read: 'all' }, { max_detail_level: 'summary' }));
    const answer = await app.get('/analytics/agent-stats');
    expect(answer.body.agent_stats[0]).toMatchObject({ agent_name: null, avg_confidence: null });
    expect(answer.text).not.toMatch(/zq-|0\.123/);
  });

  describe('time travel', () => {
    const at = (time: Date | string) =>
      user.get(
        `/graph/snapshot?timestamp=${encodeURIComponent(typeof time === 'string' ? time : time.toISOString())}`,
      );

    it('the graph at a point in time has the nodes and relationships of that time in their state of that time', async () => {
      const empty = clock.step();
      clock.step();
      const one = await node(user, { title: 'one', importance_score: 0.25, meaning_level: 'DATA' });
      const two = await node(user, { title: 'two', graph_view: 'neutral' });
      const edge = await user.post('/relationships', {
        from_node_id: one.id,
        to_node_id: two.id,
        relationship_type: 'near',
        strength: 0.5,
      });
      const made = clock.now;
      clock.step();
      await user.put(`/nodes/${one.id}`, { title: 'uno' });
      await user.put(`/relationships/${edge.body.id}`, { strength: 1, relationship_type: 'far' });
      const changed = clock.now;
      clock.step();
      await user.delete(`/nodes/${two.id}`);
      const deleted = clock.now;
      expect((await at(empty)).body).toEqual({
        timestamp: empty.toISOString(),
        nodes: [],
        relationships: [],
        total_nodes: 0,
        total_relationships: 0,
      });
      const then = (await at(made)).body;
      expect(then).toMatchObject({ total_nodes: 2, total_relationships: 1, timestamp: made.toISOString() });
      expect(then.nodes.find(({ id }: { id: string }) => id === one.id)).toEqual({
        id: one.id,
        title: 'one',
        node_type: 'note',
        meaning_level: 'DATA',
        importance_score: 0.25,
        created_at: one.created_at,
      });
      const ends = { id: edge.body.id, from_node_id: one.id, to_node_id: two.id };
      expect(then.relationships).toEqual([{ ...ends, relationship_type: 'near', strength: 0.5 }]);
      expect((await at(changed)).body.relationships).toEqual([
        { ...ends, relationship_type: 'far', strength: 1 },
      ]);
      for (const time of [deleted, '2999-01-01']) {
        const { body } = await at(time);
        expect(body).toMatchObject({
          nodes: [{ id: one.id, title: 'uno' }],
          relationships: [],
          timestamp: clock.now.toISOString(),
        });
      }
    });

    it('the graph at a point in time is only for the owner in person, and requires a valid time', async () => {
      const app = await letsIn(world, user, profile({ read: 'all' }));
      expect(codeOf(await app.get('/graph/snapshot?timestamp=2026-01-01'))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
      expect(codeOf(await user.get('/graph/snapshot'))).toEqual([400, 'VALIDATION_ERROR']);
      for (const time of ['', 'now', '2026-13-01'])
        expect(codeOf(await at(time))).toEqual([400, 'VALIDATION_ERROR']);
      const stranger = await world.user();
      await node(user, { title: 'mine' });
      expect((await stranger.get('/graph/snapshot?timestamp=2999-01-01')).body.total_nodes).toBe(0);
    });
  });
});
