import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';

type Similar = [title: string | null, reason: string, similarity: number];

describe('GET /nodes/:node_id/similar', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  const similar = async (client: Client, id: string, query = ''): Promise<Similar[]> => {
    const { status, body, text } = await client.get(`/nodes/${id}/similar${query}`);
    if (status !== 200) throw new Error(text);
    return body.nodes.map(({ title, reason, similarity }: Record<string, unknown>) => [
      title,
      reason,
      similarity,
    ]);
  };
  const titled = async (...titles: string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const title of titles) ids.push((await node(alice, { title })).id);
    return ids;
  };
  const embed = (id: string, embedding: number[], model?: string) =>
    alice.put(`/nodes/${id}/embedding`, { embedding, model });

  it('nodes with the same title come first, then nearly the same ones, each as it is listed (rule 4.20)', async () => {
    const [id] = await titled(
      'Learn to sail',
      'Learn to sial',
      'learn to  Sáil',
      'Learning to sail',
      'Learn to swim',
      'Sail',
    );
    expect(await similar(alice, id!)).toEqual([
      ['learn to  Sáil', 'same_title', 1],
      ['Learn to sial', 'similar_title', 0.923],
      ['Learning to sail', 'similar_title', 0.813],
    ]);
    const { body } = await alice.get(`/nodes/${id}/similar?limit=1`);
    const [listed] = (await alice.get('/nodes?search=S%C3%A1il&include_tags=true')).body.nodes;
    expect(body).toEqual({ nodes: [{ ...listed, reason: 'same_title', similarity: 1 }], truncated: true });
  });

  it('titles with different numbers, other views and deleted nodes are not similar', async () => {
    const [id, gone] = await titled('Notes of 2024-05-01', 'Notes of 2024-05-01', 'Notes of 2024-05-02');
    await node(alice, { title: 'Notes of 2024-05-01', graph_view: 'neutral' });
    await alice.delete(`/nodes/${gone}`);
    expect(await alice.get(`/nodes/${id}/similar`)).toMatchObject({
      status: 200,
      body: { nodes: [], truncated: false },
    });
  });

  it('words in values, and titles without words, make no node similar', async () => {
    await node(alice, { title: 'Something', value: 'Learn to sail' });
    const [id, signs] = await titled('Learn to sail', '???', '???');
    expect([await similar(alice, id!), await similar(alice, signs!)]).toEqual([[], []]);
  });

  it('titles of one word, of small words, of many words and in other scripts are compared', async () => {
    const long = Array.from(
      { length: 120 },
      (_, index) => `word${'abcdefghij'[index % 10]}${'klmnopqrst'[Math.floor(index / 10) % 10]}`,
    ).join(' ');
    for (const title of ['Lisbon', 'The who', '東京都の天気', 'Новая квартира', 'สวัสดี', long.slice(0, 900)]) {
      const [id] = await titled(title, title.toUpperCase());
      expect(await similar(alice, id!)).toEqual([[title.toUpperCase(), 'same_title', 1]]);
    }
  });

  it('nodes with vectors of a similar meaning follow those with similar titles', async () => {
    const [id, same, near, far, other] = await titled(
      'Learn to sail',
      'learn to sail',
      'Boats',
      'Cooking',
      'Harbours',
    );
    await embed(id!, [1, 0, 0]);
    await embed(same!, [1, 0.1, 0]);
    await embed(near!, [1, 0.2, 0]);
    await embed(far!, [0, 1, 0]);
    await embed(other!, [1, 0, 0], 'another');
    await embed(other!, [1, 0]);
    expect(await similar(alice, id!)).toEqual([
      ['learn to sail', 'same_title', 1],
      ['Boats', 'similar_meaning', 0.981],
    ]);
  });

  it('only nodes that the app can read are similar, by titles and vectors as it is shown them (rule 3.16)', async () => {
    const open = await tagId(alice, 'open');
    const make = async (title: string, tag: string, value?: string) =>
      (await node(alice, { title, value, tags: [tag] })).id as string;
    const [id, shown, hidden] = [
      await make('Learn to sail', 'open'),
      await make('Learn to sail.', 'open', 'secret'),
      await make('Learn to sail', 'closed'),
    ];
    for (const one of [id, shown, hidden]) await embed(one, [1, 0]);
    const vector = await make('Boats', 'open');
    await embed(vector, [1, 0]);
    const read = (rest: object = {}) => letsIn(world, alice, profile({ read: [open] }, { ...rest }));
    const near = ['Learn to sail.', 'similar_title', 0.99];
    expect(await similar(await read(), id)).toEqual([near, ['Boats', 'similar_meaning', 1]]);
    expect(await similar(await read({ max_detail_level: 'summary' }), id)).toEqual([near]);
    const minimal = await read({ max_detail_level: 'minimal' });
    expect(await similar(minimal, id)).toEqual([]);
    expect(codeOf(await minimal.get(`/nodes/${hidden}/similar`))).toEqual([404, 'NODE_NOT_FOUND']);
    const mask = (...paths: string[]) => ({
      transformations: [{ type: 'field_mask', config: { paths, strategy: 'null' } }],
    });
    expect(await similar(await read(mask('value')), id)).toEqual([near]);
    expect(await similar(await read(mask('title')), id)).toEqual([]);
    const cut = { transformations: [{ type: 'truncate', config: { field: 'title', max: 5 } }] };
    const [third] = [await make('Learn to cook', 'open')];
    const cutter = await read(cut);
    const [{ title }] = [(await cutter.get(`/nodes/${id}`)).body];
    expect(await similar(cutter, third)).toEqual([
      [title, 'same_title', 1],
      [title, 'same_title', 1],
    ]);
  });

  it('a recipient of a share finds similar nodes among those that the same person shares', async () => {
    const bob = await world.user();
    const [id, shared] = await titled('Learn to sail', 'learn to sail', 'Learn to sail');
    await node(bob, { title: 'Learn to sail' });
    const share = { shared_with_user_id: bob.id, scope: 'specific_nodes', node_ids: [id, shared] };
    expect((await alice.post('/sharing', share)).status).toBe(201);
    expect(await similar(bob, id!)).toEqual([['learn to sail', 'same_title', 1]]);
    const { body } = await bob.get(`/nodes/${id}/similar`);
    expect(body.nodes[0]).toMatchObject({ id: shared, is_shared: true });
  });

  it('absent, hidden and malformed ids are answered alike, and a limit outside 1 to 20 is refused or lowered', async () => {
    const theirs = await node(await world.user());
    for (const id of [theirs.id, crypto.randomUUID(), 'no-id'])
      expect(codeOf(await alice.get(`/nodes/${id}/similar`))).toEqual([404, 'NODE_NOT_FOUND']);
    const [id] = await titled(...Array.from({ length: 22 }, () => 'the same'));
    for (const limit of ['0', 'x', '-1', '1.5'])
      expect(codeOf(await alice.get(`/nodes/${id}/similar?limit=${limit}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    const { body } = await alice.get(`/nodes/${id}/similar?limit=100`);
    expect([body.nodes.length, body.truncated]).toEqual([20, true]);
    expect((await alice.get(`/nodes/${id}/similar`)).body.nodes).toEqual(body.nodes.slice(0, 10));
  });

  it('hostile titles are compared like others', async () => {
    for (const title of [
      "'; DROP TABLE nodes; --",
      "a & b | !c:*A '",
      '\\',
      'x'.repeat(1_000),
      'a '.repeat(499) + 'b',
      '😀 \u202e rtl',
    ]) {
      const [id] = await titled(title, title);
      const found = await similar(alice, id!);
      expect(found.length).toBeLessThanOrEqual(1);
      for (const one of found) expect(one).toEqual([title, 'same_title', 1]);
    }
  });
});
