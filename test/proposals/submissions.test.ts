import { codeOf, node, tagId } from '../support/worlds/nodes.js';
import { proposer, ready } from '../support/worlds/proposals.js';
import { type Client } from '../support/client.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const GOAL = { title: 'Learn to sail', node_type: 'GOAL' };
const READY = { status: 'READY_FOR_APPROVAL' };
const create = (rest: object = {}) => ({ canonical_data: GOAL, ...rest });

describe('proposals that are submitted as ready', () => {
  let world: World;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    app = await world.app();
    client = await alice.lets(app);
  });

  const events = async (): Promise<[string, string][]> =>
    (await client.get('/proposals/events')).body.events.map(
      ({ event_type, data }: { event_type: string; data: { status: string } }) => [event_type, data.status],
    );

  it('a proposal that is submitted as ready can be approved at once, and has both events (rule 8.4d)', async () => {
    const { status, body, headers } = await client.post('/proposals', create(READY));
    expect([status, body.status, body.revision, headers.etag]).toEqual([201, 'READY_FOR_APPROVAL', 1, '"2"']);
    expect((await alice.get(`/proposals/${body.id}`)).body).toEqual({
      ...body,
      user: { id: alice.id, username: alice.name },
    });
    expect((await ready(client, body.id)).body).toEqual(body);
    expect(await events()).toEqual([
      ['created', 'PENDING'],
      ['ready', 'READY_FOR_APPROVAL'],
    ]);
    expect((await alice.post(`/proposals/${body.id}/approve`, {})).status).toBe(200);
    expect((await client.post(`/proposals/${body.id}/apply`)).body).toMatchObject({ nodes_created: 1 });
  });

  it('a submitted proposal without a status, or with PENDING, is pending', async () => {
    for (const rest of [{}, { status: 'PENDING' }]) {
      const { status, body, headers } = await client.post('/proposals', create(rest));
      expect([status, body.status, headers.etag]).toEqual([201, 'PENDING', '"1"']);
    }
  });

  it.each(['APPROVED', 'REJECTED', 'APPLIED', 'FAILED'])(
    'refuses the status %s of a new proposal, and stores nothing (rule 8.5)',
    async (status) => {
      expect(codeOf(await client.post('/proposals', create({ status })))).toEqual([403, 'PERMISSION_DENIED']);
      expect(codeOf(await client.post('/proposals', create({ status: 'DONE' })))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      expect((await alice.get('/proposals')).body.total).toBe(0);
    },
  );

  it('refuses as ready what PATCH would refuse, with the same code, and stores nothing', async () => {
    const [open, closed] = [await tagId(alice, 'open'), await tagId(alice, 'closed')];
    const [shown, hidden] = [await node(alice, { tags: ['open'] }), await node(alice, { tags: ['closed'] })];
    const narrow = await proposer(world, alice, [open]);
    const update = (node_id: string, changes: object = { value: 'x' }) => ({
      type: 'UPDATE_NODE',
      canonical_data: { node_id, changes },
    });
    const bodies = [
      {},
      update(hidden.id),
      update(ABSENT),
      update(shown.id, { node_type: 'x', meaning_level: 'IDENTITY' }),
      { type: 'REMOVE_TAGS', canonical_data: { node_id: shown.id, tags: [closed] } },
      { type: 'DELETE_RELATIONSHIP', canonical_data: { relationship_id: ABSENT } },
      create({ tags: ['open'], canonical_data: { ...GOAL, schema_id: ABSENT } }),
    ];
    for (const body of bodies) {
      const made = await narrow.post('/proposals', body);
      expect([made.status, made.text]).toEqual([201, made.text]);
      const patched = await ready(narrow, made.body.id);
      const { total } = (await alice.get('/proposals')).body;
      const posted = await narrow.post('/proposals', { ...body, ...READY });
      expect(patched.status).toBeGreaterThanOrEqual(400);
      expect([posted.status, posted.body.error.code, posted.body.error.message]).toEqual([
        patched.status,
        patched.body.error.code,
        patched.body.error.message,
      ]);
      expect((await alice.get('/proposals')).body.total).toBe(total);
    }
    expect((await narrow.post('/proposals', { ...update(shown.id), ...READY })).status).toBe(201);
  });

  it('an Idempotency-Key repeats the answer of a ready proposal and of several', async () => {
    for (const [path, body] of [
      ['/proposals', create(READY)],
      ['/proposals/batch', { proposals: [create(READY), {}, { type: 'x' }] }],
    ] as const) {
      const keyed = client.with({ 'Idempotency-Key': path });
      const { total: before } = (await alice.get('/proposals')).body;
      const [first, second] = [await keyed.post(path, body), await keyed.post(path, body)];
      expect([first.status, first.body]).toEqual([second.status, second.body]);
      const { total: after } = (await alice.get('/proposals')).body;
      expect(after - before).toBe(path === '/proposals' ? 1 : 2);
    }
  });

  describe('POST /proposals/batch', () => {
    const submit = (proposals: unknown, by: Client = client) => by.post('/proposals/batch', { proposals });

    it('several proposals are created together, in their order (rule 8.4e)', async () => {
      const { status, body } = await submit([
        create({ title: 'one' }),
        create(READY),
        { type: 'DELETE_NODE', canonical_data: { node_id: ABSENT } },
      ]);
      expect(status).toBe(201);
      const expected = [
        { index: 0, title: 'one', status: 'PENDING' },
        { index: 1, title: 'Learn to sail', status: 'READY_FOR_APPROVAL' },
        { index: 2, title: 'Delete node', status: 'PENDING' },
      ];
      expect(body).toEqual({
        created: expected.map((one) => ({ ...one, id: expect.any(String), revision: 1 })),
        errors: [],
        summary: { total: 3, created: 3, errors: 0 },
      });
      for (const { id, status: of } of body.created)
        expect((await alice.get(`/proposals/${id}`)).body.status).toBe(of);
      expect((await events()).map(([event]) => event)).toEqual(['created', 'created', 'ready', 'created']);
    });

    it('a refused proposal refuses no other, and is named by its position and code', async () => {
      const open = await tagId(alice, 'open');
      const narrow = await proposer(world, alice, [open]);
      const tagged = create({ tags: ['open'] });
      const { status, body, headers } = await submit(
        [
          tagged,
          { ...tagged, type: 'NOTHING' },
          'no proposal',
          { ...tagged, title: 'done', status: 'APPLIED' },
          { ...tagged, canonical_data: { title: 'x' }, ...READY },
          create({ tags: ['closed'], title: 'closed' }),
          { type: 'DELETE_NODE', canonical_data: { node_id: ABSENT }, ...READY, unknown: 1 },
          { ...tagged, ...READY },
        ],
        narrow,
      );
      expect(status).toBe(200);
      expect(body.created.map(({ index }: { index: number }) => index)).toEqual([0, 7]);
      expect(
        body.errors.map((one: { index: number; title: string; code: string }) => [
          one.index,
          one.title,
          one.code,
        ]),
      ).toEqual([
        [1, null, 'VALIDATION_ERROR'],
        [2, null, 'VALIDATION_ERROR'],
        [3, 'done', 'PERMISSION_DENIED'],
        [4, null, 'VALIDATION_ERROR'],
        [5, 'closed', 'PERMISSION_DENIED'],
        [6, null, 'NODE_NOT_FOUND'],
      ]);
      expect(body.summary).toEqual({ total: 8, created: 2, errors: 6 });
      expect(headers['ignored-fields']).toBe('proposals.6.unknown');
      expect((await alice.get('/proposals')).body.total).toBe(2);
    });

    it('answers 200 and stores nothing when all proposals are refused', async () => {
      const { status, body } = await submit([{ type: 'x' }, null]);
      expect([status, body.summary]).toEqual([200, { total: 2, created: 0, errors: 2 }]);
    });

    it.each([[[]], [Array.from({ length: 51 }, () => create())], ['text'], [undefined], [{}]])(
      'refuses an invalid form or a number outside 1-50 (%#)',
      async (proposals) => {
        expect(codeOf(await submit(proposals))).toEqual([400, 'VALIDATION_ERROR']);
      },
    );

    it('several proposals together have no more actions and existing nodes than one may have', async () => {
      const many = (count: number) =>
        create({ canonical_data: { nodes: Array.from({ length: count }, () => GOAL) } });
      expect((await submit([many(50), many(50)])).status).toBe(201);
      const tooMany = await submit([many(50), many(51)]);
      expect(codeOf(tooMany)).toEqual([400, 'VALIDATION_ERROR']);
      expect(tooMany.body.error.details).toEqual([
        { field: 'proposals', message: 'must not have more than 100 actions together' },
      ]);
      const merge = (from: number) => ({
        type: 'MERGE_NODES',
        canonical_data: {
          target_node_id: idOf(from),
          source_node_ids: Array.from({ length: 50 }, (_, at) => idOf(from + at + 1)),
        },
      });
      expect((await submit([0, 100, 200].map(merge))).status).toBe(201);
      expect(codeOf(await submit([0, 100, 200, 300].map(merge)))).toEqual([400, 'VALIDATION_ERROR']);
      expect((await alice.get('/proposals')).body.total).toBe(5);
    });
  });
});

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
