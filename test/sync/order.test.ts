import { Cursors } from '../../src/sync/application/cursors.service.js';
import { type Replica } from '../../src/sync/domain/replica.js';
import { ALL } from '../../src/sync/domain/scope.js';
import { everything } from '../support/defaults.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { type Page, pull } from './pages.js';

let world: World;
let alice: TestUser;

withAlice((met) => ({ world, alice } = met));

const idsOf = (page: Page): string[] =>
  page.changes.map((entry: Page) => (entry.node?.id ?? entry.node_id) as string);

const MASK = { type: 'field_mask', config: { paths: ['value'] } };

/** An app that is not shown values. */
const masked = (): Promise<Client> =>
  letsIn(world, alice, profile({ read: 'all' }, { transformations: [MASK] }));

async function nodes(...titles: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of titles) ids.push((await node(alice, { title, tags: ['open'] })).id as string);
  return ids;
}

const edit = async (id: string | undefined, body: object): Promise<void> => {
  expect((await alice.put(`/nodes/${id}`, body)).status).toBe(200);
};

/** All ids from a cursor on, in pages of a given size. */
async function drain(app: Client, cursor: string | undefined, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let page: Page = { cursor, has_more: true }; page.has_more;) {
    page = await pull(app, { limit, ...(page.cursor === undefined ? {} : { cursor: page.cursor }) });
    ids.push(...idsOf(page));
  }
  return ids;
}

describe('order (rule 7.9)', () => {
  it('a full sync has the order of creation after any hidden changes', async () => {
    const app = await masked();
    const [first, second, third] = await nodes('first', 'second', 'third');
    await edit(first, { value: 'secret' });
    expect(await drain(app, undefined, 100)).toEqual([first, second, third]);
    expect(await drain(app, undefined, 1)).toEqual([first, second, third]);
  });

  it('later pulls have the order of creation after any hidden changes', async () => {
    const app = await masked();
    const [first, second, third] = await nodes('first', 'second', 'third');
    const { cursor } = await pull(app);
    await edit(third, { title: 'third again' });
    await edit(second, { title: 'second again' });
    await edit(first, { value: 'secret' });
    await edit(second, { value: 'secret' });
    await edit(third, { value: 'secret' });
    expect(await drain(app, cursor, 100)).toEqual([second, third]);
    expect(await drain(app, cursor, 1)).toEqual([second, third]);
  });

  it.each(['a hidden change', 'no change'])(
    'a hidden change before a pass changes no order: a change during it comes alike, with %s of its node',
    async (before) => {
      const app = await masked();
      const [first, second, third] = await nodes('first', 'second', 'third');
      const { cursor } = await pull(app);
      await edit(first, { title: 'first again' });
      await edit(third, { title: 'third again' });
      if (before === 'a hidden change') await edit(second, { value: 'secret' });
      const page = await pull(app, { cursor, limit: 1 });
      await edit(second, { title: 'second again' });
      expect([...idsOf(page), ...(await drain(app, page.cursor, 1))]).toEqual([first, third, second]);
    },
  );

  it('entries are sent once and none is lost when nodes change between all pages of a pass', async () => {
    const app = await masked();
    const ids = await nodes('a', 'b', 'c', 'd', 'e');
    let { cursor } = await pull(app);
    for (const id of [ids[4], ids[2], ids[0]]) await edit(id, { title: 'changed' });
    const told: string[] = [];
    for (let step = 0, hasMore = true; hasMore; step++) {
      const page = await pull(app, { cursor, limit: 1 });
      told.push(...idsOf(page));
      ({ cursor, has_more: hasMore } = page);
      // Changes before, at and behind the position of the pass, shown and hidden.
      if (step < 4) await edit(ids[step], { title: `open ${step}` });
      await edit(ids[(step + 2) % 5], { value: `secret ${step}` });
    }
    expect(told.sort()).toEqual([ids[0], ids[0], ids[1], ids[2], ids[2], ids[3], ids[4]].sort());
    expect(await drain(app, cursor, 1)).toEqual([]);
  });

  it('entries have the order of creation after more changes than are read at once', async () => {
    const app = await letsIn(world, alice, profile({ read: [await tagId(alice, 'open')] }));
    const [first, second, third] = await nodes('first', 'second', 'third');
    const { cursor } = await pull(app);
    await edit(third, { title: 'third again' });
    await edit(first, { title: 'first again' });
    for (let batch = 0; batch < 21; batch++) {
      const hidden = Array.from({ length: 100 }, (_, index) => ({
        title: `${batch} ${index}`,
        node_type: 'note',
      }));
      expect((await alice.post('/nodes/batch', { nodes: hidden })).status).toBe(201);
    }
    const [fourth] = await nodes('fourth');
    const page = await pull(app, { cursor, limit: 1 });
    expect(idsOf(page)).toEqual([first]);
    await edit(second, { title: 'second again' });
    await edit(first, { title: 'first once more' });
    expect(await drain(app, page.cursor, 1)).toEqual([third, fourth, first, second]);
  });

  it('a pass that an earlier release began has the order of last changes to its end', async () => {
    const requested = { ...everything, tags: { read: true } };
    const { id: appId, ...keys } = await world.app({ requested });
    const app = await alice.lets(
      { id: appId, ...keys },
      profile({ read: 'all' }, { transformations: [MASK] }),
    );
    const [first, second, third] = await nodes('first', 'second', 'third');
    const { cursor } = await pull(app);
    await edit(third, { title: 'third again' });
    await edit(first, { title: 'first again' });
    await edit(second, { title: 'second again' });
    const cursors = world.nest.get(Cursors, { strict: false });
    const viewer = { ownerId: alice.id, appId };
    const held = cursors.open(viewer, ALL, cursor as string);
    const start = held?.base?.end.changes ?? 0;
    const end = { changes: start + 3, app: held?.base?.end.app ?? 0 };
    const begun = {
      order: 'last change',
      start,
      end,
      seams: [{ upTo: start + 1, at: end }],
      reached: start + 1,
      alike: end,
    } as const;
    const old = cursors.seal(viewer, ALL, {
      ...(held as Replica),
      pass: begun,
      counted: 4,
    });
    await edit(third, { title: 'third once more' });
    expect(await drain(app, old, 1)).toEqual([first, second, third]);
  });
});
