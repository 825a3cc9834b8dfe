import { type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { approved, proposer } from '../../support/worlds/proposals.js';

const mask = (...paths: string[]) => ({
  transformations: [{ type: 'field_mask', config: { paths, strategy: 'remove' } }],
});
const PII = { transformations: ['pii_redaction'] };
const YEAR = { transformations: [{ type: 'round_date', config: { granularity: 'year' } }] };
const SUMMARY = { max_detail_level: 'summary' };
const MINIMAL = { max_detail_level: 'minimal' };

/** Apps must not learn hidden values from the answers to their writes and filters (rule 3.16). */
describe('no answer reveals hidden values', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.start();
  });
  beforeEach(async () => {
    alice = await world.user();
  });
  afterAll(() => world.stop());

  const app = (rest: Record<string, unknown>): Promise<Client> =>
    letsIn(world, alice, profile({ read: 'all', edit: 'all' }, rest));
  const versionOf = async (id: string) => (await alice.get(`/nodes/${id}`)).body.version as number;

  it.each([SUMMARY, mask('metadata.properties'), MINIMAL])(
    'the shape of hidden metadata is validated for its owner only (%#)',
    async (rest) => {
      const secret = { properties: { status: 'hush', motivation: 5 } };
      const { id } = await node(alice, { metadata: secret });
      const client = await app(rest);
      const goal = { meaning_level: 'IDENTITY', node_type: 'GOAL' };
      for (const answer of [
        await client.put(`/nodes/${id}`, goal),
        await client.put(`/nodes/${id}`, { ...goal, metadata: { more: 1 } }),
        await client.patch(`/nodes/${id}`, { ...goal, metadata: { properties: { where: null } } }),
      ]) {
        expect(answer.status).toBe(200);
        expect(answer.text).not.toMatch(/status|motivation/);
      }
      expect((await alice.get(`/nodes/${id}`)).body).toMatchObject({ ...goal, metadata: secret });
      expect((await alice.put(`/nodes/${id}`, { title: 'hers' })).status).toBe(200);
      const touched = await alice.patch(`/nodes/${id}`, { metadata: { properties: { where: 'here' } } });
      expect(touched.body.error.details).toMatchObject([
        { field: 'metadata.properties.motivation' },
        { field: 'metadata.properties.status' },
      ]);
      const own = await client.put(`/nodes/${id}`, {
        ...goal,
        metadata: { properties: { time_horizon: 'x' } },
      });
      expect(own.body.error.details).toMatchObject([{ field: 'metadata.properties.time_horizon' }]);
    },
  );

  it('a tag that is already linked shows no other date than the shown one', async () => {
    const { id } = await node(alice, { tags: ['t'] });
    const client = await app(YEAR);
    const link = await client.post(`/nodes/${id}/tags`, { tag_id: await tagId(alice, 't') });
    expect(link.status).toBe(200);
    expect(link.body.created_at).toBe((await client.get(`/nodes/${id}`)).body.created_at);
    expect(link.body.created_at).toMatch(/-01-01T00:00:00\.000Z$|^\d{4}$/);
  });

  it.each([SUMMARY, { transformations: ['pii_redaction'] }, mask('value')])(
    'a right guess at a hidden value makes a version, as a wrong one does (%#)',
    async (rest) => {
      const { id } = await node(alice, { value: 'jane@example.org' });
      const client = await app(rest);
      await client.put(`/nodes/${id}`, { value: 'jane@example.org' });
      expect(await versionOf(id)).toBe(2);
      await client.patch(`/nodes/${id}`, { value: 'jane@example.org' });
      expect(await versionOf(id)).toBe(3);
      await client.put(`/nodes/${id}`, { value: 'john@example.org' });
      expect(await versionOf(id)).toBe(4);
      const { value } = (await client.get(`/nodes/${id}`)).body;
      if (value !== undefined) await client.put(`/nodes/${id}`, { value });
      expect(await versionOf(id)).toBe(4);
      await alice.put(`/nodes/${id}`, { value: 'john@example.org' });
      expect(await versionOf(id)).toBe(4);
    },
  );

  it('a right guess at a hidden text of a relationship or tag makes a version, as a wrong one does', async () => {
    const [a, b] = [await node(alice), await node(alice)];
    const body = { from_node_id: a.id, to_node_id: b.id, relationship_type: 'loves', context: 'secret' };
    const edge = (await alice.post('/relationships', body)).body;
    const tag = (await alice.post('/tags', { name: 't', description: 'secret' })).body;
    const client = await app(SUMMARY);
    await client.put(`/relationships/${edge.id}`, { context: 'secret' });
    expect((await alice.get(`/relationships/${edge.id}`)).body.version).toBe(2);
    const before = (await alice.get(`/tags/${tag.id}`)).headers.etag;
    await client.put(`/tags/${tag.id}`, { description: 'secret' });
    expect((await alice.get(`/tags/${tag.id}`)).headers.etag).not.toBe(before);
  });

  it('the limit of tags counts only tags that the caller knows', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `v${index}`);
    await node(alice, { tags: names });
    const { id } = await node(alice, { tags: ['v0', 'hidden 1', 'hidden 2'] });
    const known = await Promise.all(names.map((name) => tagId(alice, name)));
    const client = await letsIn(world, alice, profile({ read: known, edit: known }));
    expect((await client.put(`/nodes/${id}`, { tags: names.slice(0, 49) })).body.tags).toHaveLength(49);
    expect((await client.post(`/nodes/${id}/tags`, { tag_id: known[49] })).status).toBe(201);
    expect((await alice.get(`/nodes/${id}`)).body.tags).toHaveLength(52);
    const one = await tagId(alice, 'one more');
    expect(codeOf(await alice.post(`/nodes/${id}/tags`, { tag_id: one }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  describe('other entities', () => {
    const TYPE = 'asked jane@example.org';
    let edge: string;
    let from: string;

    beforeEach(async () => {
      const [a, b] = [await node(alice), await node(alice)];
      from = a.id;
      const body = { from_node_id: a.id, to_node_id: b.id, relationship_type: TYPE, emotion_type: TYPE };
      edge = (await alice.post('/relationships', body)).body.id;
      await alice.post('/tags', { name: 't', category: TYPE });
    });

    const found = async (client: Client, type: string) => {
      const query = `relationship_type=${encodeURIComponent(type)}`;
      const [all, ofNode] = [
        await client.get(`/relationships?${query}`),
        await client.get(`/nodes/${from}/relationships?${query}`),
      ];
      expect(all.body.relationships).toHaveLength(all.body.total);
      return [all.body.total, ofNode.body.total_outgoing];
    };
    const tagged = async (client: Client, category: string) => {
      const { body } = await client.get(`/tags?category=${encodeURIComponent(category)}`);
      expect(body.tags).toHaveLength(body.total);
      return body.total as number;
    };

    it('hidden texts of relationships and tags are neither shown nor searched at detail minimal', async () => {
      const client = await app(MINIMAL);
      const { body, text } = await client.get(`/relationships/${edge}`);
      expect(Object.keys(body).sort()).toEqual(
        ['bidirectional', 'created_at', 'from_node_id', 'graph_view', 'id', 'to_node_id'].sort(),
      );
      expect(text).not.toContain('jane');
      expect(await found(client, TYPE)).toEqual([0, 0]);
      expect(await tagged(client, TYPE)).toBe(0);
      expect(await found(alice, TYPE)).toEqual([1, 1]);
    });

    it.each([PII, { ...PII, ...SUMMARY }])(
      'hidden texts of relationships and tags are transformed, and searched by their shown form (%#)',
      async (rest) => {
        const client = await app(rest);
        const shown = (await client.get(`/relationships/${edge}`)).body;
        expect(shown).toMatchObject({
          relationship_type: 'asked [REDACTED:email]',
          emotion_type: 'asked [REDACTED:email]',
        });
        expect(await found(client, TYPE)).toEqual([0, 0]);
        expect(await found(client, shown.relationship_type)).toEqual([1, 1]);
        const tags = (await client.get('/tags')).body.tags;
        expect(tags).toMatchObject([{ name: 't', category: 'asked [REDACTED:email]' }]);
        expect(await tagged(client, TYPE)).toBe(0);
        expect(await tagged(client, 'asked [REDACTED:email]')).toBe(1);
        await client.put(`/relationships/${edge}`, { relationship_type: shown.relationship_type });
        expect((await alice.get(`/relationships/${edge}`)).body).toMatchObject({
          relationship_type: TYPE,
          version: 1,
        });
      },
    );
  });
});

describe('tag_ids', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.start();
  });
  beforeEach(async () => {
    alice = await world.user();
  });
  afterAll(() => world.stop());

  const carrying = async (...tags: string[]) => {
    const { id } = await node(alice, { tags });
    const client = await letsIn(
      world,
      alice,
      profile({ read: 'all', edit: 'all' }, { tag_filters: { exclude_any: ['gone'] } }),
    );
    const gone = await tagId(alice, 'gone');
    await alice.delete(`/tags/${gone}`);
    expect((await client.get(`/nodes/${id}`)).status).toBe(404);
    return { id, client, gone };
  };

  it('setting the shown tags of a node keeps its deleted ones (rule 3.11b)', async () => {
    const { id, client } = await carrying('keep', 'gone');
    expect((await alice.put(`/nodes/${id}`, { tags: ['keep'] })).body).toMatchObject({
      tags: ['keep'],
      version: 1,
    });
    expect((await alice.put(`/nodes/${id}`, { tags: ['other'] })).body.tags).toEqual(['other']);
    expect((await client.get(`/nodes/${id}`)).status).toBe(404);
  });

  it('setting no tags keeps the deleted ones and removes no last tag (rule 3.11b)', async () => {
    const { id, client } = await carrying('gone');
    expect((await alice.put(`/nodes/${id}`, { tags: [] })).body).toMatchObject({ tags: [], version: 1 });
    expect((await client.get(`/nodes/${id}`)).status).toBe(404);
  });

  it('overwriting a node in a batch keeps its deleted tags (rule 3.11b)', async () => {
    const { id, title } = await node(alice, { tags: ['keep', 'gone'] });
    const client = await letsIn(
      world,
      alice,
      profile({ read: 'all' }, { tag_filters: { exclude_any: ['gone'] } }),
    );
    await alice.delete(`/tags/${await tagId(alice, 'gone')}`);
    const nodes = [{ node_type: 'note', title, tags: ['other'] }];
    const batch = await alice.post('/nodes/batch', { nodes, on_duplicate: 'overwrite' });
    expect(batch.body.updated).toMatchObject([{ id }]);
    expect((await client.get(`/nodes/${id}`)).status).toBe(404);
  });

  it('removing a deleted tag itself ends it, and deletes no node (rule 3.11b)', async () => {
    const { id, client, gone } = await carrying('gone');
    expect((await client.delete(`/nodes/${id}/tags/${gone}`)).status).toBe(404);
    expect((await alice.delete(`/nodes/${id}/tags/${gone}`)).body).toEqual({
      node_id: id,
      tag_id: gone,
      removed: true,
      node_deleted: false,
    });
    expect((await client.get(`/nodes/${id}`)).status).toBe(200);
    expect((await alice.delete(`/nodes/${id}/tags/${gone}`)).status).toBe(404);
  });

  it('a proposal that merges a node or sets its tags keeps the deleted ones, also when it is undone (rule 3.11b)', async () => {
    const { id, client } = await carrying('keep', 'gone');
    const { id: source } = await node(alice, { tags: ['more'] });
    const by = await proposer(world, alice, 'all');
    const merge = { target_node_id: id, source_node_ids: [source] };
    const retag = { node_id: id, changes: { tags: ['other'] } };
    for (const content of [
      { type: 'MERGE_NODES', canonical_data: merge },
      { type: 'UPDATE_NODE', canonical_data: retag },
    ]) {
      const proposal = await approved(alice, by, content);
      expect((await alice.post(`/proposals/${proposal}/apply`)).body).toMatchObject({ errors: [] });
      expect((await client.get(`/nodes/${id}`)).status).toBe(404);
      expect((await alice.post(`/proposals/${proposal}/revert`)).body.not_undone).toEqual([]);
      expect((await alice.get(`/nodes/${id}`)).body.tags).toEqual(['keep']);
      expect((await client.get(`/nodes/${id}`)).status).toBe(404);
    }
  });

  it('an app that sets the tags of a node keeps its deleted ones', async () => {
    const { id, client } = await carrying('keep', 'gone');
    const other = await letsIn(world, alice, profile({ read: 'all', edit: 'all' }));
    const [more] = [await tagId(alice, 'more')];
    expect(more).toBeDefined();
    expect((await other.put(`/nodes/${id}`, { tags: ['keep', 'more'] })).body.version).toBe(2);
    expect((await client.get(`/nodes/${id}`)).status).toBe(404);
  });
});
