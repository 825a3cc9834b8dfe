import { approved } from '../../support/worlds/proposals.js';
import { type Client } from '../../support/client.js';
import { everything } from '../../support/defaults.js';
import { type TestUser, type World } from '../../support/world.js';
import { withWorld } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { assigns, group } from '../../support/worlds/people.js';
import { schema } from '../../support/worlds/schemas.js';

const DENIED = [403, 'PERMISSION_DENIED'];
const ALL = {
  read: 'all',
  create: 'all',
  edit: 'all',
  delete: 'all',
  propose: 'all',
  discover: 'all',
} as const;

/** Rule 3.17g: the type of a node decides for others, and they are not the app's to decide for. */
describe('node_type', () => {
  let world: World;
  let alice: TestUser;
  let editor: Client;

  withWorld((started) => (world = started));
  beforeEach(async () => {
    alice = await world.user();
    editor = await letsIn(world, alice, profile(ALL));
  });

  const types = (client: Client, id: string, node_type: string) =>
    client.put(`/nodes/${id}`, { node_type, title: 'changed' });

  it('an app may not give a node a type that would show it to another app, however it is written', async () => {
    const other = await letsIn(world, alice, profile(ALL, { excluded_node_types: ['diary'] }));
    const { id } = await node(alice, { title: 'dear diary', node_type: 'diary', tags: ['open'] });
    for (const write of [editor.put, editor.patch])
      for (const node_type of ['note', 'journal'])
        expect(codeOf(await write.call(editor, `/nodes/${id}`, { node_type, title: 'x' }))).toEqual(DENIED);
    expect((await alice.get(`/nodes/${id}`)).body).toMatchObject({ title: 'dear diary', version: 1 });
    expect((await other.get(`/nodes/${id}`)).status).toBe(404);
    expect((await types(editor, id, 'DIARY')).status).toBe(200);
    expect((await types(alice, id, 'note')).status).toBe(200);
  });

  it('another type is refused where only a tag that may come later is missing', async () => {
    const open = await tagId(alice, 'open');
    await letsIn(world, alice, profile({ read: [open] }, { allowed_node_types: ['note'] }));
    const { id } = await node(alice, { node_type: 'diary', tags: ['home'] });
    expect(codeOf(await types(editor, id, 'note'))).toEqual(DENIED);
    expect((await types(editor, id, 'journal')).status).toBe(200);
  });

  it('another type is refused where it would lift a mask of another app', async () => {
    const mask = { type: 'field_mask', config: { paths: ['value'] }, apply_to: { node_types: ['diary'] } };
    await letsIn(world, alice, profile(ALL, { transformations: [mask] }));
    const { id } = await node(alice, { node_type: 'diary', value: 'secret', tags: ['open'] });
    expect(codeOf(await types(editor, id, 'note'))).toEqual(DENIED);
  });

  it('another schema, or none, is refused where it would show the node to another app', async () => {
    const { id: schema_id } = await schema(alice, { json_schema: {} });
    const freeform = { schema_ids: ['__freeform__'], allow_all: false };
    const schemas = { read: freeform, write: freeform };
    const service = await world.app({ requested: { ...everything, schemas } });
    const other = await alice.lets(service, profile(ALL, { schema_permissions: schemas }));
    const { id } = await node(alice, { title: 'visit', schema_id, tags: ['open'] });
    for (const write of [editor.put, editor.patch])
      expect(codeOf(await write.call(editor, `/nodes/${id}`, { schema_id: null, title: 'x' }))).toEqual(
        DENIED,
      );
    expect((await alice.get(`/nodes/${id}`)).body).toMatchObject({ title: 'visit', version: 1 });
    expect((await alice.put(`/nodes/${id}`, { schema_id: null })).status).toBe(200);
    expect((await other.get(`/nodes/${id}`)).status).toBe(200);
    expect((await editor.put(`/nodes/${id}`, { schema_id })).status).toBe(200);
  });

  it("a write by a group's member that gives a node another type is refused where it would show the node to another member, but not one by an admin", async () => {
    const [bob, carol] = [await world.user(), await world.user()];
    const id = await group(alice, [bob, carol]);
    const created = await alice.post(`/groups/${id}/nodes`, {
      title: 'pay',
      node_type: 'diary',
      tags: ['a'],
    });
    await assigns(alice, id, { to: bob, body: profile(ALL) });
    await assigns(alice, id, { to: carol, body: profile(ALL, { excluded_node_types: ['diary'] }) });
    const path = `/groups/${id}/nodes/${created.body.id}`;
    expect(codeOf(await bob.put(path, { node_type: 'note' }))).toEqual(DENIED);
    expect((await carol.get(path)).status).toBe(404);
    expect((await alice.put(path, { node_type: 'note' })).status).toBe(200);
    expect((await carol.get(path)).status).toBe(200);
  });

  it('another type is written where it hides the node from others, or no rule distinguishes the types', async () => {
    const { id } = await node(alice, { node_type: 'note', tags: ['open'] });
    expect((await types(editor, id, 'task')).status).toBe(200);
    await letsIn(world, alice, profile(ALL, { excluded_node_types: ['diary'] }));
    expect((await types(editor, id, 'note')).status).toBe(200);
    expect((await types(editor, id, 'diary')).status).toBe(200);
  });

  it('a proposal that the owner has approved may give a node another type', async () => {
    const other = await letsIn(world, alice, profile(ALL, { excluded_node_types: ['diary'] }));
    const { id } = await node(alice, { node_type: 'diary', tags: ['open'] });
    const change = { node_id: id, changes: { node_type: 'note' } };
    const proposal = await approved(alice, editor, { type: 'UPDATE_NODE', canonical_data: change });
    expect((await editor.post(`/proposals/${proposal}/apply`)).body.status).toBe('APPLIED');
    expect((await other.get(`/nodes/${id}`)).status).toBe(200);
  });
});
