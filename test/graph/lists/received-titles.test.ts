import { type TestUser, World } from '../../support/world.js';
import { node, titlesOf } from '../../support/worlds/nodes.js';

/** Titles of more than 200 bytes, which no place in memory holds, and shorter ones, also of several bytes a letter. */
const LONG = ['m', 'mé', 'a'].map((start) => `${start}${'x'.repeat(250)}`);
const SHORT = ['apple', 'Birch', 'mango', 'm', 'éclair', '𐐷 after all others', `z${'x'.repeat(198)}`];

const byCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('received nodes in lists by title', () => {
  let world: World;
  let bob: TestUser;
  let expected: string[];
  beforeAll(async () => {
    world = await World.start();
    bob = await world.user();
    await node(bob, { title: 'own, in the middle' });
    expected = ['own, in the middle'];
    // One sharer with long titles beside others, and two without.
    const shared = [[...LONG, ...SHORT], SHORT.map((title) => `${title} 2`), ['only one']];
    for (const titles of shared) {
      const sharer = await world.user();
      for (const title of titles) await node(sharer, { title });
      await sharer.post('/sharing', { shared_with_user_id: bob.id, scope: 'all' });
      expected.push(...titles);
    }
    expected.sort(byCodePoints);
  });
  afterAll(() => world.stop());

  const list = async (query: string): Promise<[titles: string[], total: number]> => {
    const answer = await bob.get(`/nodes?sort=title&${query}`);
    return [titlesOf(answer), answer.body.total as number];
  };

  it.each(['asc', 'desc'])('all titles come in their order, long ones included: %s', async (order) => {
    const ordered = order === 'asc' ? expected : [...expected].reverse();
    expect(await list(`order=${order}&limit=100`)).toEqual([ordered, expected.length]);
    for (let offset = 0; offset < expected.length; offset += 4)
      expect(await list(`order=${order}&limit=4&offset=${offset}`)).toEqual([
        ordered.slice(offset, offset + 4),
        expected.length,
      ]);
  });

  it('a title that becomes long, and short again, keeps its place in the order', async () => {
    const sharer = await world.user();
    const { id } = await node(sharer, { title: 'moved' });
    await node(sharer, { title: 'stays' });
    await sharer.post('/sharing', { shared_with_user_id: bob.id, scope: 'all' });
    const place = async (title: string): Promise<void> => {
      await sharer.put(`/nodes/${id as string}`, { title });
      const all = [...expected, title, 'stays'].sort(byCodePoints);
      expect(await list('order=asc&limit=100')).toEqual([all, all.length]);
    };
    await place('moved');
    await place(`moved ${'y'.repeat(300)}`);
    await place('moved again');
  });
});
