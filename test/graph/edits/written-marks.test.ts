import { approved, proposed, ready } from '../../support/worlds/proposals.js';
import { type Answer, type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { upload } from '../../support/worlds/files.js';
import { letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

const rights = { read: 'all', edit: 'all', propose: 'all', discover: 'all', create: 'all' } as const;
const REDACTED = { transformations: [{ type: 'pii_redaction', config: { replacement: '[EMAIL]' } }] };

const refusal = ({ status, body }: Answer): unknown[] => [
  status,
  body.error?.code,
  ...((body.error?.details ?? []) as { field: string }[]).map(({ field }) => field),
];

/** The mark of a mask is never stored in place of the masked text (rule 3.17c). */
describe('marks of masks', () => {
  let world: World;
  let alice: TestUser;
  let app: Client;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    app = await letsIn(world, alice, profile(rights, REDACTED));
  });

  const stored = async (id: unknown) => (await alice.get(`/nodes/${id as string}`)).body;

  it('a written mark is refused if the value has changed since it was read, and nothing is stored', async () => {
    const { id } = await node(alice, { value: 'ask ada@example.org' });
    const { value } = (await app.get(`/nodes/${id}`)).body;
    await alice.put(`/nodes/${id}`, { value: 'ask bob@example.org or nobody' });
    const before = await stored(id);
    expect(refusal(await app.put(`/nodes/${id}`, { title: 'new', value }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'value',
    ]);
    expect(refusal(await app.patch(`/nodes/${id}`, { value }))).toEqual([400, 'VALIDATION_ERROR', 'value']);
    expect(await stored(id)).toEqual(before);
  });

  it('a text edited around its mark is refused, and accepted if it is as shown', async () => {
    const { id } = await node(alice, { value: 'write to ada@example.org today' });
    const { value } = (await app.get(`/nodes/${id}`)).body;
    expect(value).toBe('write to [EMAIL] today');
    const edited = await app.put(`/nodes/${id}`, { value: `${value}, or tomorrow` });
    expect(refusal(edited)).toEqual([400, 'VALIDATION_ERROR', 'value']);
    expect((await app.put(`/nodes/${id}`, { title: 'new', value })).status).toBe(200);
    expect(await stored(id)).toMatchObject({ title: 'new', value: 'write to ada@example.org today' });
    expect((await app.put(`/nodes/${id}`, { value: 'write to nobody' })).status).toBe(200);
    expect(await stored(id)).toMatchObject({ value: 'write to nobody' });
  });

  it('values of array elements that moved are kept, and ambiguous ones are refused', async () => {
    const people = ['ada', 'bob', 'cleo'].map((name) => ({ name, mail: `${name}@example.org` }));
    const { id } = await node(alice, { metadata: { people } });
    const { metadata } = (await app.get(`/nodes/${id}`)).body;
    const [ada, bob, cleo] = metadata.people as object[];
    expect((await app.put(`/nodes/${id}`, { metadata: { people: [cleo, ada, bob] } })).status).toBe(200);
    expect((await stored(id)).metadata.people).toEqual([people[2], people[0], people[1]]);
    const unclear = { people: [{ ...bob, name: 'Bob' }] };
    expect(refusal(await app.put(`/nodes/${id}`, { metadata: unclear }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'metadata.people.mail',
    ]);
    expect((await stored(id)).metadata.people).toEqual([people[2], people[0], people[1]]);
  });

  it('a masked value that is moved to another key is refused', async () => {
    const { id } = await node(alice, { metadata: { mail: 'ada@example.org' } });
    const moved = { email: '[EMAIL]' };
    expect(refusal(await app.put(`/nodes/${id}`, { metadata: moved }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'metadata.email',
    ]);
    const patch = await app.patch(`/nodes/${id}`, { metadata: { mail: null, ...moved } });
    expect(refusal(patch)).toEqual([400, 'VALIDATION_ERROR', 'metadata.email']);
    expect((await stored(id)).metadata).toEqual({ mail: 'ada@example.org' });
  });

  it.each([
    ['hash', 'ada@example.org', 'bob@example.org'],
    ['last4', 'DE89370400440532013000', 'DE89370400440532013999'],
  ])('a stale value of the mask %s is refused', async (strategy, then, now) => {
    const masked = await letsIn(
      world,
      alice,
      profile(rights, {
        transformations: [{ type: 'field_mask', config: { paths: ['metadata.secret'], strategy } }],
      }),
    );
    const { id } = await node(alice, { metadata: { secret: then } });
    const { metadata } = (await masked.get(`/nodes/${id}`)).body;
    await alice.put(`/nodes/${id}`, { metadata: { secret: now } });
    expect(refusal(await masked.put(`/nodes/${id}`, { metadata }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'metadata.secret',
    ]);
    expect((await stored(id)).metadata).toEqual({ secret: now });
  });

  it('a mark is refused alike with and without a hidden part of the node', async () => {
    const body = { value: 'write to [EMAIL] today' };
    const answers = await Promise.all(
      ['ada@example.org', 'nobody'].map(async (value) =>
        app.put(`/nodes/${(await node(alice, { value })).id}`, body),
      ),
    );
    expect(refusal(answers[0] as Answer)).toEqual([400, 'VALIDATION_ERROR', 'value']);
    expect(refusal(answers[1] as Answer)).toEqual(refusal(answers[0] as Answer));
  });

  it('a mark is accepted from callers without that mask, and in a new node', async () => {
    const made = await node(app, { value: 'a summary for [EMAIL]' });
    expect((await alice.put(`/nodes/${made.id}`, { value: 'all of [EMAIL]' })).status).toBe(200);
    const other = await letsIn(world, alice, profile(rights));
    expect((await other.put(`/nodes/${made.id}`, { value: 'more of [EMAIL]' })).status).toBe(200);
  });

  it('a mark is an error of its entry in a batch that overwrites', async () => {
    const value = 'ask ada@example.org';
    const { id } = await node(alice, { title: 'alike', value, metadata: { mail: 'ada@example.org' } });
    const shown = (await app.get(`/nodes/${id}`)).body.value as string;
    const answer = await app.post('/nodes/batch', {
      nodes: [{ title: 'alike', node_type: 'note', value: shown, metadata: { other: '[EMAIL]' } }],
      on_duplicate: 'overwrite',
    });
    expect(answer.body.errors).toMatchObject([
      { index: 0, error: expect.stringContaining('metadata.other: holds a mark') },
    ]);
    expect((await stored(id)).metadata).toEqual({ mail: 'ada@example.org' });
  });

  it('a mark in a proposal is refused, whenever the proposal is read', async () => {
    const { id } = await node(alice, { value: 'ask ada@example.org' });
    const change = (value: string) => ({
      type: 'UPDATE_NODE',
      canonical_data: { node_id: id, changes: { title: 'proposed', value } },
    });
    const sent = await app.post('/proposals', { title: 'a proposal', ...change('ask [EMAIL] today') });
    expect(refusal(sent)).toEqual([400, 'VALIDATION_ERROR', 'canonical_data.changes.value']);
    const pending = await proposed(app, change('ask [EMAIL]'));
    await alice.put(`/nodes/${id}`, { value: 'tell bob@example.org' });
    expect(refusal(await ready(app, pending.id as string))).toEqual([
      400,
      'VALIDATION_ERROR',
      'canonical_data.changes.value',
    ]);
    const taken = await approved(alice, app, change('tell [EMAIL]'));
    expect((await app.post(`/proposals/${taken}/apply`)).body.status).toBe('APPLIED');
    expect(await stored(id)).toMatchObject({ title: 'proposed', value: 'tell bob@example.org' });
  });

  it('a mark in the name of a file is refused, too', async () => {
    const { body: file } = await upload(alice, '/raw-files', { filename: 'ada@example.org.txt' });
    const path = `/raw-files/${file.id}`;
    const { filename } = (await app.get(path)).body;
    expect(filename).not.toContain('ada');
    await alice.put(path, { filename: 'bob@example.org, a letter.txt' });
    expect(refusal(await app.put(path, { filename }))).toEqual([400, 'VALIDATION_ERROR', 'filename']);
    expect((await alice.get(path)).body.filename).toBe('bob@example.org, a letter.txt');
  });

  it.each([
    ['cut', { type: 'truncate', config: { field: 'value', max: 4 } }],
    ['redacted without a replacement', { type: 'pii_redaction', config: { replacement: '' } }],
  ])(
    'a stale value that is %s, which has no mark, is stored as it is written, and If-Match refuses it (rule 3.17e)',
    async (_, transformation) => {
      const masked = await letsIn(world, alice, profile(rights, { transformations: [transformation] }));
      const { id } = await node(alice, { value: 'ask ada@example.org' });
      const read = await masked.get(`/nodes/${id}`);
      const { value } = read.body;
      await alice.put(`/nodes/${id}`, { value: 'nobody is asked any more' });
      const headers = { 'If-Match': read.headers.etag as string };
      expect((await masked.put(`/nodes/${id}`, { value }, { headers })).status).toBe(412);
      expect((await masked.put(`/nodes/${id}`, { value })).status).toBe(200);
      expect((await stored(id)).value).toBe(value);
    },
  );

  it('a mark in the texts of tags and relationships is refused, too', async () => {
    const tag = await tagId(alice, 'people');
    await alice.put(`/tags/${tag}`, { description: 'see ada@example.org' });
    const editor = await letsIn(world, alice, profile(rights, REDACTED));
    const shown = (await editor.get(`/tags/${tag}`)).body.description as string;
    expect(shown).toBe('see [EMAIL]');
    expect(refusal(await editor.put(`/tags/${tag}`, { description: `${shown}!` }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'description',
    ]);
    expect((await editor.put(`/tags/${tag}`, { description: shown, color: '#00ff00' })).status).toBe(200);
    expect((await alice.get(`/tags/${tag}`)).body.description).toBe('see ada@example.org');

    const [from, to] = [await node(alice), await node(alice)];
    const edge = await alice.post('/relationships', {
      from_node_id: from.id,
      to_node_id: to.id,
      relationship_type: 'knows',
      context: 'from ada@example.org',
    });
    const path = `/relationships/${edge.body.id}`;
    expect(refusal(await editor.put(path, { context: 'also from [EMAIL]' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'context',
    ]);
    expect((await editor.put(path, { context: 'from [EMAIL]', strength: 0.5 })).status).toBe(200);
    expect((await alice.get(path)).body).toMatchObject({ context: 'from ada@example.org', strength: 0.5 });
  });
});
