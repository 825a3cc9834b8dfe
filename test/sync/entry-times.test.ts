import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { everything } from '../support/defaults.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { type Page, pull } from './pages.js';

let world: World;
let alice: TestUser;

withAlice((met) => ({ world, alice } = met));

/** An app that knows one tag of a node with two. */
async function knowingOne(): Promise<{ app: Client; known: string; hidden: string; id: string }> {
  const [known, hidden] = [await tagId(alice, 'known'), await tagId(alice, 'therapy')];
  const { id } = await node(alice, { tags: ['known', 'therapy'] });
  const app = await letsIn(world, alice, profile({ discover: [known], read: [known] }));
  return { app, known, hidden, id };
}

const rename = async (id: string, name: string): Promise<string> => {
  const renamed = await alice.put(`/tags/${id}`, { name });
  expect(renamed.status).toBe(200);
  return renamed.body.updated_at as string;
};

const onlyTime = ({ changes }: Page): string => {
  expect(changes).toHaveLength(1);
  return changes[0].timestamp as string;
};

const hiddenActs: [string, (tag: string) => Promise<unknown>][] = [
  ['renamed', (tag) => rename(tag, 'therapy of couples')],
  ['deleted', (tag) => alice.delete(`/tags/${tag}`)],
];

describe('timestamp (rule 7.7d)', () => {
  it.each(hiddenActs)(
    'the time of an entry from the new name of a known tag is that of the name, also if a hidden tag of the node is %s later',
    async (_, act) => {
      const { app, known, hidden } = await knowingOne();
      const { cursor } = await pull(app);
      const renamedAt = await rename(known, 'known otherwise');
      await act(hidden);
      expect(onlyTime(await pull(app, { cursor }))).toBe(renamedAt);
    },
  );

  it.each(hiddenActs)(
    'the time of an entry from an edit of the profile is that of the edit, also if a hidden tag of the node is %s later',
    async (_, act) => {
      const [known, hidden] = [await tagId(alice, 'known'), await tagId(alice, 'therapy')];
      await node(alice, { title: 'ada@example.org', tags: ['known', 'therapy'] });
      const made = await world.app({ requested: { ...everything, tags: { discover: true, read: true } } });
      const given = await alice.authorizes(made, profile({ discover: [known], read: [known] }));
      const app = made.as(alice);
      const { cursor } = await pull(app);
      const path = `/exposure-profiles/${given.profile.id}`;
      const edited = await alice.put(path, { transformations: ['pii_redaction'] });
      expect(edited.status).toBe(200);
      await act(hidden);
      expect(onlyTime(await pull(app, { cursor }))).toBe(edited.body.updated_at);
    },
  );

  it('the time of an entry from an edit of the profile is that of the edit, also if the profile is given another name later', async () => {
    const known = await tagId(alice, 'known');
    await node(alice, { title: 'ada@example.org', tags: ['known'] });
    const made = await world.app({ requested: { ...everything, tags: { discover: true, read: true } } });
    const given = await alice.authorizes(made, profile({ discover: [known], read: [known] }));
    const app = made.as(alice);
    const { cursor } = await pull(app);
    const path = `/exposure-profiles/${given.profile.id}`;
    const edited = await alice.put(path, { transformations: ['pii_redaction'] });
    expect((await alice.put(path, { name: 'for a doctor' })).status).toBe(200);
    expect(onlyTime(await pull(app, { cursor }))).toBe(edited.body.updated_at);
  });

  it('the time of an entry from an edit and a new name is that of the later one, whatever happened to a hidden tag', async () => {
    const { app, known, hidden, id } = await knowingOne();
    const { cursor } = await pull(app);
    await rename(known, 'known otherwise');
    const edited = (await alice.put(`/nodes/${id}`, { title: 'edited' })).body;
    await rename(hidden, 'therapy of couples');
    const page = await pull(app, { cursor });
    expect(onlyTime(page)).toBe(edited.updated_at);
    const renamedAt = await rename(known, 'known once more');
    await rename(hidden, 'therapy once more');
    expect(onlyTime(await pull(app, { cursor }))).toBe(renamedAt);
    expect(onlyTime(await pull(app, { cursor: page.cursor }))).toBe(renamedAt);
  });

  it('the time of an entry from an exclusion by name is that at which the unknown tag took the name, whatever happened to another', async () => {
    const [known, other] = [await tagId(alice, 'known'), await tagId(alice, 'other')];
    const excluded = await tagId(alice, 'public');
    await node(alice, { tags: ['known', 'other', 'public'] });
    const away = await tagId(alice, 'private');
    const tag_filters = { include_all: [], include_any: [], exclude_any: ['private'] };
    const app = await letsIn(world, alice, profile({ discover: [known], read: [known] }, { tag_filters }));
    const { cursor } = await pull(app);
    expect((await alice.delete(`/tags/${away}`)).status).toBe(200);
    const renamedAt = await rename(excluded, 'private');
    await rename(other, 'another');
    const page = await pull(app, { cursor });
    expect(page.changes).toMatchObject([{ action: 'delete', reason: 'access_removed' }]);
    expect(onlyTime(page)).toBe(renamedAt);
  });

  it('the time of an entry at detail minimal tells no new name of a tag, which is not shown there', async () => {
    const known = await tagId(alice, 'known');
    await node(alice, { title: 'ada', tags: ['known'] });
    const made = await world.app({ requested: { ...everything, tags: { discover: true, read: true } } });
    const given = await alice.authorizes(made, profile({ discover: [known], read: [known] }));
    const app = made.as(alice);
    const { cursor } = await pull(app);
    const edited = await alice.put(`/exposure-profiles/${given.profile.id}`, { max_detail_level: 'minimal' });
    await rename(known, 'known otherwise');
    expect(onlyTime(await pull(app, { cursor }))).toBe(edited.body.updated_at);
  });
});
