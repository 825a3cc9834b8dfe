import { applied } from '../../support/worlds/proposals.js';
import { assigns, group } from '../../support/worlds/people.js';
import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { RAW_FILE, upload } from '../../support/worlds/files.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

const DENIED = [403, 'PERMISSION_DENIED'];
const ALL = {
  read: 'all',
  create: 'all',
  edit: 'all',
  delete: 'all',
  propose: 'all',
  discover: 'all',
} as const;
const SECRET = 'HIV viral load 40';

/** Only the owner lifts a transformation inside a node: no write shows its writer more than before. */
describe('lifted masks', () => {
  let world: World;
  let alice: TestUser;
  let intimate = '';

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    intimate = await tagId(alice, 'intimate');
    await tagId(alice, 'open');
  });

  const masks = (apply_to: object, paths = ['value', 'metadata.properties.ssn']) => ({
    type: 'field_mask',
    config: { paths },
    apply_to,
  });
  const lets = (...transformations: object[]): Promise<Client> =>
    letsIn(world, alice, profile(ALL, { transformations }));
  const secretNode = async (body: object = {}) =>
    (await node(alice, { title: 'result', value: SECRET, tags: ['open'], ...body })).id as string;
  /** Nothing was written, and nothing more is shown. */
  const staysHidden = async (app: Client, id: string) => {
    const { text, body } = await app.get(`/nodes/${id}`);
    expect([text.includes(SECRET), body.version]).toEqual([false, 1]);
  };

  it('a write of another type is refused, in every spelling', async () => {
    const app = await lets(masks({ node_types: ['MEASUREMENT'] }));
    const id = await secretNode({ node_type: 'MEASUREMENT', metadata: { properties: { ssn: '078-05' } } });
    for (const write of [app.put, app.patch]) {
      const answer = await write.call(app, `/nodes/${id}`, { node_type: 'NOTE', title: 'mine' });
      expect(codeOf(answer)).toEqual(DENIED);
      expect(answer.body.error.message).toContain('would lift a transformation that applies to this node');
    }
    await staysHidden(app, id);
    expect((await app.put(`/nodes/${id}`, { title: 'renamed' })).status).toBe(200);
    expect((await alice.put(`/nodes/${id}`, { node_type: 'NOTE' })).status).toBe(200);
    expect((await app.get(`/nodes/${id}`)).body.value).toBe(SECRET);
  });

  it('moving an element of an array shows nothing more, because a position in a path stands for any position', async () => {
    const app = await lets({ type: 'field_mask', config: { paths: ['metadata.properties.people.0.phone'] } });
    const people = [{ name: 'Ann', phone: SECRET }, { name: 'Bob' }];
    const id = await secretNode({ value: null, metadata: { properties: { people } } });
    for (const moved of [
      [{ name: 'Bob' }, { name: 'Ann' }],
      [{ name: 'new' }, { name: 'Ann' }, { name: 'Bob' }],
    ]) {
      const answer = await app.patch(`/nodes/${id}`, { metadata: { properties: { people: moved } } });
      expect([answer.status, answer.text.includes(SECRET)]).toEqual([200, false]);
    }
    expect((await app.get(`/nodes/${id}`)).text).not.toContain(SECRET);
  });

  it('renaming or removing the tag that masks or excludes is refused', async () => {
    const app = await lets(masks({ tag_ids: [intimate] }));
    const excluded = await letsIn(world, alice, profile(ALL, { tag_filters: { exclude_any: ['intimate'] } }));
    for (const one of [app, excluded]) {
      expect(codeOf(await one.put(`/tags/${intimate}`, { name: 'misc' }))).toEqual(DENIED);
      expect(codeOf(await one.delete(`/tags/${intimate}`))).toEqual(DENIED);
      expect(codeOf(await one.post('/tags/bulk-delete', { tag_ids: [intimate] }))).toEqual(DENIED);
    }
    expect((await alice.put(`/tags/${intimate}`, { name: 'misc' })).status).toBe(200);
  });

  it('removing its tag from the node is refused, and as the last tag it leaves the deleted node masked', async () => {
    const app = await lets(masks({ tag_ids: [intimate] }));
    const id = await secretNode({ tags: ['open', 'intimate'] });
    expect(codeOf(await app.delete(`/nodes/${id}/tags/${intimate}`))).toEqual(DENIED);
    expect(codeOf(await app.put(`/nodes/${id}`, { tags: ['open'] }))).toEqual(DENIED);
    expect(codeOf(await app.patch(`/nodes/${id}`, { tags: ['open', 'other'] }))).toEqual(DENIED);
    await staysHidden(app, id);
    const alone = await secretNode({ tags: ['intimate'] });
    expect((await app.delete(`/nodes/${alone}/tags/${intimate}`)).status).toBe(200);
    expect((await app.post(`/nodes/${alone}/restore`)).status).toBe(200);
    expect((await app.get(`/nodes/${alone}`)).text).not.toContain(SECRET);
    expect((await app.put(`/nodes/${id}`, { tags: ['intimate', 'other'] })).status).toBe(200);
    expect((await alice.delete(`/nodes/${id}/tags/${intimate}`)).status).toBe(200);
    expect((await app.get(`/nodes/${id}`)).body.value).toBe(SECRET);
  });

  it('an item of a batch that would lift a transformation from the node is an error, and creates no tag', async () => {
    const app = await lets(masks({ node_types: ['MEASUREMENT'] }, ['metadata']));
    const id = await secretNode({ node_type: 'MEASUREMENT', metadata: { ssn: SECRET } });
    const item = { title: 'result', value: SECRET, node_type: 'NOTE', tags: ['open', 'brand new'] };
    const answer = await app.post('/nodes/batch', { nodes: [item], on_duplicate: 'overwrite' });
    expect([answer.status, answer.body.errors[0]?.code]).toEqual([200, 'PERMISSION_DENIED']);
    expect((await app.get(`/nodes/${id}`)).body).toMatchObject({ node_type: 'MEASUREMENT', version: 1 });
    expect((await alice.get('/tags?search=brand')).body.total).toBe(0);
  });

  it('deleting the tag leaves the mask in place, whatever tags are written then', async () => {
    const app = await lets(masks({ tag_ids: [intimate] }));
    const id = await secretNode({ tags: ['open', 'intimate'] });
    expect((await alice.delete(`/tags/${intimate}`)).status).toBe(200);
    expect((await app.put(`/nodes/${id}`, { tags: ['other'] })).status).toBe(200);
    const again = await tagId(app, 'intimate');
    await app.post(`/nodes/${id}/tags`, { tag_id: again });
    await app.delete(`/nodes/${id}/tags/${again}`);
    expect((await app.get(`/nodes/${id}`)).text).not.toContain(SECRET);
  });

  it('deleting and restoring the node shows the same as before', async () => {
    const app = await lets(masks({ tag_ids: [intimate] }));
    const id = await secretNode({ tags: ['open', 'intimate'] });
    expect((await app.delete(`/nodes/${id}`)).status).toBe(204);
    const restored = await app.post(`/nodes/${id}/restore`);
    expect([restored.status, restored.text.includes(SECRET)]).toEqual([200, false]);
    expect((await app.get(`/nodes/${id}`)).text).not.toContain(SECRET);
  });

  it('adding a tag whose transformation would disable the next one is refused', async () => {
    const cut = { type: 'truncate', config: { field: 'value', max: 12 }, apply_to: { tag_ids: [intimate] } };
    const app = await lets(cut, { type: 'pii_redaction', config: { entities: ['email'] } });
    const id = await secretNode({ value: 'jane@example.com' });
    expect(codeOf(await app.post(`/nodes/${id}/tags`, { tag_id: intimate }))).toEqual(DENIED);
    expect((await app.get(`/nodes/${id}`)).body.value).toBe('[REDACTED:email]');
    expect((await alice.post(`/nodes/${id}/tags`, { tag_id: intimate })).status).toBe(201);
  });

  it('adding a tag of a mask is accepted, because it shows less', async () => {
    const app = await lets(masks({ tag_ids: [intimate] }));
    const id = await secretNode();
    expect((await app.post(`/nodes/${id}/tags`, { tag_id: intimate })).status).toBe(201);
    expect((await app.get(`/nodes/${id}`)).text).not.toContain(SECRET);
  });

  it('a write that would lift a transformation from the node is answered equally with and without a tag of the mask that the app may not know', async () => {
    const open = await tagId(alice, 'open');
    const mask = masks({ tag_ids: [intimate], node_types: ['MEASUREMENT'] }, ['metadata.none']);
    const app = await letsIn(
      world,
      alice,
      profile({ read: [open], edit: [open], discover: [open] }, { transformations: [mask] }),
    );
    const answers = [];
    for (const tags of [['open'], ['open', 'intimate']]) {
      const id = await secretNode({ node_type: 'MEASUREMENT', tags });
      const { status, body } = await app.put(`/nodes/${id}`, { node_type: 'NOTE' });
      answers.push([status, body.error?.message]);
    }
    expect(answers[0]?.[0]).toBe(403);
    expect(answers[1]).toEqual(answers[0]);
  });

  it('taking a node out of the schema of files, which would show its name, is refused', async () => {
    const app = await lets(masks({}, ['title']));
    const { id } = await node(alice, {
      title: SECRET,
      node_type: 'RAW_FILE',
      meaning_level: 'DATA',
      schema_id: RAW_FILE,
      metadata: {
        filename: SECRET,
        mime_type: 'text/plain',
        size_bytes: 1,
        blob_key: 'x',
        checksum_sha256: 'a'.repeat(64),
        data_type: 'text',
        structure_type: 'unstructured',
        upload_source: 'x',
      },
    });
    expect((await app.get(`/nodes/${id}`)).text).not.toContain(SECRET);
    expect(codeOf(await app.put(`/nodes/${id}`, { schema_id: null }))).toEqual(DENIED);
    await staysHidden(app, id);
  });

  it("a change of a file's tags is refused, and its record stays unchanged", async () => {
    const app = await lets(masks({ tag_ids: [intimate] }, ['title']));
    const { body: file } = await upload(alice, '/raw-files', {
      filename: 'secret.txt',
      fields: { tag_ids: [intimate, await tagId(alice, 'open')].join(',') },
    });
    expect(codeOf(await app.delete(`/raw-files/${file.id}/tags/${intimate}`))).toEqual(DENIED);
    expect((await app.get(`/raw-files/${file.id}`)).text).not.toContain('secret.txt');
    expect((await app.put(`/raw-files/${file.id}`, { metadata: { note: 'mine' } })).status).toBe(200);
  });

  it('a write by a member of a group is refused, but not one by its admin', async () => {
    const bob = await world.user();
    const id = await group(alice, [bob]);
    const body = { title: 'Ann', node_type: 'SALARY', value: '90,000', tags: ['pay'] };
    const { id: nodeId } = (await alice.post(`/groups/${id}/nodes`, body)).body;
    await assigns(alice, id, {
      to: bob,
      body: profile(ALL, { transformations: [masks({ node_types: ['SALARY'] })] }),
    });
    const path = `/groups/${id}/nodes/${nodeId}`;
    expect((await bob.get(path)).text).not.toContain('90,000');
    expect(codeOf(await bob.put(path, { node_type: 'NOTE' }))).toEqual(DENIED);
    expect((await bob.get(path)).text).not.toContain('90,000');
    expect((await bob.put(path, { title: 'Ann B.' })).status).toBe(200);
    expect((await alice.put(path, { node_type: 'NOTE' })).status).toBe(200);
  });

  it('a proposal that the owner approves may lift it, and past versions are shown as before', async () => {
    const app = await lets(masks({ node_types: ['MEASUREMENT'] }));
    const id = await secretNode({ node_type: 'MEASUREMENT' });
    await applied(alice, app, {
      type: 'UPDATE_NODE',
      canonical_data: { node_id: id, changes: { node_type: 'NOTE' } },
    });
    expect((await app.get(`/nodes/${id}`)).body.value).toBe(SECRET);
    expect((await app.get(`/nodes/${id}/history/1`)).text).not.toContain(SECRET);
  });
});
