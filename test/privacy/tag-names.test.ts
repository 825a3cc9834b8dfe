import { type Client } from '../support/client.js';
import { allSchemas, allTags, everything } from '../support/defaults.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

/** The meaning of a tag's name in a rule while tags are renamed, deleted and created (rule 3.11). */
let world: World;
let alice: TestUser;
let app: TestApp;
let client: Client;
let profileId: string;

withAlice(
  (met) => ({ world, alice } = met),
  () => World.start(),
);
beforeEach(async () => {
  app = await world.app({ requested: everything });
});

const everythingBut = {
  tag_permissions: { discover: allTags, read: allTags, propose: allTags, edit: allTags, create: allTags },
  schema_permissions: allSchemas,
};

async function through(rules: object): Promise<void> {
  const { profile } = await alice.authorizes(app, { ...everythingBut, ...rules });
  profileId = profile.id;
  client = app.as(alice);
}

const tagOf = async (name: string): Promise<string> => (await alice.post('/tags', { name })).body.id;
const rename = async (id: string, name: string) =>
  expect((await alice.put(`/tags/${id}`, { name })).status).toBe(200);
const remove = async (id: string) => expect((await alice.delete(`/tags/${id}`)).status).toBe(200);
const nodeOf = async (title: string, ...tags: string[]) =>
  expect((await alice.post('/nodes', { title, node_type: 'note', tags })).status).toBe(201);
const visible = async (): Promise<string[]> => {
  const { status, body } = await client.get('/nodes?limit=100');
  expect(status).toBe(200);
  expect(body.total).toBe(body.nodes.length);
  return body.nodes.map(({ title }: { title: string }) => title).sort();
};
const shown = async () => (await alice.get(`/exposure-profiles/${profileId}`)).body;
const saveAgain = async (body: object = { description: `saved ${world.number()}` }) =>
  expect((await alice.put(`/exposure-profiles/${profileId}`, body)).status).toBe(200);

describe('renaming', () => {
  it('keeps the meaning, in includes, excludes and expressions, and the names are shown as they are now', async () => {
    const [work, secret] = [await tagOf('work'), await tagOf('secret')];
    await nodeOf('a', 'work');
    await nodeOf('b', 'work', 'secret');
    await nodeOf('c');
    await through({
      tag_filters: { include_all: ['WORK'], include_any: ['work'], exclude_any: ['Secret'] },
      tag_expression: { op: 'AND', conditions: [{ tag: 'work' }] },
    });
    expect(await visible()).toEqual(['a']);
    await rename(work, 'office');
    await rename(secret, 'hidden');
    expect(await visible()).toEqual(['a']);
    expect(await shown()).toMatchObject({
      tag_filters: { include_all: ['office'], include_any: ['office'], exclude_any: ['hidden'] },
      tag_expression: { op: 'AND', conditions: [{ tag: 'office' }] },
    });
    // The old names mean nothing any longer.
    await nodeOf('d', 'office', 'secret');
    await nodeOf('e', 'work');
    expect(await visible()).toEqual(['a', 'd']);
    await saveAgain({ tag_filters: (await shown()).tag_filters });
    expect(await visible()).toEqual(['a', 'd']);
  });
});

