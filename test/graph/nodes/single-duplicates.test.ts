import { jest } from '@jest/globals';
import { NodesRepository } from '../../../src/graph/nodes/infrastructure/nodes.repository.js';
import { group, withPeople } from '../../support/worlds/people.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { type TestUser, World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { item } from './batches.js';

describe('POST /nodes with on_duplicate', () => {
  let world: World;
  let alice: TestUser;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.startHere(),
  );
  afterEach(() => jest.restoreAllMocks());

  const total = async () => (await alice.get('/nodes')).body.total as number;
  const post = (title: string, on_duplicate: string, rest: Record<string, unknown> = {}, client = alice) =>
    client.post('/nodes', item(title, { on_duplicate, ...rest }));

  it('a duplicate that is skipped is answered with 200 as it is, whatever else the body has (rule 4.9f)', async () => {
    const first = await post('same', 'skip', { tags: ['a'], importance_score: 0.5 });
    expect(first.status).toBe(201);
    const again = await post('same', 'skip', { node_type: 'other', tags: [], metadata: { a: 1 } });
    expect([again.status, again.body, again.headers.etag]).toEqual([200, first.body, '"1"']);
    const different = { value: '' };
    expect((await post('same', 'skip', different)).status).toBe(201);
    expect((await post('same', 'skip', { graph_view: 'neutral' })).status).toBe(201);
    expect(await total()).toBe(3);
  });

  it('a duplicate that is overwritten is answered with 200 and the sent fields', async () => {
    const first = await node(alice, {
      title: 'same',
      tags: ['a'],
      metadata: { old: 1 },
      importance_score: 0.5,
    });
    const again = await post('same', 'overwrite', { metadata: { new: 1 }, tags: ['b'] });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      id: first.id,
      version: 2,
      metadata: { new: 1 },
      tags: ['b'],
      importance_score: 0.5,
    });
    expect(again.headers.etag).toBe('"2"');
    expect((await alice.get(`/nodes/${first.id}`)).body).toEqual(again.body);
    const unchanged = await post('same', 'overwrite', { metadata: { new: 1 } });
    expect([unchanged.status, unchanged.body]).toEqual([200, again.body]);
  });

  it('a second equal node is created where on_duplicate is absent', async () => {
    const [one, other] = [await node(alice, { title: 'same' }), await node(alice, { title: 'same' })];
    expect(one.id).not.toBe(other.id);
    expect(codeOf(await post('same', 'merge'))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('errors of the one node are those of a plain create', async () => {
    await node(alice, { title: 'same', tags: ['a'] });
    for (const way of ['skip', 'overwrite']) {
      expect(codeOf(await post('', way))).toEqual([400, 'VALIDATION_ERROR']);
      expect(codeOf(await post('new', way, { meaning_level: 'IDENTITY' }))).toEqual([
        400,
        'INVALID_NODE_TYPE',
      ]);
      expect(codeOf(await post('new', way, { schema_id: alice.id }))).toEqual([400, 'SCHEMA_NOT_FOUND']);
    }
    expect(codeOf(await post('same', 'overwrite', { tags: [] }))).toEqual([400, 'LAST_TAG_REMOVAL']);
    expect(await total()).toBe(1);
  });

  it('apps meet only duplicates that they can read, by shown values, and overwrite only what they may edit', async () => {
    const [open, secret] = [await tagId(alice, 'open'), await tagId(alice, 'secret')];
    const hidden = await node(alice, { title: 'plan', tags: ['secret'] });
    const shown = await node(alice, { title: 'other plan', tags: ['open'] });
    const app = await letsIn(world, alice, profile({ read: [open], create: [open] }));
    const made = await post('plan', 'overwrite', { tags: ['open'] }, app as TestUser);
    expect([made.status, made.body.id === hidden.id]).toEqual([201, false]);
    expect(codeOf(await post('other plan', 'overwrite', { tags: ['open'] }, app as TestUser))).toEqual([
      403,
      'PERMISSION_DENIED',
    ]);
    const skipped = await post('other plan', 'skip', { tags: ['open'] }, app as TestUser);
    expect([skipped.status, skipped.body]).toEqual([200, (await app.get(`/nodes/${shown.id}`)).body]);
    const masked = await letsIn(
      world,
      alice,
      profile(
        { read: [open, secret], create: [open] },
        { transformations: [{ type: 'field_mask', config: { paths: ['value'], strategy: 'null' } }] },
      ),
    );
    await node(alice, { title: 'diary', value: 'guess me', tags: ['open'] });
    const guess = { value: 'guess me', tags: ['open'] };
    expect((await post('diary', 'skip', guess, masked as TestUser)).status).toBe(201);
  });

  it('concurrent equal creates with on_duplicate create exactly one node', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('same', 'skip')));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await total()).toBe(1);
  });

  it('a duplicate that is deleted before it is read gives way to a new node', async () => {
    const first = await node(alice, { title: 'same' });
    const nodes = world.nest.get(NodesRepository);
    const find = nodes.find.bind(nodes);
    jest.spyOn(nodes, 'find').mockImplementationOnce(async (...given) => {
      expect((await alice.delete(`/nodes/${first.id}`)).status).toBe(204);
      return find(...given);
    });
    const made = await post('same', 'skip');
    expect([made.status, made.body.version]).toEqual([201, 1]);
    expect(made.body.id).not.toBe(first.id);
  });

  it('an Idempotency-Key repeats the answer and its status', async () => {
    const first = await node(alice, { title: 'same' });
    const keyed = alice.with({ 'Idempotency-Key': 'once' });
    const body = item('same', { on_duplicate: 'skip' });
    const answers = [await keyed.post('/nodes', body), await keyed.post('/nodes', body)];
    for (const { status, body: shown } of answers) expect([status, shown.id]).toEqual([200, first.id]);
    const fresh = alice.with({ 'Idempotency-Key': 'other' });
    const made = [1, 2].map(() => item('new', { on_duplicate: 'skip' }));
    const [one, two] = [await fresh.post('/nodes', made[0]), await fresh.post('/nodes', made[1])];
    expect([one.status, two.status, two.body]).toEqual([201, 201, one.body]);
  });

  it('nodes of a group have duplicates among its own nodes', async () => {
    const bob = await world.user();
    const id = await group(alice, [bob]);
    await node(alice, { title: 'map' });
    const path = `/groups/${id}/nodes`;
    const first = await alice.post(path, item('map', { on_duplicate: 'skip' }));
    expect([first.status, first.body.owner_id]).toEqual([201, id]);
    const again = await alice.post(
      path,
      item('map', { on_duplicate: 'overwrite', value: null, tags: ['sea'] }),
    );
    expect([again.status, again.body]).toEqual([
      200,
      { ...first.body, tags: ['sea'], version: 2, updated_at: again.body.updated_at },
    ]);
    expect(codeOf(await bob.post(path, item('map', { on_duplicate: 'skip' })))).toEqual([
      403,
      'PERMISSION_DENIED',
    ]);
  });
});

