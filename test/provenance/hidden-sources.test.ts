import { randomUUID } from 'node:crypto';
import { type Client } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';
import { codeOf, letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { applied, proposer } from '../support/worlds/proposals.js';
import { GONE } from '../support/worlds/people.js';
import { withAlice } from '../support/worlds/with-world.js';

const SECRET = 'zq-secret';
const READ = { discover: 'all', read: 'all' } as const;

/** Contributions of a merged node are read through its target only by those who could read the node at its end. */
describe('contributions of merged nodes (rule 3.20a)', () => {
  let world: World;
  let alice: TestUser;
  let helper: Client;
  const agent = randomUUID();

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    helper = await proposer(world, alice, 'all');
  });

  const letter = (body: object = {}) =>
    node(alice, { title: SECRET, value: SECRET, tags: ['x'], agent_metadata: { agent_id: agent }, ...body });
  const list = (body: object = {}) => node(alice, { title: 'a list', value: 'apples', tags: ['x'], ...body });
  const merges = async (target: string, ...sources: string[]) => {
    const data = { target_node_id: target, source_node_ids: sources };
    const { body } = await applied(alice, helper, { type: 'MERGE_NODES', canonical_data: data });
    expect(body.status).toBe('APPLIED');
  };
  /** Each reader of contributions, and each count of them. */
  const seen = async (reader: Client, target: string) => {
    const list = await reader.get(`/nodes/${target}/contributions?status=all&limit=200`);
    const ledger = await reader.get(`/nodes/${target}/ledger`);
    const agents = await reader.get(`/agents/${agent}/contributions?status=all`);
    const figures = await reader.get('/analytics/agent-stats');
    return {
      texts: [list, agents].map(({ text }) => text.includes(SECRET)),
      counts: [ledger.body.total_agents, agents.body.total, figures.body.total],
      merged: list.body.contributions.some(({ status }: { status: string }) => status === 'merged'),
      isWhole: list.body.total === list.body.contributions.length,
    };
  };
  const NOTHING = { texts: [false, false], counts: [0, 0, 0], merged: false, isWhole: true };

  it('an app to which the type of the node was excluded reads nothing of it through the target', async () => {
    const app = await letsIn(world, alice, profile(READ, { excluded_node_types: ['diary'] }));
    const [{ id: source }, { id: target }] = [await letter(), await list()];
    await alice.put(`/nodes/${source}`, { node_type: 'diary' });
    await merges(target, source);
    expect(await seen(app, target)).toEqual(NOTHING);
    expect((await seen(alice, target)).texts).toEqual([true, true]);
  });

  it('an app reads nothing of a node that a tag hid, also when the tag is taken off the target', async () => {
    const hidden = await tagId(alice, 'private');
    const app = await letsIn(world, alice, profile(READ, { excluded_tag_ids: [hidden] }));
    const [{ id: source }, { id: target }] = [await letter(), await list()];
    await alice.post(`/nodes/${source}/tags`, { tag_id: hidden });
    await merges(target, source);
    expect(codeOf(await app.get(`/nodes/${target}`))).toEqual(GONE);
    await alice.delete(`/nodes/${target}/tags/${hidden}`);
    expect(await seen(app, target)).toEqual(NOTHING);
  });

  it('an app reads nothing of a node that came through one hidden at its end', async () => {
    const app = await letsIn(world, alice, profile(READ, { excluded_node_types: ['diary'] }));
    const [{ id: first }, { id: middle }, { id: target }] = [await letter(), await list(), await list()];
    await merges(middle, first);
    await alice.put(`/nodes/${middle}`, { node_type: 'diary' });
    await merges(target, middle);
    expect(await seen(app, target)).toEqual(NOTHING);
  });

  it('an app with masks reads nothing of a hidden node either, and its numbers count nothing of it', async () => {
    const rules = {
      excluded_node_types: ['diary'],
      transformations: [{ type: 'field_mask', config: { paths: ['metadata.pin'] } }],
    };
    const app = await letsIn(world, alice, profile(READ, rules));
    const [{ id: source }, { id: target }] = [await letter({ metadata: { pin: SECRET } }), await list()];
    await alice.put(`/nodes/${source}`, { node_type: 'diary', value: 'other' });
    await merges(target, source);
    expect(await seen(app, target)).toEqual(NOTHING);
  });

  it('a person with a share by a tag reads nothing of a node that had lost the tag', async () => {
    const bob = await world.user();
    const friends = await tagId(alice, 'friends');
    const [{ id: source }, { id: target }] = [
      await letter({ tags: ['friends', 'x'] }),
      await list({ tags: ['friends'] }),
    ];
    await alice.delete(`/nodes/${source}/tags/${friends}`);
    const share = { shared_with_user_id: bob.id, scope: 'specific_tags', tag_ids: [friends] };
    expect((await alice.post('/sharing', share)).status).toBe(201);
    await merges(target, source);
    const answer = await bob.get(`/nodes/${target}/contributions?status=all`);
    expect([answer.status, answer.text.includes(SECRET)]).toEqual([200, false]);
    expect((await bob.get(`/nodes/${target}/ledger`)).body.total_agents).toBe(0);
  });

  it('an app that could read the node to its end reads its contributions through the target', async () => {
    const app = await letsIn(world, alice, profile(READ, { excluded_node_types: ['diary'] }));
    const [{ id: source }, { id: target }] = [await letter(), await list()];
    await merges(target, source);
    expect(await seen(app, target)).toMatchObject({ texts: [true, true], merged: true, isWhole: true });
  });
});