describe('deleted names', () => {
  it('a deleted tag stops granting', async () => {
    const work = await tagOf('work');
    await nodeOf('a', 'work');
    const only = { tag_ids: [work], allow_all: false };
    await through({ tag_permissions: { ...everythingBut.tag_permissions, read: only } });
    expect(await visible()).toEqual(['a']);
    await remove(work);
    expect(await visible()).toEqual([]);
    await tagOf('work');
    expect(await visible()).toEqual([]);
  });

  it.each([
    ['include_all', { tag_filters: { include_all: ['work'] } }],
    ['include_any', { tag_filters: { include_any: ['work', 'other'] } }],
    ['tag_expression', { tag_expression: { op: 'OR', conditions: [{ tag: 'work' }] } }],
  ])(
    'a deleted tag lets nothing through %s any more, until the profile is saved when there is such a tag again',
    async (_, rules) => {
      const work = await tagOf('work');
      await nodeOf('a', 'work');
      await through(rules);
      expect(await visible()).toEqual(['a']);
      await remove(work);
      expect(await visible()).toEqual([]);
      await nodeOf('b', 'work');
      expect(await visible()).toEqual([]);
      await saveAgain();
      expect(await visible()).toEqual(['b']);
    },
  );

  it.each([
    ['exclude_any', () => ({ tag_filters: { exclude_any: ['secret'] } })],
    ['excluded_tag_ids', (id: string) => ({ excluded_tag_ids: [id] })],
  ])(
    'a deleted tag goes on excluding by %s the nodes that carried it, until their owner removes it from them',
    async (_, rules) => {
      const secret = await tagOf('secret');
      await nodeOf('a', 'secret', 'work');
      await nodeOf('b', 'work');
      await through(rules(secret));
      await remove(secret);
      expect(await visible()).toEqual(['b']);
      await saveAgain();
      expect(await visible()).toEqual(['b']);
      await saveAgain(await shown());
      expect(await visible()).toEqual(['b']);
      const [a] = (await alice.get('/nodes?search=a')).body.nodes;
      expect((await alice.put(`/nodes/${a.id}`, { tags: ['home'] })).status).toBe(200);
      expect(await visible()).toEqual(['b']);
      expect((await alice.delete(`/nodes/${a.id}/tags/${secret}`)).status).toBe(200);
      expect(await visible()).toEqual(['a', 'b']);
    },
  );

  it('a deleted tag excludes through a later tag of its name, too', async () => {
    const secret = await tagOf('secret');
    await nodeOf('a', 'secret');
    await through({ tag_filters: { exclude_any: ['secret'] } });
    await remove(secret);
    await nodeOf('b', 'SECRET');
    await nodeOf('c');
    expect(await visible()).toEqual(['c']);
    expect((await shown()).tag_filters.exclude_any).toHaveLength(1);
    await saveAgain(await shown());
    expect(await visible()).toEqual(['c']);
  });
});

describe('unknown names', () => {
  it('an unknown name never matches in an include until the profile is saved again', async () => {
    await through({ tag_filters: { include_any: ['later'] } });
    await nodeOf('a', 'later');
    expect(await visible()).toEqual([]);
    expect((await shown()).tag_filters.include_any).toEqual(['later']);
    await saveAgain();
    expect(await visible()).toEqual(['a']);
  });

  it('an unknown name makes include_all match nothing', async () => {
    await nodeOf('a', 'work');
    await through({ tag_filters: { include_all: ['work', 'nowhere'] } });
    expect(await visible()).toEqual([]);
  });

  it('an unknown name in an exclude binds when such a tag appears, and holds it through renaming', async () => {
    await nodeOf('a', 'work');
    await through({ tag_filters: { exclude_any: ['later', 'renamed to'] } });
    expect(await visible()).toEqual(['a']);
    const later = await tagOf('Later');
    await nodeOf('b', 'later', 'work');
    expect(await visible()).toEqual(['a']);
    await rename(later, 'other');
    expect(await visible()).toEqual(['a']);
    expect((await shown()).tag_filters.exclude_any).toEqual(['later', 'renamed to', 'other']);
    const free = await tagOf('free');
    await nodeOf('c', 'free');
    expect(await visible()).toEqual(['a', 'c']);
    await rename(free, 'renamed to');
    expect(await visible()).toEqual(['a']);
    await nodeOf('d', 'later');
    expect(await visible()).toEqual(['a']);
  });
});

describe('hierarchies', () => {
  it('a parent tag is literal: nothing is inherited', async () => {
    const parent = await tagOf('parent');
    await alice.post('/tags', { name: 'child', parent_tag_id: parent });
    await nodeOf('a', 'child');
    await nodeOf('b', 'parent');
    await through({ tag_filters: { include_any: ['parent'] } });
    expect(await visible()).toEqual(['b']);
  });
});
