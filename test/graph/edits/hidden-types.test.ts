import { codeOf, letsIn, node, profile } from '../../support/worlds/nodes.js';
import { World } from '../../support/world.js';
import { withWorld } from '../../support/worlds/with-world.js';

describe('node_type', () => {
  let world: World;

  withWorld(
    (started) => (world = started),
    () => World.start(),
  );

  it('a change of type by an app that is not shown the metadata is refused with INVALID_NODE_TYPE where meaning level IDENTITY has no such type', async () => {
    const alice = await world.user();
    const { id } = await node(alice, { tags: ['shown'] });
    const rules = profile({ read: 'all', edit: 'all' }, { max_detail_level: 'minimal' });
    const app = await letsIn(world, alice, rules);
    const body = { meaning_level: 'IDENTITY', metadata: { properties: { status: 'active' } } };
    expect(codeOf(await app.patch(`/nodes/${id}`, { ...body, node_type: 'note' }))).toEqual([
      400,
      'INVALID_NODE_TYPE',
    ]);
    expect((await app.patch(`/nodes/${id}`, { ...body, node_type: 'GOAL' })).status).toBe(200);
  });
});
