import { callTool } from '../support/mcp.js';
import { type TestUser, type World } from '../support/world.js';
import { letsIn, node, profile } from '../support/worlds/nodes.js';
import { withAlice } from '../support/worlds/with-world.js';

describe('update_node with the version that was read', () => {
  let world: World;
  let alice: TestUser;
  withAlice((met) => ({ world, alice } = met));

  it.each([
    ['all of it', {}],
    ['a node without its title', { transformations: [{ type: 'field_mask', config: { paths: ['title'] } }] }],
  ])('an app that is shown %s writes to this version, and not to a later one', async (_, rules) => {
    const { id } = await node(alice, { title: 'Swim', value: 'In July' });
    const app = await letsIn(world, alice, profile({ read: 'all', edit: 'all' }, rules));
    const { version } = (await app.get(`/nodes/${id as string}`)).body;
    const given = { id, text: 'In August', version };
    const changed = await callTool(app, 'update_node', given);
    expect(changed.structuredContent).toMatchObject({ node: { value: 'In August', version: version + 1 } });
    const again = await callTool(app, 'update_node', { ...given, text: 'In May' });
    expect([again.isError, JSON.stringify(again)]).toEqual([true, expect.stringContaining('fetch it again')]);
    expect((await alice.get(`/nodes/${id as string}`)).body.value).toBe('In August');
  });
});
