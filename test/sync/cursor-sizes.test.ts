import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { everything } from '../support/defaults.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { type Page, pull } from './pages.js';

let world: World;
let alice: TestUser;

withAlice((met) => ({ world, alice } = met));

const PAGES = 36;

/** An app that sees the nodes of one tag. */
async function seeingOne(nodes: number): Promise<Client> {
  const open = await tagId(alice, 'open');
  const batch = Array.from({ length: nodes }, (_, place) => ({
    title: `node ${place}`,
    node_type: 'note',
    tags: ['open'],
  }));
  expect((await alice.post('/nodes/batch', { nodes: batch })).status).toBe(201);
  return letsIn(world, alice, profile({ discover: [open], read: [open] }));
}

/** The lengths of the cursors of a pass, with an act before each page, and the ids that it brought. */
async function lengths(
  app: Client,
  act: (page: number) => Promise<unknown>,
): Promise<{ sizes: number[]; ids: string[] }> {
  const [sizes, ids]: [number[], string[]] = [[], []];
  let cursor: string | undefined;
  for (let place = 0; place < PAGES; place++) {
    const page: Page = await pull(app, { limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    ({ cursor } = page);
    sizes.push((cursor as string).length);
    ids.push(...(page.changes as Page[]).map((entry) => entry.node.id as string));
    await act(place);
  }
  return { sizes, ids };
}

const QUIET = Array<number>(PAGES).fill(123);

describe('the length of a cursor (rule 7.10b)', () => {
  it('cursors are equally long with no hidden change and with one before each page of a pass', async () => {
    const app = await seeingOne(PAGES + 2);
    const hidden = await node(alice, { tags: ['secret'] });
    const still = await lengths(app, () => Promise.resolve());
    expect(still.sizes).toEqual(QUIET);
    const moved = await lengths(app, async (page) => {
      expect((await alice.put(`/nodes/${hidden.id}`, { value: `secret ${page}` })).status).toBe(200);
    });
    expect(moved).toEqual(still);
  });

  it('cursors are equally long whatever tags and profiles exist that their app does not know', async () => {
    const app = await seeingOne(PAGES + 2);
    const secret = await tagId(alice, 'secret');
    const moved = await lengths(app, async (page) => {
      const renamed = await alice.put(`/tags/${secret}`, { name: `secret ${page}` });
      expect(renamed.status).toBe(200);
      const other = await alice.post('/exposure-profiles', { name: `other ${page}`, ...profile({}) });
      expect(other.status).toBe(201);
    });
    expect(moved.sizes).toEqual(QUIET);
  });

  it('a pass during which hidden and shown changes alternate loses nothing, and its cursors grow by the shown ones', async () => {
    const app = await seeingOne(PAGES - 1);
    const first = (await alice.get('/nodes?limit=100')).body.nodes[0].id as string;
    const hidden = await node(alice, { tags: ['secret'] });
    const moved = await lengths(app, async (page) => {
      await alice.put(`/nodes/${hidden.id}`, { value: `secret ${page}` });
      if (page % 2 === 0) await alice.put(`/nodes/${first}`, { title: `shown ${page}` });
    });
    expect(new Set(moved.ids).size).toBe(PAGES - 1);
    expect(Math.max(...moved.sizes)).toBeGreaterThan(123);
    expect(Math.max(...moved.sizes)).toBeLessThan(500);
  });

  it('a node that comes to be seen during a pass is brought after it, also behind hidden changes', async () => {
    const app = await seeingOne(3);
    const hidden = await node(alice, { tags: ['secret'] });
    const begun = await pull(app, { limit: 1 });
    await alice.put(`/nodes/${hidden.id}`, { value: 'still secret' });
    const next = await pull(app, { limit: 1, cursor: begun.cursor });
    await alice.put(`/nodes/${hidden.id}`, { tags: ['open'] });
    const ids: string[] = [];
    for (let page: Page = next; page.has_more;) {
      page = await pull(app, { limit: 1, cursor: page.cursor });
      ids.push(...page.changes.map((entry: Page) => entry.node.id));
    }
    expect(ids).toHaveLength(2);
    expect(ids).toContain(hidden.id);
  });
});

describe('a pass that continues as of its last page (rules 7.10b, 3.20)', () => {
  it.each([
    ['a node that is hidden by the rules of then and of now', { tags: ['others'], value: 'buried' }],
    ['a masked value that the rules of then and of now mask', { tags: ['open', 'others'], value: 'buried' }],
  ])('a pass during which tags and rules change together shows no earlier state of %s', async (_, body) => {
    const [open, others, third] = await Promise.all(
      ['open', 'others', 'third'].map((name) => tagId(alice, name)),
    );
    const isMasked = body.tags.includes('open');
    const hides = (tag: string) => ({
      transformations: [
        {
          type: 'field_mask',
          config: { paths: ['value'], strategy: 'remove' },
          apply_to: { tag_ids: [tag] },
        },
      ],
    });
    const rules = (tag: string, read: string[]) =>
      profile({ discover: [open!], read }, isMasked ? hides(tag) : {});
    for (let place = 0; place < 3; place++) await node(alice, { title: `node ${place}`, tags: ['open'] });
    const secret = await node(alice, { title: 'secret', ...body });
    const made = await world.app({ requested: { ...everything, tags: { discover: true, read: true } } });
    const given = await alice.authorizes(made, rules(others!, [open!]));
    const app = made.as(alice);
    const begun = await pull(app, { limit: 1 });
    const changed = await alice.put(`/nodes/${secret.id}`, {
      tags: body.tags.map((tag) => (tag === 'others' ? 'third' : tag)),
    });
    expect(changed.status).toBe(200);
    const edited = await alice.put(
      `/exposure-profiles/${given.profile.id}`,
      rules(third!, isMasked ? [open!] : [open!, others!]),
    );
    expect(edited.status).toBe(200);
    const texts: string[] = [];
    for (let page: Page = begun; page.has_more;) {
      page = await pull(app, { limit: 1, cursor: page.cursor });
      texts.push(JSON.stringify(page.changes));
    }
    expect(texts.join('\n')).not.toContain('buried');
    expect(texts.join('\n').includes(secret.id)).toBe(isMasked);
  });
});
