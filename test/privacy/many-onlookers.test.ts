import { type TestUser, World } from '../support/world.js';
import { mostInOneRound } from '../support/rounds.js';
import { withWorld } from '../support/worlds/with-world.js';
import { letsIn, node, profile } from '../support/worlds/nodes.js';

const ALL = { read: 'all', create: 'all', edit: 'all', discover: 'all' } as const;

describe('writes that may show a node to others', () => {
  let world: World;
  let alice: TestUser;
  withWorld(
    (started) => (world = started),
    () => World.startHere(),
  );
  beforeEach(async () => (alice = await world.user()));

  it('the rules of many apps are prepared with turns of others in between (rule 3.15e)', async () => {
    const editor = await letsIn(world, alice, profile(ALL));
    for (let app = 0; app < 12; app++) await letsIn(world, alice, profile(ALL));
    const { id } = await node(alice, { node_type: 'note', tags: ['open'] });
    const { most, total } = await mostInOneRound(async () => {
      expect((await editor.patch(`/nodes/${id}`, { node_type: 'journal' })).status).toBe(200);
    });
    expect(total).toBeGreaterThanOrEqual(13);
    expect(most).toBeLessThanOrEqual(2);
  });
});
