import { type Answer, type Client } from '../../support/client.js';
import { everything } from '../../support/defaults.js';
import { type TestUser, World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, tagId, titlesOf } from '../../support/worlds/nodes.js';
import { versionTag } from '../../support/version-tag.js';
import { getsToKnow } from '../../support/worlds/people.js';

const mask = (strategy: string, ...paths: string[]) => ({
  transformations: [{ type: 'field_mask', config: { paths, strategy } }],
});
/** The part after the version names the rules by which it is shown. */
const TAG_OF_2 = /^"2-[\w-]{16}"$/;
const METADATA = { open: 1, secret: 1 };

interface Hiding {
  rest: Record<string, unknown>;
  /** An edit that changes nothing shown. */
  hidden: Record<string, unknown>;
}

/** Profiles that hide parts, each with an edit of a hidden part. */
const HIDINGS: Record<string, Hiding> = {
  'a removed path': {
    rest: mask('remove', 'metadata.secret'),
    hidden: { metadata: { ...METADATA, secret: 2 } },
  },
  'a nulled value': { rest: mask('null', 'value'), hidden: { value: 'other' } },
  'a value below the detail level': { rest: { max_detail_level: 'summary' }, hidden: { value: 'other' } },
  'a title but for its last characters': { rest: mask('last4', 'title'), hidden: { title: 'elsewhere' } },
  'a value behind its first characters': {
    rest: { transformations: [{ type: 'truncate', config: { field: 'value', max: 4 } }] },
    hidden: { value: 'textbook' },
  },
  'redacted words': {
    rest: { transformations: ['pii_redaction'] },
    hidden: { value: 'text of joe@example.com' },
  },
  'the view of the owner': { rest: mask('remove', 'value'), hidden: { graph_view: 'neutral' } },
};
const NODE = { title: 'somewhere', value: 'text of jane@example.com', metadata: METADATA };