describe('dates in bodies', () => {
  let alice: TestUser;
  withPeople((people) => ({ alice } = people));

  const LONG_AGO = '2001-01-01T00:00:00Z';
  const refusal = (field: string) => ({
    field,
    message: 'is set by the service, in imports, too; leave it out',
  });

  it.each(['created_at', 'updated_at'])(
    'refuses new nodes and relationships with %s (rule 11.4e)',
    async (field) => {
      const [a, b] = [await node(alice), await node(alice)];
      const edge = { from_node_id: a.id, to_node_id: b.id, relationship_type: 'knows' };
      const id = await group(alice);
      for (const [path, body] of [
        ['/nodes', item('old')],
        [`/groups/${id}/nodes`, item('old')],
        ['/relationships', edge],
      ] as const) {
        const { status, headers, body: answer } = await alice.post(path, { ...body, [field]: LONG_AGO });
        expect([status, answer.error.code, answer.error.details]).toEqual([
          400,
          'VALIDATION_ERROR',
          [refusal(field)],
        ]);
        expect(headers['ignored-fields']).toBeUndefined();
        expect((await alice.post(path, { ...body, [field]: null })).status).toBe(201);
      }
    },
  );

  it('an item of a batch with a date fails alone', async () => {
    const { status, body } = await alice.post('/nodes/batch', {
      nodes: [item('dated', { created_at: LONG_AGO }), item('new'), item('dated', { updated_at: 7 })],
    });
    expect([status, body.summary.created]).toEqual([200, 1]);
    expect(body.errors).toEqual(
      (
        [
          [0, 'created_at'],
          [2, 'updated_at'],
        ] as const
      ).map(([index, field]) => ({
        index,
        title: 'dated',
        code: 'VALIDATION_ERROR',
        error: expect.stringContaining(`${field}: is set by the service`),
      })),
    );
  });

  it('a node that is written back as it was read keeps its dates (rule 4.2a)', async () => {
    const made = await node(alice, { title: 'as read' });
    const { status, body, headers } = await alice.put(`/nodes/${made.id}`, { ...made, value: 'more' });
    expect([status, body.created_at, body.value]).toEqual([200, made.created_at, 'more']);
    expect(headers['ignored-fields']).toContain('created_at');
  });
});
