import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { versionTag } from '../../support/version-tag.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('PUT /nodes/:node_id/embedding', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  const found = async (client: Client, embedding: number[], more = {}) =>
    (await client.post('/nodes/search/vector', { embedding, min_score: -1, ...more })).body;
  const idsFound = async (client: Client, embedding: number[], more = {}) =>
    ((await found(client, embedding, more)).nodes as { id: string }[]).map(({ id }) => id);
  const rowsOf = (ownerId: string) =>
    world.nest
      .get(Database)
      .read<Record<string, unknown>>(
        sql`SELECT * FROM changes WHERE owner_id = ${ownerId} ORDER BY sequence`,
      );

  it('embeddings are set under If-Match only for the version from which they were computed', async () => {
    const { id } = await node(alice, { title: 'before' });
    const read = await alice.get(`/nodes/${id}`);
    const under = { headers: { 'If-Match': read.headers['etag'] as string } };
    expect((await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 0] }, under)).status).toBe(200);
    await alice.put(`/nodes/${id}`, { title: 'after' });
    const stale = await alice.put(`/nodes/${id}/embedding`, { embedding: [0, 1] }, under);
    expect(codeOf(stale)).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await found(alice, [1, 0])).nodes[0].similarity_score).toBe(1);
    const app = await alice.lets(await world.app());
    const shown = await app.get(`/nodes/${id}`);
    const now = { headers: { 'If-Match': shown.headers['etag'] as string } };
    expect((await app.put(`/nodes/${id}/embedding`, { embedding: [0, 1] }, now)).status).toBe(200);
  });

  it('embeddings are set and replaced with their model and length', async () => {
    const { id } = await node(alice);
    const set = await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 0] });
    expect(set.status).toBe(200);
    expect(set.body).toEqual({
      id,
      node_id: id,
      model: null,
      dimensions: 2,
      updated_at: expect.stringMatching(ISO),
    });
    expect((await alice.put(`/nodes/${id}/embedding`, { embedding: [0, 2], model: 'm' })).body).toMatchObject(
      {
        model: 'm',
        dimensions: 2,
      },
    );
    await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 1, 1] });
    expect((await found(alice, [1, 0])).nodes[0].similarity_score).toBe(1);
    expect((await found(alice, [1, 0], { model: 'm' })).nodes[0].similarity_score).toBeCloseTo(0);
    expect((await found(alice, [1, 0, 0])).nodes[0].similarity_score).toBeCloseTo(1 / Math.sqrt(3));
    await alice.put(`/nodes/${id}/embedding`, { embedding: [-3, 0] });
    expect((await found(alice, [1, 0])).nodes[0].similarity_score).toBeCloseTo(0);
    expect(await found(alice, [1, 0])).toMatchObject({ total: 1 });
    expect(await found(alice, [1, 0, 0, 0])).toEqual({ nodes: [], total: 0, limit: 10 });
    expect(await found(alice, [1, 0], { model: 'other' })).toEqual({ nodes: [], total: 0, limit: 10 });
  });

  it('embeddings make no version of the node, and one row of the change log', async () => {
    const tag = await tagId(alice, 't');
    const { id } = await node(alice, { tags: ['t'] });
    const before = await rowsOf(alice.id);
    await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 0, 0], model: 'm' });
    const [row, ...more] = (await rowsOf(alice.id)).slice(before.length);
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      entity: 'embedding',
      entity_id: id,
      action: 'updated',
      version: 1,
      snapshot: { node_id: id, model: 'm', dimensions: 3 },
      tag_ids: [tag],
      node_type: 'note',
      sequence: before.length + 1,
    });
    const read = await alice.get(`/nodes/${id}`);
    const { body } = read;
    expect(body).toMatchObject({ version: 1 });
    expect(body.updated_at).toBe(body.created_at);
    expect(versionTag(read)).toBe('"1"');
    expect(JSON.stringify(body)).not.toContain('embedding');
  });

  it.each([
    ['nothing', '{}'],
    ['null', '{"embedding":null}'],
    ['no list', '{"embedding":1}'],
    ['an empty list', '{"embedding":[]}'],
    ['zeros', '{"embedding":[0,0,-0.0]}'],
    ['a number beyond a double', '{"embedding":[1,1e999]}'],
    ['texts', '{"embedding":["1","2"]}'],
    ['nothing inside', '{"embedding":[1,null]}'],
    ['lists', '{"embedding":[[1],[2]]}'],
    ['truths', '{"embedding":[true]}'],
    ['an object', '{"embedding":{"0":1,"length":1}}'],
    ['4,097 numbers', JSON.stringify({ embedding: Array.from({ length: 4097 }, () => 1) })],
    ['an empty model', '{"embedding":[1],"model":""}'],
    ['a long model', JSON.stringify({ embedding: [1], model: 'm'.repeat(201) })],
    ['a model that is no text', '{"embedding":[1],"model":5}'],
  ])('embeddings are refused when the body is %s', async (_, body) => {
    const { id } = await node(alice);
    expect(codeOf(await alice.put(`/nodes/${id}/embedding`, body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await alice.post('/nodes/search/vector', body))).toEqual([400, 'VALIDATION_ERROR']);
    const item = JSON.stringify({ embeddings: [{ ...(JSON.parse(body) as object), id }] });
    if (item.includes('null')) return;
    const batch = await alice.put('/nodes/batch/embeddings', item);
    expect(batch).toMatchObject({ status: 200, body: { updated: 0, failed: 1, errors: [{ index: 0, id }] } });
    expect(batch.body.errors[0].code).toBe('VALIDATION_ERROR');
  });

  it.each([
    ['the greatest numbers', [1.7e308, -1.7e308, 1.7e308], [1, -1, 1]],
    ['the least numbers', [5e-324, 5e-324], [1, 1]],
    ['one number', [-7], [-1]],
    ['2,001 numbers', numbers(2001), numbers(2001)],
    ['4,096 numbers', numbers(4096), numbers(4096)],
  ])('embeddings may be of any size: %s', async (_, embedding, direction) => {
    const { id } = await node(alice);
    expect(await alice.put(`/nodes/${id}/embedding`, { embedding })).toMatchObject({ status: 200 });
    const { nodes, total } = await found(alice, direction);
    expect(nodes[0]).toMatchObject({ id, similarity_score: expect.closeTo(1, 6) });
    expect(total).toBe(1);
    expect((await alice.post('/nodes/search/vector', { embedding, min_score: 1 })).body.total).toBe(1);
  });

  it('embeddings follow their node when it is deleted, restored, changed or moved to the other view', async () => {
    const { id } = await node(alice, { tags: ['a'] });
    const app = await letsIn(world, alice, profile({ read: [await tagId(alice, 'a')] }));
    await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 2] });
    expect(await idsFound(app, [1, 2])).toEqual([id]);
    await alice.delete(`/nodes/${id}`);
    expect(await found(alice, [1, 2])).toEqual({ nodes: [], total: 0, limit: 10 });
    expect(codeOf(await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 2] }))).toEqual([
      404,
      'NODE_NOT_FOUND',
    ]);
    await alice.post(`/nodes/${id}/restore`);
    expect(await idsFound(app, [1, 2])).toEqual([id]);
    await alice.put(`/nodes/${id}`, { title: 'other', value: 'words' });
    expect((await found(app, [1, 2])).nodes).toMatchObject([{ title: 'other', similarity_score: 1 }]);
    await alice.put(`/nodes/${id}`, { graph_view: 'neutral' });
    expect(await idsFound(app, [1, 2])).toEqual([]);
    expect(await idsFound(app, [1, 2], { graph_view: 'neutral' })).toEqual([id]);
    await alice.put(`/nodes/${id}`, { tags: ['b'], graph_view: 'identity' });
    expect(await idsFound(app, [1, 2])).toEqual([]);
    expect(await idsFound(alice, [1, 2])).toEqual([id]);
  });

  it('embeddings need the right to edit the node', async () => {
    const a = await tagId(alice, 'a');
    const seen = await node(alice, { tags: ['a'] });
    const edited = await node(alice, { tags: ['a', 'b'] });
    const hidden = await node(alice, { tags: ['c'] });
    const app = await letsIn(world, alice, profile({ read: [a], edit: [await tagId(alice, 'b')] }));
    const put = (id: string) => app.put(`/nodes/${id}/embedding`, { embedding: [1] });
    expect((await put(edited.id)).status).toBe(200);
    expect(codeOf(await put(seen.id))).toEqual([403, 'PERMISSION_DENIED']);
    const [absent, unseen] = [await put(NOBODY), await put(hidden.id)];
    expect(codeOf(unseen)).toEqual([404, 'NODE_NOT_FOUND']);
    expect({ ...unseen.body.error, request_id: 0 }).toEqual({ ...absent.body.error, request_id: 0 });
    const items = [edited.id, seen.id, hidden.id, NOBODY, 'no id'].map((id) => ({ id, embedding: [1, 1] }));
    const batch = await app.put('/nodes/batch/embeddings', { embeddings: items });
    expect(batch).toMatchObject({ status: 200, body: { updated: 1, failed: 4 } });
    expect(
      batch.body.errors.map(({ index, code, error }: Record<string, unknown>) => [index, code, error]),
    ).toEqual([
      [1, 'PERMISSION_DENIED', 'You may not edit this node'],
      [2, 'NODE_NOT_FOUND', 'Node not found'],
      [3, 'NODE_NOT_FOUND', 'Node not found'],
      [4, 'NODE_NOT_FOUND', 'Node not found'],
    ]);
    const mallory = await world.user();
    expect(codeOf(await mallory.put(`/nodes/${edited.id}/embedding`, { embedding: [1] }))).toEqual([
      404,
      'NODE_NOT_FOUND',
    ]);
  });

  it('embeddings are written in batches in which a bad item undoes no other, and of equal ids the last counts', async () => {
    const [one, two] = [await node(alice), await node(alice)];
    const before = (await rowsOf(alice.id)).length;
    const batch = await alice.put('/nodes/batch/embeddings', {
      embeddings: [
        { id: one.id, embedding: [1, 0] },
        { id: one.id.toUpperCase(), embedding: [0, 1] },
        { id: one.id, embedding: [1, 0], model: 'm' },
        { id: two.id, embedding: [0, 0] },
        'nonsense',
        { embedding: [1, 0] },
        { id: two.id, embedding: [1, 1] },
      ],
    });
    expect(batch).toMatchObject({ status: 200, body: { updated: 4, failed: 3 } });
    expect(batch.body.errors.map(({ index, id }: Record<string, unknown>) => [index, id])).toEqual([
      [3, two.id],
      [4, null],
      [5, null],
    ]);
    expect((await rowsOf(alice.id)).slice(before).map(({ entity }) => entity)).toEqual(
      Array(3).fill('embedding'),
    );
    expect((await found(alice, [0, 1])).nodes[0]).toMatchObject({ id: one.id, similarity_score: 1 });
    expect(await found(alice, [0, 1])).toMatchObject({ total: 2 });
    expect((await found(alice, [0, 1], { model: 'm' })).nodes[0].similarity_score).toBeCloseTo(0);
    for (const embeddings of [[], undefined, 'x', Array(101).fill({ id: one.id, embedding: [1] })]) {
      expect(codeOf(await alice.put('/nodes/batch/embeddings', { embeddings }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    }
  });

  it.each(['a\0b', 'a\ud800b'])(
    'a batch with an id that cannot be stored is refused without repeating the id: %j',
    async (id) => {
      const batch = await alice.put('/nodes/batch/embeddings', { embeddings: [{ id, embedding: [1] }] });
      expect(batch).toMatchObject({ status: 200, body: { updated: 0, failed: 1 } });
      expect(batch.body.errors[0]).toMatchObject({ index: 0, id: null, code: 'VALIDATION_ERROR' });
    },
  );

  it('embeddings are accepted in batches of up to 8 MiB', async () => {
    const titles = Array.from({ length: 60 }, (_, index) => ({ title: `n ${index}`, node_type: 'note' }));
    const made = (await alice.post('/nodes/batch', { nodes: titles })).body.created as { id: string }[];
    const embeddings = made.map(({ id }, index) => ({ id, embedding: numbers(4096, index + 1) }));
    const body = JSON.stringify({ embeddings });
    expect(body.length).toBeGreaterThan(4 * 1024 * 1024);
    expect((await alice.put('/nodes/batch/embeddings', body)).body).toEqual({
      updated: 60,
      failed: 0,
      errors: [],
    });
    expect((await found(alice, numbers(4096, 7))).nodes[0].id).toBe(made[6]?.id);
    const tooMuch = JSON.stringify({ embeddings: [], filler: 'x'.repeat(8 * 1024 * 1024) });
    expect(codeOf(await alice.put('/nodes/batch/embeddings', tooMuch))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('embeddings survive a concurrent change of their node', async () => {
    const a = await tagId(alice, 'a');
    const { id } = await node(alice, { tags: ['a'] });
    const app = await letsIn(world, alice, profile({ read: [a] }));
    for (let round = 0; round < 10; round++) {
      const tags = round % 2 === 0 ? ['b'] : ['a'];
      await Promise.all([
        alice.put(`/nodes/${id}`, { tags }),
        alice.put(`/nodes/${id}/embedding`, { embedding: [1, round] }),
      ]);
      expect(await idsFound(app, [1, round])).toEqual(round % 2 === 0 ? [] : [id]);
    }
  });
});

/** Different numbers, the same ones for the same seed. */
function numbers(length: number, seed = 1): number[] {
  return Array.from({ length }, (_, index) => Math.sin((index + 1) * seed) * 1.2345678901234567);
}
