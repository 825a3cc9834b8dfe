import { type Answer, type Client } from '../../support/client.js';
import { letsIn, node, profile, tagId, titlesOf } from '../../support/worlds/nodes.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';

describe('names of tags in POST /nodes/search', () => {
  let world: World;
  let alice: TestUser;
  withAlice((met) => ({ world, alice } = met));

  const search = async (client: Client, body: object): Promise<Answer> => {
    const answer = await client.post('/nodes/search', body);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    return answer;
  };
  const titles = async (client: Client, query: string, options = {}): Promise<string[]> =>
    titlesOf(await search(client, { query, ...options }));

  it('a tag counts below a title and above a value, and words of both count together (rule 4.18i)', async () => {
    await node(alice, { title: 'an entry', node_type: 'thing', value: 'the harbour' });
    await node(alice, { title: 'a note', node_type: 'thing', tags: ['Harbour life'] });
    await node(alice, { title: 'the harbour', node_type: 'thing' });
    expect(await titles(alice, 'harbour')).toEqual(['the harbour', 'a note', 'an entry']);
    expect((await titles(alice, 'where is the note about harbours?'))[0]).toBe('a note');
    expect(await titles(alice, 'note harbour', { match: 'all' })).toEqual(['a note']);
    expect(await titles(alice, 'note harbour missing', { match: 'all' })).toEqual([]);
    expect(await titles(alice, 'note harb', { match: 'all', prefix: true })).toEqual(['a note']);
    expect((await search(alice, { query: 'lief' })).body).toMatchObject({
      total: 1,
      corrections: [{ word: 'lief', sought: ['life'] }],
    });
  });

  it('a renamed tag is found by its new name at once, a deleted one by none', async () => {
    await node(alice, { title: 'a note', tags: ['harbour'] });
    const id = await tagId(alice, 'harbour');
    expect((await alice.put(`/tags/${id}`, { name: 'lighthouse' })).status).toBe(200);
    expect([await titles(alice, 'harbour'), await titles(alice, 'lighthouse')]).toEqual([[], ['a note']]);
    expect((await alice.delete(`/tags/${id}`)).status).toBe(200);
    expect(await titles(alice, 'lighthouse')).toEqual([]);
  });

  it('a tag that an app may not discover finds, ranks and corrects nothing (rule 3.9)', async () => {
    const both = ['work', 'lighthouse'];
    await node(alice, { title: 'a note', tags: both });
    await node(alice, { title: 'an entry', value: 'lighthouse keeper', tags: ['work'] });
    const app = await letsIn(world, alice, profile({ read: [await tagId(alice, 'work')] }));
    const all = await letsIn(world, alice, profile({ read: 'all' }));
    expect(await titles(all, 'lighthouse')).toEqual(['a note', 'an entry']);
    expect(await titles(app, 'lighthouse')).toEqual(['an entry']);
    expect((await titles(app, 'work')).sort()).toEqual(['a note', 'an entry']);
    expect((await titles(app, 'work lighthouse'))[0]).toBe('an entry');
    const { id } = await node(alice, { title: 'third', tags: ['work', 'telescope'] });
    expect(id).toBeDefined();
    expect((await search(app, { query: 'telescoep' })).body).toMatchObject({ total: 0, corrections: [] });
    expect((await search(all, { query: 'telescoep' })).body).toMatchObject({ total: 1 });
  });

  it('tags are searched at detail summary, which shows them, and not at minimal', async () => {
    await node(alice, { title: 'a note', tags: ['lighthouse'] });
    for (const [max_detail_level, total] of [
      ['summary', 1],
      ['minimal', 0],
    ] as const) {
      const app = await letsIn(world, alice, profile({ read: 'all' }, { max_detail_level }));
      expect((await search(app, { query: 'lighthouse' })).body.total).toBe(total);
    }
  });
});
