import { callTool } from '../support/mcp.js';
import { World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

describe('notes beyond a quota, remembered by an assistant (rule 15.3c)', () => {
  let world: World;
  withWorld(
    (started) => (world = started),
    () => World.startHere({ QUOTAS_FREE: 'nodes=1' }),
  );

  it('refuses a note beyond the quota of nodes in a sentence, and suggests nothing', async () => {
    const [alice, app] = [await world.user(), await world.app()];
    const client = await alice.lets(app);
    expect((await callTool(client, 'remember', { title: 'one' })).isError).toBeUndefined();
    const refused = await callTool(client, 'remember', { title: 'two' });
    expect([refused.isError, refused.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/quota `nodes`.*Nothing was saved/),
    ]);
    expect((await alice.get('/proposals')).body.total).toBe(0);
  });
});
