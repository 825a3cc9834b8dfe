import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { withWorld } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

const DENIED = [403, 'PERMISSION_DENIED'];
const ALL = { read: 'all', create: 'all', edit: 'all', delete: 'all', discover: 'all' } as const;
const mask = (tag_ids: string[]) => ({
  transformations: [{ type: 'field_mask', config: { paths: ['value'] }, apply_to: { tag_ids } }],
});

/** Rule 3.11e: rules hold tags, people choose names. */
describe('tags in rules', () => {
  let world: World;
  let alice: TestUser;
  let editor: Client;
  let tag = '';

  withWorld((started) => (world = started));
  beforeEach(async () => {
    alice = await world.user();
    tag = await tagId(alice, 'work');
    editor = await letsIn(world, alice, profile(ALL));
  });

  const rename = async (client: Client, name = 'diary') => codeOf(await client.put(`/tags/${tag}`, { name }));
  const removes = async (client: Client) => [
    codeOf(await client.delete(`/tags/${tag}`)),
    codeOf(await client.post('/tags/bulk-delete', { tag_ids: [tag] })),
  ];
  const names = async () => (await alice.get(`/tags/${tag}`)).body.name as string;

  it.each<[string, () => Promise<unknown>]>([
    ['grants reading by', () => letsIn(world, alice, profile({ read: [tag], discover: 'all' }))],
    ['grants editing by', () => letsIn(world, alice, profile({ read: 'all', edit: [tag], discover: 'all' }))],
    ['filters by', () => letsIn(world, alice, profile(ALL, { tag_filters: { include_any: ['work'] } }))],
    [
      'has in an expression',
      () =>
        letsIn(world, alice, profile(ALL, { tag_expression: { op: 'AND', conditions: [{ tag: 'work' }] } })),
    ],
    ['excludes by', () => letsIn(world, alice, profile(ALL, { tag_filters: { exclude_any: ['work'] } }))],
    ['excludes by the id of', () => letsIn(world, alice, profile(ALL, { excluded_tag_ids: [tag] }))],
    ['masks by', () => letsIn(world, alice, profile(ALL, mask([tag])))],
    ['masks in capital letters by', () => letsIn(world, alice, profile(ALL, mask([tag.toUpperCase()])))],
  ])('an app cannot rename a tag where the profile of another one %s it', async (_, other) => {
    await other();
    expect(await rename(editor)).toEqual(DENIED);
    expect(await names()).toBe('work');
    expect((await editor.put(`/tags/${tag}`, { color: '#FFFFFF', name: 'Work' })).status).toBe(200);
    expect((await alice.put(`/tags/${tag}`, { name: 'diary' })).status).toBe(200);
  });

  it('an app cannot rename a tag that it reads by, which would read what is tagged by the new name', async () => {
    const reader = await letsIn(world, alice, profile({ read: [tag], edit: [tag], discover: 'all' }));
    expect(await rename(reader)).toEqual(DENIED);
    const { id } = await node(alice, { title: 'dear diary', tags: ['diary'] });
    expect((await reader.get(`/nodes/${id}`)).status).toBe(404);
  });

  it('an app cannot rename a tag by which a share goes, until that has ended', async () => {
    const bob = await world.user();
    const share = { shared_with_user_id: bob.id, scope: 'specific_tags', tag_ids: [tag] };
    const { body } = await alice.post('/sharing', share);
    expect(await rename(editor)).toEqual(DENIED);
    expect((await alice.delete(`/sharing/${body.id}`)).status).toBe(200);
    expect(await rename(editor)).toEqual([200, undefined]);
  });

  it.each<[string, () => Record<string, unknown>]>([
    ['masks in capital letters by', () => mask([tag.toUpperCase()])],
    ['excludes by', () => ({ excluded_tag_ids: [tag] })],
    ['excludes by the name of', () => ({ tag_filters: { exclude_any: ['work'] } })],
    ['masks by', () => mask([tag])],
  ])('an app cannot delete a tag where the profile of another one %s it', async (_, rules) => {
    await letsIn(world, alice, profile(ALL, rules()));
    expect(await removes(editor)).toEqual([DENIED, DENIED]);
    expect(await names()).toBe('work');
    expect((await alice.delete(`/tags/${tag}`)).status).toBe(200);
  });

  it('an app can delete a tag by which rules only grant, which narrows them', async () => {
    await letsIn(world, alice, profile({ read: [tag], discover: 'all' }));
    expect((await editor.delete(`/tags/${tag}`)).status).toBe(200);
  });

  it('an app can rename and delete a tag that no rule or share names', async () => {
    expect(await rename(editor)).toEqual([200, undefined]);
    expect((await editor.delete(`/tags/${tag}`)).status).toBe(200);
  });
});
