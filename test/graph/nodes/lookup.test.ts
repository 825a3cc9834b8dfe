import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { codeOf, letsIn, node, profile, tagId, titlesOf } from '../../support/worlds/nodes.js';
import { withWorld } from '../../support/worlds/with-world.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';

describe('looking nodes up by their ids', () => {
  let world: World;
  let alice: TestUser;
  withWorld((started) => (world = started));
  beforeEach(async () => (alice = await world.user()));

  const made = async (title: string, body: Record<string, unknown> = {}): Promise<string> =>
    (await node(alice, { title, ...body })).id as string;
  const lookUp = (client: Client, ids: unknown, options?: { headers: Record<string, string> }) =>
    client.post('/nodes/lookup', { ids }, options);

  it('POST /nodes/lookup returns the readable nodes in the order of the ids, each once', async () => {
    const [a, b, c] = [await made('a', { tags: ['sea'] }), await made('b'), await made('c')];
    await alice.delete(`/nodes/${c}`);
    const stranger = (await node(await world.user(), {})).id as string;
    const answer = await lookUp(alice, [b, ABSENT, a, c, 'no id', stranger, b, a.toUpperCase()]);
    expect(answer.status).toBe(200);
    expect(titlesOf(answer)).toEqual(['b', 'a']);
    expect(answer.body.truncated).toBe(false);
    const single = (await alice.get(`/nodes/${a}`)).body;
    expect(answer.body.nodes[1]).toEqual({ ...single, is_shared: false });
    expect((await lookUp(alice, [ABSENT])).body).toEqual({ nodes: [], truncated: false });
    expect((await lookUp(alice, ['no id'])).body).toEqual({ nodes: [], truncated: false });
  });

  it.each([
    ['no ids', undefined],
    ['an empty list', []],
    ['101 ids', Array.from({ length: 101 }, () => ABSENT)],
    ['a text', ABSENT],
    ['a number among the ids', [7]],
    ['null among the ids', [null]],
  ])('POST /nodes/lookup refuses %s', async (_, ids) => {
    expect(codeOf(await lookUp(alice, ids))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('POST /nodes/lookup leaves out what an app may not read, and shows the rest as its profile does', async () => {
    const [open, hidden] = [await made('opened', { tags: ['open'] }), await made('secret')];
    const masked = {
      transformations: [{ type: 'field_mask', config: { paths: ['title'], strategy: 'last4' } }],
    };
    const app = await letsIn(world, alice, profile({ read: [await tagId(alice, 'open')] }, masked));
    const answer = await lookUp(app, [hidden, open, ABSENT]);
    const single = (await app.get(`/nodes/${open}`)).body;
    expect(answer.body.nodes).toEqual([{ ...single, is_shared: false }]);
    expect(answer.text).not.toContain('secret');
    expect(single.title).not.toBe('opened');
    const none = await letsIn(world, alice, profile({ discover: 'all' }));
    expect((await lookUp(none, [open, hidden])).body.nodes).toEqual([]);
  });

  it('POST /nodes/lookup finds nodes that others share, as GET /nodes/:node_id does', async () => {
    const [given, kept] = [await made('given', { tags: ['open'] }), await made('kept')];
    const bob = await world.user();
    const own = (await node(bob, { title: 'own' })).id as string;
    const share = {
      shared_with_user_id: bob.id,
      scope: 'specific_tags',
      tag_ids: [await tagId(alice, 'open')],
    };
    expect((await alice.post('/sharing', share)).status).toBe(201);
    const answer = await lookUp(bob, [given, own, kept]);
    expect(titlesOf(answer)).toEqual(['given', 'own']);
    const single = (await bob.get(`/nodes/${given}`)).body;
    expect(answer.body.nodes[0]).toEqual({ ...single, is_shared: true });
    const narrow = await letsIn(world, bob, profile({ read: [await tagId(bob, 'mine')] }));
    expect((await lookUp(narrow, [given])).body.nodes).toEqual([]);
  });

  it('POST /nodes/lookup says where the page is full, and continues behind its last node', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 24; at++)
      ids.push(await made(`n${at}`, { metadata: { text: `${at} `.padEnd(200_000, 'x') } }));
    const first = await lookUp(alice, [ABSENT, ...ids]);
    expect(first.body.truncated).toBe(true);
    expect(first.text.length).toBeLessThan(5 * 1024 * 1024);
    const { length } = first.body.nodes;
    const second = await lookUp(alice, ids.slice(length));
    expect(second.body.truncated).toBe(false);
    expect([...titlesOf(first), ...titlesOf(second)]).toEqual(ids.map((_, at) => `n${at}`));
  });
});
