import { type Answer, type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { versionTag } from '../../support/version-tag.js';

let world: World;
let alice: TestUser;
let open: string;

withAlice(
  (met) => ({ world, alice } = met),
  () => World.start(),
);
beforeEach(async () => {
  open = await tagId(alice, 'open');
});

const NUMBERS = ['updated_at', 'version'];
const MASK = { type: 'field_mask', config: { paths: ['value'] } };
const BROAD = { discover: 'all', read: 'all', edit: 'all' } as const;

/** Callers from whom a part of each relationship or tag is hidden. */
const NARROW: [string, Record<string, unknown>][] = [
  ['a mask', { transformations: [MASK] }],
  ['detail summary', { max_detail_level: 'summary' }],
  ['detail minimal', { max_detail_level: 'minimal' }],
];

const etagOf = ({ headers }: Answer): string => headers['etag'] as string;

async function relationship(): Promise<string> {
  const [from, to] = [await node(alice, { tags: ['open'] }), await node(alice, { tags: ['open'] })];
  const edge = { from_node_id: from.id, to_node_id: to.id, relationship_type: 'near', context: 'first' };
  return (await alice.post('/relationships', edge)).body.id as string;
}

const change = async (path: string, body: object): Promise<void> => {
  expect((await alice.put(path, body)).status).toBe(200);
};

describe('relationships (rule 3.14g)', () => {
  it.each(NARROW)(
    'version and time of change of a relationship are hidden with %s, and the entity tag does not move with hidden fields',
    async (_, rules) => {
      const path = `/relationships/${await relationship()}`;
      const app = await letsIn(world, alice, profile(BROAD, rules));
      const before = await app.get(path);
      for (const name of NUMBERS) expect(before.body).not.toHaveProperty(name);
      await change(path, { context: 'second' });
      const after = await app.get(path);
      expect([after.text, etagOf(after)]).toEqual([before.text, etagOf(before)]);
      await change(path, { graph_view: 'neutral' });
      expect(etagOf(await app.get(path))).not.toBe(etagOf(before));
      const listed = (await app.get('/relationships?view=neutral')).body.relationships as object[];
      expect(listed).toHaveLength(1);
      for (const name of NUMBERS) expect(listed[0]).not.toHaveProperty(name);
    },
  );

  it('version and time of change of a relationship let a writer with a mask use If-Match, whatever hidden fields change', async () => {
    const path = `/relationships/${await relationship()}`;
    const app = await letsIn(world, alice, profile(BROAD, { transformations: [MASK] }));
    const headers = { 'If-Match': etagOf(await app.get(path)) };
    await change(path, { context: 'second' });
    const written = await app.put(path, { strength: 0.5 }, { headers });
    expect(written.status).toBe(200);
    expect(codeOf(await app.put(path, { strength: 0.6 }, { headers }))).toEqual([412, 'PRECONDITION_FAILED']);
    expect(codeOf(await app.send('DELETE', path, undefined, { headers }))).toEqual([
      412,
      'PRECONDITION_FAILED',
    ]);
    const present = { 'If-Match': etagOf(written) };
    expect((await app.send('DELETE', path, undefined, { headers: present })).status).toBe(200);
  });

  it('version and time of change of a relationship are shown to an app from which nothing is hidden', async () => {
    const path = `/relationships/${await relationship()}`;
    const app = await letsIn(world, alice, profile(BROAD));
    await change(path, { context: 'second' });
    const answer = await app.get(path);
    expect(answer.body).toEqual((await alice.get(path)).body);
    expect(answer.body.version).toBe(2);
    expect(versionTag(answer)).toBe('"2"');
  });

  it('version and time of change of a relationship are hidden from an app that does not see all nodes, because ends may have been hidden', async () => {
    const path = `/relationships/${await relationship()}`;
    const app = await letsIn(world, alice, profile({ read: [open] }));
    const answer = await app.get(path);
    expect(answer.body.context).toBe('first');
    for (const name of NUMBERS) expect(answer.body).not.toHaveProperty(name);
  });
});

describe('tags (rule 3.14g)', () => {
  const unmoved = async (app: Client, path: string, hidden: object): Promise<Answer> => {
    const before = await app.get(path);
    expect(before.body).not.toHaveProperty('updated_at');
    await change(path, hidden);
    const after = await app.get(path);
    expect([after.text, etagOf(after)]).toEqual([before.text, etagOf(before)]);
    return after;
  };

  it.each(NARROW)(
    'the time of change of a tag is hidden with %s, and the entity tag does not move with a hidden description',
    async (_, rules) => {
      const path = `/tags/${open}`;
      const app = await letsIn(world, alice, profile(BROAD, rules));
      const before = await unmoved(app, path, { description: 'second' });
      await change(path, { name: 'opened' });
      expect(etagOf(await app.get(path))).not.toBe(etagOf(before));
    },
  );

  it('the time of change of a tag is hidden where parents may be hidden, and the entity tag does not move with them', async () => {
    const secret = await tagId(alice, 'secret');
    const app = await letsIn(world, alice, profile({ read: [open], edit: [open] }));
    const path = `/tags/${open}`;
    const before = await unmoved(app, path, { parent_tag_id: secret });
    const headers = { 'If-Match': etagOf(before) };
    expect((await app.put(path, { color: '#112233' }, { headers })).status).toBe(200);
    expect(codeOf(await app.put(path, { color: '#112234' }, { headers }))).toEqual([
      412,
      'PRECONDITION_FAILED',
    ]);
  });

  it('the time of change of a tag does not move the entity tag of a tag of which only the name is known', async () => {
    const app = await letsIn(world, alice, profile({ discover: [open] }));
    await unmoved(app, `/tags/${open}`, { description: 'second', color: '#112233', category: 'kind' });
  });

  it('the time of change of a tag is shown to an app from which nothing is hidden', async () => {
    const app = await letsIn(world, alice, profile(BROAD));
    await change(`/tags/${open}`, { description: 'second' });
    const answer = await app.get(`/tags/${open}`);
    expect(answer.body).toEqual((await alice.get(`/tags/${open}`)).body);
    expect(versionTag(answer)).toBe('"2"');
  });
});
