import { everything } from '../support/defaults.js';
import { type TestUser, World } from '../support/world.js';
import { mostInOneRound } from '../support/rounds.js';
import { withWorld } from '../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile } from '../support/worlds/nodes.js';

const ALL = { read: 'all', create: 'all', edit: 'all', discover: 'all' } as const;

describe('writes that may show a node to others', () => {
  let world: World;
  let alice: TestUser;
  withWorld(
    (started) => (world = started),
    () => World.startHere(),
  );
  beforeEach(async () => (alice = await world.user()));

  it('one preparation serves the equal rules of many apps', async () => {
    const { body: made } = await alice.post('/exposure-profiles', {
      name: 'for all',
      ...profile(ALL, { excluded_node_types: ['diary'] }),
    });
    const ends = [null, new Date(Date.now() + 3_600_000).toISOString()];
    for (const expires_at of [...ends, ...ends]) {
      const app = await world.app({
        requested: { ...everything, tags: { read: true }, files: { read: false } },
      });
      const given = { app_id: app.id, exposure_profile_id: made.id, expires_at };
      expect((await alice.post('/authorizations', given)).status).toBe(201);
    }
    const editor = await letsIn(world, alice, profile(ALL));
    const { id } = await node(alice, { node_type: 'diary', tags: ['open'] });
    const { total } = await mostInOneRound(async () => {
      const opening = await editor.patch(`/nodes/${id}`, { node_type: 'note' });
      expect(codeOf(opening)).toEqual([403, 'PERMISSION_DENIED']);
    });
    // The rules of the four apps, and those of the editor.
    expect(total).toBe(2);
  });

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
