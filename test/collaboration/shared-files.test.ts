import { file, fileNode, follow } from '../support/worlds/files.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { PRIVATE, schema } from '../support/worlds/schemas.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const GONE = [404, 'NODE_NOT_FOUND'];
const DENIED = [403, 'PERMISSION_DENIED'];

/** Files and vectors of received nodes: what a share lets through holds in both families, in batches and in links. */
describe('files of others', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;

  withWorld((started) => (world = started));
  beforeEach(async () => {
    [alice, bob] = [await world.user(), await world.user()];
  });

  const share = async (body: object): Promise<string> => {
    const made = await alice.post('/sharing', { shared_with_user_id: bob.id, ...body });
    expect(made.status).toBe(201);
    return made.body.id as string;
  };

  it('a shared file is readable by its node, by its record and by a link, until the share ends', async () => {
    const { id } = await fileNode(alice, ['sea'], { filename: 'boat.txt', content: 'Ahoy' });
    const hidden = await file(alice, { content: 'not for Bob' });
    const given = await share({ scope: 'specific_nodes', node_ids: [id] });

    expect((await bob.get(`/raw-files/${id}`)).body).toMatchObject({
      id,
      filename: 'boat.txt',
      owner_id: alice.id,
    });
    expect((await bob.get(`/raw-files/${id}/download`)).text).toBe('Ahoy');
    const link = await bob.get(`/nodes/${id}/download`);
    expect(link.status).toBe(200);
    expect((await follow(link.body.download_url)).text).toBe('Ahoy');
    expect(codeOf(await bob.put(`/raw-files/${id}`, { filename: 'mine.txt' }))).toEqual(DENIED);
    expect(codeOf(await bob.delete(`/raw-files/${id}`))).toEqual(DENIED);
    for (const path of [
      `/raw-files/${hidden.id}`,
      `/raw-files/${hidden.id}/download`,
      `/nodes/${hidden.id}/download`,
    ])
      expect(codeOf(await bob.get(path))).toEqual(GONE);

    await alice.delete(`/sharing/${given}`);
    expect(codeOf(await follow(link.body.download_url))).toEqual(GONE);
    for (const path of [`/raw-files/${id}`, `/raw-files/${id}/download`, `/nodes/${id}/download`])
      expect(codeOf(await bob.get(path))).toEqual(GONE);
  });

  it('a writable shared file can be renamed in either family, and keeps its recorded facts', async () => {
    const { id } = await file(alice, { filename: 'boat.txt' });
    await share({ scope: 'all', can_write: true, can_delete: true });
    expect((await bob.put(`/raw-files/${id}`, { filename: 'ship.txt' })).body.filename).toBe('ship.txt');
    const { metadata } = (await alice.get(`/nodes/${id}`)).body;
    expect(metadata).toMatchObject({ filename: 'ship.txt', mime_type: 'text/plain' });
    expect((await bob.delete(`/raw-files/${id}`)).status).toBe(200);
    expect(codeOf(await alice.get(`/raw-files/${id}`))).toEqual(GONE);
  });

  it('a shared file accepts no schema from its recipient, private or public (rule 10.7f)', async () => {
    const mine = await schema(bob, PRIVATE);
    const open = await schema(bob);
    const { id } = await node(alice, { metadata: { properties: { servings: 1 } } });
    await share({ scope: 'all', can_write: true });
    expect(codeOf(await bob.put(`/nodes/${id}`, { schema_id: mine.id }))).toEqual([400, 'SCHEMA_NOT_FOUND']);
    expect(codeOf(await bob.put(`/nodes/${id}`, { schema_id: open.id }))).toEqual([403, 'PERMISSION_DENIED']);
    const metadata = { properties: { servings: 2 } };
    expect((await alice.put(`/nodes/${id}`, { metadata })).body.metadata).toEqual(metadata);
  });

  it('a shared file accepts embeddings one by one and in batches, as far as the share allows writing', async () => {
    const [open, closed, own] = [await node(alice), await node(alice), await node(bob)];
    await share({ scope: 'specific_nodes', node_ids: [open.id], can_write: true });
    await share({ scope: 'specific_nodes', node_ids: [closed.id] });
    const embedding = [1, 0];
    expect((await bob.put(`/nodes/${open.id}/embedding`, { embedding })).status).toBe(200);
    expect(codeOf(await bob.put(`/nodes/${closed.id}/embedding`, { embedding }))).toEqual(DENIED);
    const ids = [open.id, closed.id, own.id];
    const batch = await bob.put('/nodes/batch/embeddings', {
      embeddings: ids.map((id) => ({ id, embedding: [0, 1] })),
    });
    expect(batch.body).toMatchObject({
      updated: 2,
      failed: 1,
      errors: [{ index: 1, id: closed.id, code: DENIED[1] }],
    });
    const found = await alice.post('/nodes/search/vector', { embedding: [0, 1], min_score: 0.9 });
    expect(found.body.nodes.map((each: { id: string }) => each.id)).toEqual([open.id]);
  });
});
