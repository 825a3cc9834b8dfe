import { everything } from '../support/defaults.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { node, profile } from '../support/worlds/nodes.js';
import { type Page, pull, steps } from './pages.js';

let world: World;
let alice: TestUser;
withAlice((met) => ({ world, alice } = met));

const requested = { ...everything, tags: { read: true }, files: { read: false } };
const wide = profile(
  { read: 'all' },
  { transformations: [{ type: 'truncate', config: { field: 'value', max: 9 } }] },
);
const ofDiaries = { apply_to: { node_types: ['diary'] } };
const masks = [
  { type: 'field_mask', config: { paths: ['title'] }, ...ofDiaries },
  { type: 'round_date', ...ofDiaries },
];

describe('a pass that begins before a profile is narrowed', () => {
  it.each([
    ['a mask', { transformations: masks }, false],
    ['an excluded type', { excluded_node_types: ['diary'] }, false],
    ['a new authorization through another profile', { transformations: masks }, true],
  ])(
    'deleted nodes have no title on later pages after %s that concerns them alone (rule 2.8)',
    async (_, rules, isNew) => {
      const app = await world.app({ requested });
      const { authorization, profile: given } = await alice.authorizes(app, wide);
      const client = app.as(alice);
      await node(alice, { title: 'a note', node_type: 'note' });
      const diaries = [];
      for (let day = 0; day < 3; day++)
        diaries.push(await node(alice, { title: 'a day', node_type: 'diary' }));
      const held = await pull(client);
      for (const { id } of diaries) {
        await alice.put(`/nodes/${id}`, { title: 'written later' });
        await alice.delete(`/nodes/${id}`);
      }
      const first = await pull(client, { cursor: held.cursor, limit: 1 });
      expect(first.changes).toMatchObject([{ reason: 'deleted', deleted_title: 'written later' }]);
      if (isNew) {
        expect((await alice.delete(`/authorizations/${authorization.id}`)).status).toBe(200);
        await alice.authorizes(app, { ...wide, ...rules });
      } else expect((await alice.put(`/exposure-profiles/${given.id}`, rules)).status).toBe(200);
      const rest = await pull(client, { cursor: first.cursor });
      expect(steps(rest)).toEqual(diaries.slice(1).map(({ id }) => ['delete', id, 'deleted']));
      expect(rest.changes.map((entry: Page) => entry.deleted_title)).toEqual([null, null]);
      if ('transformations' in rules)
        for (const { timestamp } of rest.changes) expect(timestamp).toMatch(/T00:00:00\.000Z$/);
    },
  );
});
