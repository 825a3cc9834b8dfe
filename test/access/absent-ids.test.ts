import { type Answer, type Client } from '../support/client.js';
import { someTags } from '../support/defaults.js';
import { type TestUser, World } from '../support/world.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';

const ABSENT = '5f0c1a52-9f4e-4a9e-8a3b-0d6a1c2b3e4f';

/** The bytes of an answer, without parts that differ between requests. */
const bytesOf = ({ status, text, body }: Answer): string =>
  `${status} ${text.replaceAll(body.error?.request_id as string, 'request')}`;

/** Unknown ids in bodies: the answer names them, and is the same for hidden ones (rule 3.18). */
describe('unknown ids (rule 3.18)', () => {
  let world: World;
  let [alice, bob]: TestUser[] = [];
  /** Ids of one kind that answer alike: unknown, malformed, somebody else's, hidden. */
  let nodes: string[];
  let tags: string[];
  let seen: { node: string; tag: string };
  let client: Client;

  beforeAll(async () => {
    world = await World.start();
    [alice, bob] = [await world.user(), await world.user()];
    seen = { tag: await tagId(alice, 'seen'), node: (await node(alice, { tags: ['seen'] })).id };
    const hidden = {
      tag: await tagId(alice, 'hidden'),
      node: (await node(alice, { tags: ['hidden'] })).id,
    };
    nodes = [ABSENT, 'no id', (await node(bob)).id, hidden.node];
    tags = [ABSENT, 'no id', await tagId(bob, 'theirs'), hidden.tag];
    const shown = [seen.tag];
    client = await letsIn(world, alice, profile({ read: shown, edit: shown, create: shown }));
  });
  afterAll(() => world.stop());

  async function answers(ids: string[], send: (id: string) => Promise<Answer>): Promise<string[]> {
    const bytes = new Set<string>();
    for (const id of ids) bytes.add(bytesOf(await send(id)));
    return [...bytes];
  }

  const notFound = (code: string, message: string, ...fields: string[]): string[] => {
    const details = fields.map((field) => ({
      field,
      message: 'was not found; an id is expected here, not a name',
    }));
    return [`404 ${JSON.stringify({ error: { code, message, details, request_id: 'request' } })}`];
  };

  it('the end of a relationship has the same answer for an unknown id as for a hidden one', async () => {
    const edge = { from_node_id: seen.node, to_node_id: seen.node, relationship_type: 'near' };
    for (const field of ['from_node_id', 'to_node_id'])
      expect(await answers(nodes, (id) => client.post('/relationships', { ...edge, [field]: id }))).toEqual(
        notFound('NODE_NOT_FOUND', 'Node not found', field),
      );
    const both = { ...edge, from_node_id: ABSENT };
    expect(
      await answers(nodes.slice(1), (id) => client.post('/relationships', { ...both, to_node_id: id })),
    ).toEqual(notFound('NODE_NOT_FOUND', 'Node not found', 'from_node_id', 'to_node_id'));
  });

  it('the tag of a node and the parent of a tag have the same answer for an unknown id as for a hidden one', async () => {
    const path = `/nodes/${seen.node}/tags`;
    expect(await answers(tags, (tag_id) => client.post(path, { tag_id }))).toEqual(
      notFound('NOT_FOUND', 'Tag not found', 'tag_id'),
    );
    expect(await answers(tags, (id) => client.put(`/tags/${seen.tag}`, { parent_tag_id: id }))).toEqual(
      notFound('NOT_FOUND', 'Tag not found', 'parent_tag_id'),
    );
  });

  it('the rules of a profile have the same answer for an unknown id as for a hidden one', async () => {
    const made = (rules: object) => alice!.post('/exposure-profiles', { name: 'rules', ...rules });
    const [foreignTags, foreignNodes] = [tags.slice(0, 3), nodes.slice(0, 3)];
    const everywhere = (id: string) => ({
      tag_permissions: { read: someTags(seen.tag, id) },
      excluded_tag_ids: [id],
      transformations: [{ type: 'pii_redaction', apply_to: { tag_ids: [seen.tag] } }],
    });
    expect(await answers(foreignTags, (id) => made(everywhere(id)))).toEqual(
      notFound('NOT_FOUND', 'Tag not found', 'tag_permissions.read.tag_ids', 'excluded_tag_ids'),
    );
    expect(await answers(foreignNodes, (id) => made({ allowed_node_ids: [id] }))).toEqual(
      notFound('NODE_NOT_FOUND', 'Node not found', 'allowed_node_ids'),
    );
    const schemas = (id: string) => ({ schema_permissions: { write: { schema_ids: [id] } } });
    expect(await answers([ABSENT, 'no id'], (id) => made(schemas(id)))).toEqual(
      notFound('NOT_FOUND', 'Schema not found', 'schema_permissions.write.schema_ids'),
    );
  });

  it('an explanation and a preview of a profile have the same answer for an unknown id as for a hidden one', async () => {
    const mine = (await alice!.post('/exposure-profiles', { name: 'to be explained' })).body.id as string;
    const theirs = (await bob!.post('/exposure-profiles', { name: 'not to be compared' })).body.id as string;
    const explained = (query: string) => alice!.get(`/exposure-profiles/${mine}/explain?${query}`);
    const foreign = nodes.slice(0, 3);
    expect(await answers(foreign, (id) => explained(`node_id=${encodeURIComponent(id)}`))).toEqual(
      notFound('NODE_NOT_FOUND', 'Node not found', 'node_id'),
    );
    const preview = (body: object) => alice!.post(`/exposure-profiles/${mine}/preview`, body);
    expect(await answers([ABSENT, 'no id', mine], (app_id) => preview({ app_id }))).toEqual(
      notFound('NOT_FOUND', 'App not found', 'app_id'),
    );
    const draft = (body: object) => alice!.post('/exposure-profiles/preview', { profile: {}, ...body });
    expect(await answers([ABSENT, 'no id', mine], (app_id) => draft({ app_id }))).toEqual(
      notFound('NOT_FOUND', 'App not found', 'app_id'),
    );
    for (const question of [preview, draft])
      expect(await answers([ABSENT, 'no id', theirs], (compare_to) => question({ compare_to }))).toEqual(
        notFound('NOT_FOUND', 'Exposure profile not found', 'compare_to'),
      );
    expect(await answers(foreign, (id) => draft({ profile: { allowed_node_ids: [id] } }))).toEqual(
      notFound('NODE_NOT_FOUND', 'Node not found', 'allowed_node_ids'),
    );
  });

  it('an approval has the same answer for an unknown id as for a hidden one', async () => {
    const { id: app_id } = await world.app();
    const theirs = (await bob!.post('/exposure-profiles', { name: 'theirs' })).body.id as string;
    const approve = (body: object) => alice!.post('/authorizations', body);
    const profiles = [ABSENT, 'no id', theirs];
    expect(await answers(profiles, (id) => approve({ app_id, exposure_profile_id: id }))).toEqual(
      notFound('NOT_FOUND', 'Exposure profile not found', 'exposure_profile_id'),
    );
    const own = (await alice!.post('/exposure-profiles', { name: 'own' })).body.id as string;
    const apps = [ABSENT, 'no id', own];
    expect(await answers(apps, (id) => approve({ app_id: id, exposure_profile_id: own }))).toEqual(
      notFound('NOT_FOUND', 'App not found', 'app_id'),
    );
  });
});
