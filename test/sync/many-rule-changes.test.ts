import { Database } from '../../src/kernel/database/database.js';
import { type Client } from '../support/client.js';
import { sentStatements } from '../support/sent-statements.js';
import { type TestUser, World } from '../support/world.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { withWorld } from '../support/worlds/with-world.js';
import { type Page, pull, steps } from './pages.js';

const ALL = { read: 'all', create: 'all', edit: 'all', discover: 'all' } as const;
const COUNT = 12;

describe('a page of deletions, each by rules of its own (rule 7.7e)', () => {
  let world: World;
  let user: TestUser;
  withWorld(
    (started) => (world = started),
    () => World.startHere(),
  );
  beforeEach(async () => (user = await world.user()));

  /** The page after a cursor, and how often each statement about rules was sent for it. */
  const counted = async (client: Client, cursor: string): Promise<{ page: Page; most: number }> => {
    const { names, stop } = sentStatements(world.nest.get(Database));
    try {
      const page = await pull(client, { cursor, limit: 1000 });
      const ofRules = names.filter((name) => name.startsWith('rules-'));
      const times = [...new Set(ofRules)].map((name) => ofRules.filter((one) => one === name).length);
      return { page, most: Math.max(...times) };
    } finally {
      stop();
    }
  };

  it('loads the tags and rules once, however many tags were renamed between the deletions', async () => {
    const app = await letsIn(world, user, profile(ALL, { tag_filters: { exclude_any: ['secret'] } }));
    const ids: string[] = [];
    for (let number = 0; number < COUNT; number++)
      ids.push((await node(user, { title: `node ${number}`, tags: ['open', `own ${number}`] })).id as string);
    const { cursor } = await pull(app, { limit: 1000 });
    // The pull's order is that of creation: the deletions come in another one.
    for (let number = COUNT - 1; number >= 0; number--) {
      const own = await tagId(user, `own ${number}`);
      if (number % 3 === 0) expect((await user.put(`/tags/${own}`, { name: 'secret' })).status).toBe(200);
      expect((await user.delete(`/nodes/${ids[number]}`)).status).toBeLessThan(300);
      if (number % 3 === 0)
        expect((await user.put(`/tags/${own}`, { name: `freed ${number}` })).status).toBe(200);
    }
    const { page, most } = await counted(app, cursor);
    expect(steps(page)).toEqual(
      ids.map((id, number) => ['delete', id, number % 3 === 0 ? 'access_removed' : 'deleted']),
    );
    expect(most).toBeLessThan(5);
  });

  it('reads the rules of an app again only where its profile has changed', async () => {
    const app = await letsIn(world, user, profile(ALL, { excluded_node_types: ['diary'] }));
    const [{ id: profileId }] = (await user.get('/exposure-profiles')).body.exposure_profiles;
    const ids: string[] = [];
    for (let number = 0; number < COUNT; number++)
      ids.push((await node(user, { title: `node ${number}`, tags: ['open'] })).id as string);
    const { cursor } = await pull(app, { limit: 1000 });
    for (const [number, id] of ids.entries()) {
      const excluded_node_types = [number < 6 ? 'diary' : 'note'];
      if (number % 6 === 0)
        expect((await user.put(`/exposure-profiles/${profileId}`, { excluded_node_types })).status).toBe(200);
      expect((await user.put(`/tags/${await tagId(user, 'open')}`, { name: 'open' })).status).toBe(200);
      expect((await user.delete(`/nodes/${id}`)).status).toBeLessThan(300);
      await node(user, { tags: [`beside ${number}`], node_type: 'note' });
    }
    const { page, most } = await counted(app, cursor);
    expect(steps(page).slice(0, COUNT)).toEqual(
      ids.map((id, number) => ['delete', id, number < 6 ? 'deleted' : 'access_removed']),
    );
    expect(most).toBeLessThan(6);
  });
});
