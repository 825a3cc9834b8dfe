import { file, fileNode } from '../../support/worlds/files.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { withWorld } from '../../support/worlds/with-world.js';
import { getsToKnow } from '../../support/worlds/people.js';

describe('detail levels', () => {
  let world: World;
  let user: TestUser;
  let tag: string;
  withWorld((started) => (world = started));
  beforeEach(async () => {
    user = await world.user();
    tag = await tagId(user, 'cancer');
    await node(user, { title: 'a', tags: ['cancer'] });
    await node(user, { title: 'b' });
    await file(user);
    await fileNode(user, ['cancer']);
  });

  const asked = async (app: Client) => {
    const total = async (path: string): Promise<number> => (await app.get(path)).body.total;
    const { tags } = (await app.get('/tags?include_nodes=true')).body;
    return {
      list: await total(`/nodes?tag_id=${tag}`),
      count: (await app.get(`/nodes/count?tag_ids=${tag}`)).body.count,
      tagged: await total(`/tags/${tag}/nodes`),
      taggedFiles: await total(`/tags/${tag}/files`),
      files: await total(`/raw-files?tag_id=${tag}`),
      tags: tags.map(({ id, node_count, nodes }: { id: string; node_count: number; nodes: object[] }) => [
        id,
        node_count,
        nodes.length,
      ]),
      scope: codeOf(await app.get(`/sync?scope=tag:${tag}`)),
    };
  };

  it('filters and counts by tag find nothing at a detail level that hides the tags of nodes', async () => {
    const least = await letsIn(world, user, profile({ read: 'all' }, { max_detail_level: 'minimal' }));
    expect(await asked(least)).toEqual({
      list: 0,
      count: 0,
      tagged: 0,
      taggedFiles: 0,
      files: 0,
      tags: [[tag, 0, 0]],
      scope: [404, 'NOT_FOUND'],
    });
    const { tags } = (await least.get('/tags?include_node_counts=true')).body;
    expect(tags).toEqual([{ id: tag, name: 'cancer', node_count: 0 }]);
    expect((await least.get('/nodes')).body.total).toBeGreaterThan(1);
  });

  it('lists of tags have none of received nodes at a detail level that hides the tags of nodes', async () => {
    const [bob, shared] = [await world.user(), { scope: 'specific_nodes', shared_with_user_id: user.id }];
    const { id } = await node(bob, { tags: ['diagnosis'] });
    expect((await bob.post('/sharing', { ...shared, node_ids: [id] })).status).toBe(201);
    await getsToKnow(user, bob);
    const seen = async (max_detail_level: string) => {
      const app = await letsIn(world, user, profile({ read: 'all' }, { max_detail_level }));
      const of = async (access: string) => {
        const { body } = await app.get(`/tags?access=${access}`);
        return [(body.tags as { name: string }[]).map(({ name }) => name), body.total];
      };
      const [one] = (await bob.get('/tags')).body.tags;
      expect((await app.get(`/nodes/${id}`)).status).toBe(200);
      return [await of('shared'), await of('all'), (await app.get(`/tags/${one.id}`)).status];
    };
    expect(await seen('minimal')).toEqual([[[], 0], [['cancer'], 1], 404]);
    expect(await seen('summary')).toEqual([[['diagnosis'], 1], [['cancer', 'diagnosis'], 2], 200]);
  });

  it('filters and counts by tag find what the next level shows', async () => {
    const summary = await letsIn(world, user, profile({ read: 'all' }, { max_detail_level: 'summary' }));
    expect(await asked(summary)).toMatchObject({ list: 2, count: 2, tagged: 2, tags: [[tag, 2, 2]] });
  });
});