/** Version, time, entity tag and list position of a node move with its shown changes only (rule 3.14e). */
describe('versions as shown', () => {
  let world: World;
  let alice: TestUser;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );

  const app = (rest: Record<string, unknown>): Promise<Client> =>
    letsIn(world, alice, profile({ read: 'all', edit: 'all', discover: 'all' }, rest));
  const seen = async (client: Client, id: string) => {
    const answer = await client.get(`/nodes/${id}`);
    const lists = [
      await client.get('/nodes'),
      await client.get('/nodes?sort=updated_at&order=asc&limit=1'),
      await client.get('/nodes?sort=updated_at&order=desc&limit=1&offset=1'),
    ];
    return [answer.text, answer.headers.etag, ...lists.map(({ text }) => text)];
  };
  const ownVersion = async (id: string) => (await alice.get(`/nodes/${id}`)).body.version as number;

  it.each(Object.entries(HIDINGS))(
    'an edit that changes only %s does not change the shown version',
    async (_name, { rest, hidden }) => {
      const { id } = await node(alice, NODE);
      await node(alice, { title: 'newer' });
      const client = await app(rest);
      const before = await seen(client, id);
      expect((await alice.put(`/nodes/${id}`, hidden)).status).toBe(200);
      expect(await seen(client, id)).toEqual(before);
      expect(await ownVersion(id)).toBe(2);
      await alice.put(`/nodes/${id}`, { importance_score: 0.7 });
      const after = await client.get(`/nodes/${id}`);
      expect([after.body.version, versionTag(after)]).toEqual([2, expect.stringMatching(TAG_OF_2)]);
      expect(
        after.body.updated_at > (JSON.parse(before[0] as string) as { updated_at: string }).updated_at,
      ).toBe(true);
      const [first] = (await client.get('/nodes')).body.nodes as { id: string }[];
      expect(first?.id).toBe(id);
      expect(await ownVersion(id)).toBe(3);
    },
  );

  it('a tag that the caller may not know does not change the shown version', async () => {
    const known = await tagId(alice, 'known');
    const hidden = await tagId(alice, 'hidden');
    const { id } = await node(alice, { tags: ['known'] });
    await node(alice, { title: 'newer', tags: ['known'] });
    const client = await letsIn(world, alice, profile({ read: [known], edit: [known] }));
    const before = await seen(client, id);
    await alice.post(`/nodes/${id}/tags`, { tag_id: hidden });
    expect(await seen(client, id)).toEqual(before);
    await alice.delete(`/nodes/${id}/tags/${hidden}`);
    expect(await seen(client, id)).toEqual(before);
    expect(await ownVersion(id)).toBe(3);
    await alice.put(`/nodes/${id}`, { title: 'shown' });
    expect((await client.get(`/nodes/${id}`)).body.version).toBe(2);
  });

  it('the shown version at detail minimal is an opaque entity tag that hidden edits do not change', async () => {
    const { id } = await node(alice, NODE);
    const client = await app({ max_detail_level: 'minimal' });
    const before = await seen(client, id);
    await alice.put(`/nodes/${id}`, { title: 'other', importance_score: 0.1 });
    expect(await seen(client, id)).toEqual(before);
    await alice.put(`/nodes/${id}`, { node_type: 'EXPERIENCE' });
    expect((await client.get(`/nodes/${id}`)).headers.etag).not.toBe(before[1]);
  });

  it('the shown version begins with 1 where the node became visible', async () => {
    const known = await tagId(alice, 'known');
    const { id } = await node(alice, { tags: ['hidden'] });
    const client = await letsIn(world, alice, profile({ read: [known] }));
    await alice.put(`/nodes/${id}`, { title: 'in secret' });
    expect((await client.get(`/nodes/${id}`)).status).toBe(404);
    await alice.post(`/nodes/${id}/tags`, { tag_id: known });
    expect((await client.get(`/nodes/${id}`)).body.version).toBe(1);
    expect(await ownVersion(id)).toBe(3);
  });

  it('callers who are shown all of each node get the stored version', async () => {
    const { id } = await node(alice, NODE);
    const client = await app({});
    await alice.put(`/nodes/${id}`, { graph_view: 'neutral' });
    expect((await client.get(`/nodes/${id}`)).body.version).toBe(2);
    expect(versionTag(await alice.get(`/nodes/${id}`))).toBe('"2"');
  });

  it('other rules with the same number of versions but other contents give another entity tag', async () => {
    const { id } = await node(alice, NODE);
    const verbs = { read: true, edit: true, discover: true };
    const narrow = await world.app({ requested: { ...everything, tags: verbs, files: { read: false } } });
    const rules = profile({ read: 'all', edit: 'all', discover: 'all' }, mask('remove', 'value'));
    const path = `/exposure-profiles/${(await alice.authorizes(narrow, rules)).profile.id}`;
    const client = narrow.as(alice);
    await alice.put(`/nodes/${id}`, { title: 'shown' });
    const earlier = await client.get(`/nodes/${id}`);
    await alice.put(`/nodes/${id}`, { value: 'hidden' });
    await alice.put(path, mask('remove', 'title'));
    const later = await client.get(`/nodes/${id}`);
    expect([earlier.body.version, later.body.version]).toEqual([2, 2]);
    expect(later.body).toMatchObject({ value: 'hidden' });
    expect(later.headers.etag).not.toBe(earlier.headers.etag);
    const written = await client.put(
      `/nodes/${id}`,
      { value: 'overwritten' },
      { headers: { 'If-Match': earlier.headers.etag as string } },
    );
    expect(codeOf(written)).toEqual([412, 'PRECONDITION_FAILED']);
  });

  it('If-Match with a shown version survives hidden edits, and no shown one', async () => {
    const { id } = await node(alice, NODE);
    const client = await app(mask('remove', 'value'));
    const tagNow = async () => (await client.get(`/nodes/${id}`)).headers.etag as string;
    const first = await tagNow();
    const write = (title: string, etag: string): Promise<Answer> =>
      client.put(`/nodes/${id}`, { title }, { headers: { 'If-Match': etag } });
    await alice.put(`/nodes/${id}`, { value: 'hidden' });
    await alice.put(`/nodes/${id}`, { value: 'hidden again' });
    const written = await write('mine', first);
    expect([written.status, written.body.version]).toEqual([200, 2]);
    expect(written.headers.etag).toMatch(TAG_OF_2);
    expect((await tagNow()).split('.')[0]).toBe((written.headers.etag as string).slice(0, -1));
    await alice.put(`/nodes/${id}`, { title: 'hers' });
    expect(codeOf(await write('lost', written.headers.etag as string))).toEqual([412, 'PRECONDITION_FAILED']);
    expect(codeOf(await write('lost', '"3"'))).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await write('mine again', await tagNow())).status).toBe(200);
    expect((await alice.get(`/nodes/${id}`)).body).toMatchObject({
      title: 'mine again',
      value: 'hidden again',
    });
  });

  it('exactly one of several writers with one entity tag writes, and no hidden edit is lost', async () => {
    const { id } = await node(alice, NODE);
    const client = await app(mask('remove', 'metadata.secret'));
    const first = (await client.get(`/nodes/${id}`)).headers.etag as string;
    const writes = Array.from({ length: 5 }, (_, index) =>
      client.patch(`/nodes/${id}`, { title: `writer ${index}` }, { headers: { 'If-Match': first } }),
    );
    const hidden = Array.from({ length: 5 }, (_, index) =>
      alice.patch(`/nodes/${id}`, { metadata: { secret: index + 2 } }),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 412, 412, 412, 412]);
    expect((await Promise.all(hidden)).map(({ status }) => status)).toEqual(hidden.map(() => 200));
    expect((await client.get(`/nodes/${id}`)).body.version).toBe(2);
    expect((await alice.get(`/nodes/${id}`)).body).toMatchObject({
      title: expect.stringMatching(/^writer/) as string,
      metadata: { open: 1, secret: expect.any(Number) as number },
    });
    expect(await ownVersion(id)).toBe(7);
  });

  it('orders a page by shown times, for any number of hidden changes', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 6; index++)
      ids.push((await node(alice, { ...NODE, title: `node ${index}` })).id as string);
    const client = await app(mask('remove', 'value'));
    for (const id of [ids[1], ids[3], ids[0]]) await alice.put(`/nodes/${id}`, { value: 'hidden' });
    await alice.put(`/nodes/${ids[2]}`, { title: 'node 2, shown' });
    await alice.put(`/nodes/${ids[1]}`, { value: 'hidden again' });
    const listed = await client.get('/nodes');
    expect(titlesOf(listed)).toEqual(['node 2, shown', 'node 5', 'node 4', 'node 3', 'node 1', 'node 0']);
    const times = (listed.body.nodes as { updated_at: string }[]).map(({ updated_at }) => updated_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(titlesOf(await client.get('/nodes?limit=2&offset=3'))).toEqual(['node 3', 'node 1']);
    expect(titlesOf(await client.get('/nodes?order=asc&limit=2'))).toEqual(['node 0', 'node 1']);
    expect(titlesOf(await alice.get('/nodes?limit=2'))).toEqual(['node 1', 'node 2, shown']);
  });

  it('orders own and received nodes together by shown times', async () => {
    const bob = await world.user();
    const { id: theirs } = await node(bob, { ...NODE, title: 'theirs' });
    const { id: mine } = await node(alice, { ...NODE, title: 'mine' });
    await node(alice, { title: 'newest' });
    await bob.post('/sharing', { shared_with_user_id: alice.id, scope: 'all' });
    await getsToKnow(alice, bob);
    const masked = await app(mask('remove', 'value'));
    const whole = await app({});
    const listed = async (client: Client) => titlesOf(await client.get('/nodes'));
    for (const client of [masked, whole]) expect(await listed(client)).toEqual(['newest', 'mine', 'theirs']);
    await alice.put(`/nodes/${mine}`, { value: 'hidden' });
    await bob.put(`/nodes/${theirs}`, { value: 'hidden' });
    expect(await listed(masked)).toEqual(['newest', 'mine', 'theirs']);
    expect(await listed(whole)).toEqual(['theirs', 'mine', 'newest']);
    await bob.put(`/nodes/${theirs}`, { title: 'theirs, shown' });
    expect(await listed(masked)).toEqual(['theirs, shown', 'newest', 'mine']);
  });

  it('orders own nodes of a recipient without regard to hidden tags', async () => {
    const bob = await world.user();
    await node(bob, { title: 'theirs' });
    await bob.post('/sharing', { shared_with_user_id: alice.id, scope: 'all' });
    await getsToKnow(alice, bob);
    const known = await tagId(alice, 'known');
    const { id } = await node(alice, { title: 'old', tags: ['known'] });
    await node(alice, { title: 'new', tags: ['known'] });
    const client = await letsIn(world, alice, profile({ read: [known] }));
    const order = ['new', 'old'];
    expect(titlesOf(await client.get('/nodes'))).toEqual(order);
    await alice.post(`/nodes/${id}/tags`, { tag_id: await tagId(alice, 'hidden') });
    expect(titlesOf(await client.get('/nodes'))).toEqual(order);
    expect(titlesOf(await client.get('/nodes?limit=1&offset=1'))).toEqual(['old']);
  });

  it('search, previews, explanations and replayed answers have the same shown version', async () => {
    const { id } = await node(alice, NODE);
    const rest = mask('remove', 'value');
    const rules = profile({ read: 'all', create: 'all', discover: 'all' }, rest);
    const client = await letsIn(world, alice, rules);
    const made = await alice.post('/exposure-profiles', { name: 'the same', ...rules });
    const write = (): Promise<Answer> =>
      client.post(
        '/nodes',
        { title: 'mine', node_type: 'note' },
        { headers: { 'Idempotency-Key': 'once and for all' } },
      );
    const first = await write();
    const shown = async () => [
      (await client.post('/nodes/search', { query: 'somewhere' })).text,
      (await alice.post(`/exposure-profiles/${made.body.id}/preview`, {})).body.sample,
      (await alice.get(`/exposure-profiles/${made.body.id}/explain?node_id=${id}`)).body.shown_as,
      (await write()).text,
    ];
    const before = await shown();
    expect(JSON.stringify(before).match(/version\W+1\b/g)).toHaveLength(5);
    await alice.put(`/nodes/${id}`, { value: 'hidden' });
    await alice.put(`/nodes/${first.body.id}`, { value: 'hidden' });
    expect(await shown()).toEqual(before);
  });
});
