import { jest } from '@jest/globals';
import { JsonSchemaWorkers } from '../../../src/libs/json-schema/workers.js';
import { approved, proposed, ready } from '../../support/worlds/proposals.js';
import { type Client } from '../../support/client.js';
import { everything } from '../../support/defaults.js';
import { type TestUser, World } from '../../support/world.js';
import { codeOf, letsIn, node, profile } from '../../support/worlds/nodes.js';
import { schema } from '../../support/worlds/schemas.js';

const mask = (...paths: string[]) => ({
  transformations: [{ type: 'field_mask', config: { paths, strategy: 'remove' } }],
});
const PIN = mask('metadata.properties.pin');
const LEVELS: [string, Record<string, unknown>][] = [
  ['masked', PIN],
  [
    'masked by null',
    {
      transformations: [
        { type: 'field_mask', config: { paths: ['metadata.properties.pin'], strategy: 'null' } },
      ],
    },
  ],
  [
    'hashed',
    {
      transformations: [
        { type: 'field_mask', config: { paths: ['metadata.properties.pin'], strategy: 'hash' } },
      ],
    },
  ],
  ['below the detail summary', { max_detail_level: 'summary' }],
  ['below the detail minimal', { max_detail_level: 'minimal' }],
];
const rights = {
  read: 'all',
  edit: 'all',
  propose: 'all',
  discover: 'all',
  delete: 'all',
  create: 'all',
} as const;

/** Eighteen levels that double: a value that comes there costs more than any budget. */
const DOUBLING = Object.fromEntries(
  Array.from({ length: 18 }, (_, level) => {
    const $ref = `#/$defs/l${level + 1}`;
    return [`l${level}`, { allOf: [{ $ref }, { $ref }] }];
  }),
);

/** A proposal of one change as one of the actions of a BATCH. */
const action = ({ type, canonical_data: payload }: { type: string; canonical_data: object }) => ({
  type,
  payload,
});

/** The hidden rest of a node is validated neither for a caller nor in the background (rule 3.16). */
describe('validation without a view', () => {
  let world: World;
  let alice: TestUser;
  let jobs: unknown[];

  beforeAll(async () => {
    world = await World.startHere();
  });
  beforeEach(async () => {
    alice = await world.user();
    jobs = [];
    const workers = world.nest.get(JsonSchemaWorkers, { strict: false });
    const run = workers.run.bind(workers);
    jest.spyOn(workers, 'run').mockImplementation((owner, task) => {
      jobs.push(task);
      return run(owner, task);
    });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const app = (rest: Record<string, unknown>): Promise<Client> => letsIn(world, alice, profile(rights, rest));
  const secretive = (pin: string) => node(alice, { metadata: { properties: { colour: 'red', pin } } });
  const pinned = (pattern: object, name = 'pin') => ({ properties: { [name]: pattern } });
  const update = (node_id: string, changes: object, rest: object = {}) => ({
    type: 'UPDATE_NODE',
    canonical_data: { node_id, changes, ...rest },
  });

  /** The answer to a dry run, which leaves nothing behind. */
  const rehearsed = async (client: Client, body: Record<string, unknown>) => {
    const { id } = await proposed(client, body);
    const answer = await ready(client, id);
    await client.delete(`/proposals/${id}`);
    return [...codeOf(answer), answer.body.error?.message, answer.body.error?.details];
  };

  /**
   * The same questions about two nodes that differ only in hidden fields; the answers and the schema jobs
   * of each.
   */
  async function asked(question: (id: string) => Promise<unknown>, pins = ['4711', 'a long way from it']) {
    const seen: unknown[] = [];
    for (const pin of pins) {
      const { id } = await secretive(pin);
      const before = jobs.length;
      const answer = await question(id);
      seen.push(JSON.parse(JSON.stringify({ answer, jobs: jobs.slice(before) }).replaceAll(id, 'ID')));
    }
    return seen;
  }

  it.each(LEVELS)(
    'seventeen proposals do not reveal the hidden rest of a node when it is %s',
    async (_, rest) => {
      const client = await app(rest);
      const { id } = await secretive('4711');
      const guesses = ['', '4', '47', '471'].flatMap((known) => {
        const right = Number('4711'[known.length]);
        return Array.from({ length: right + 1 }, (__, digit) => `^${known}${digit}`);
      });
      const answers = new Set<string>();
      for (const pattern of guesses) {
        const { id: schema_id } = await schema(client, { json_schema: pinned({ pattern }) });
        const changes = { schema_id, metadata: { properties: { colour: `after ${pattern}` } } };
        answers.add(JSON.stringify(await rehearsed(client, update(id, changes))));
      }
      expect(guesses).toHaveLength(17);
      expect([...answers]).toEqual(['[200,null,null,null]']);
      expect((await alice.get('/proposals')).body.total).toBe(0);
    },
  );

  const HARD: [string, object][] = [
    ['pattern', pinned({ pattern: '^4' })],
    ['patternProperties', { patternProperties: { '^p': false } }],
    ['maximum', pinned({ maximum: 5 })],
    ['required', { required: ['pin'] }],
    ['not required', { not: { required: ['pin'] } }],
    ['if', { if: pinned({ const: '4711' }), then: pinned(false as unknown as object, 'colour') }],
  ];

  // A hash is shown, and differs.
  describe.each(LEVELS.filter(([name]) => name !== 'hashed'))('a hidden rest that is %s', (_, rest) => {
    it.each(HARD)('changes neither answers nor schema checks: %s', async (_keyword, json_schema) => {
      const client = await app(rest);
      const { id: schema_id } = await schema(client, { json_schema });
      const [right, wrong] = await asked(async (id) => [
        codeOf(await client.put(`/nodes/${id}`, { schema_id })),
        codeOf(await client.patch(`/nodes/${id}`, { metadata: { properties: { colour: 'x' } } })),
        codeOf(await client.put(`/nodes/${id}`, { metadata: { properties: { pin: '4711' } } })),
        codeOf(await client.patch(`/nodes/${id}`, { schema_id: null, node_type: 'other' })),
        await rehearsed(client, update(id, { schema_id, metadata: { properties: { colour: 'y' } } })),
        await rehearsed(client, update(id, { schema_id, metadata: { properties: { pin: '4711' } } })),
        await rehearsed(client, {
          type: 'BATCH',
          actions: [
            { id: 'a', ...action(update(id, { schema_id })) },
            { id: 'b', ...action(update(id, { metadata: { properties: { pin: '4711' } } })) },
          ],
        }),
      ]);
      expect(right).toEqual(wrong);
      // The jobs contain only the writer's own words.
      expect(JSON.stringify(jobs)).not.toContain('a long way');
    });

    it('costs no time, whatever a schema of the writer makes of it', async () => {
      const client = await app(rest);
      const costly = { if: { pattern: '^47' }, then: { $ref: '#/$defs/l0' } };
      const $defs = { ...DOUBLING, l18: { type: 'string' } };
      const { id: schema_id } = await schema(client, { json_schema: { $defs, ...pinned(costly) } });
      const { id } = await secretive('4711');
      jobs = [];
      expect((await client.put(`/nodes/${id}`, { schema_id })).status).toBe(200);
      const [status] = await rehearsed(client, update(id, { schema_id, title: 'other' }));
      expect([status, jobs]).toEqual([200, []]);
    });
  });

  it('a merge that moves a hidden rest to another node does not validate it', async () => {
    const client = await app({ max_detail_level: 'summary' });
    const { id: schema_id } = await schema(client, { json_schema: pinned({ pattern: '^4' }) });
    const target = await node(client, { schema_id });
    const [right, wrong] = await asked((id) =>
      rehearsed(client, {
        type: 'MERGE_NODES',
        canonical_data: {
          target_node_id: target.id,
          source_node_ids: [id],
          field_choices: { metadata: 'source' },
        },
      }),
    );
    expect(right).toMatchObject({ answer: [200, null, null, null], jobs: [] });
    expect(right).toEqual(wrong);
  });

  it('a guess at the hidden rest passes exactly where another guess does', async () => {
    const client = await app(PIN);
    const { id: schema_id } = await schema(alice, { json_schema: pinned({ minLength: 20 }) });
    for (const pin of ['4711', '4712']) {
      const { id } = await secretive('4711');
      await client.put(`/nodes/${id}`, { schema_id });
      const answer = await client.put(`/nodes/${id}`, { metadata: { properties: { pin } } });
      expect([pin, ...codeOf(answer)]).toEqual([pin, 400, 'SCHEMA_VALIDATION_FAILED']);
    }
  });

  it('size limits do not count the hidden rest against its writer', async () => {
    const client = await app(mask('metadata.diary'));
    const texts = [1_000, 250_000].map((length) => 'x'.repeat(length));
    for (const diary of texts) {
      const { id } = await node(alice, { metadata: { diary } });
      const metadata = { mine: 'y'.repeat(200_000) };
      expect((await client.put(`/nodes/${id}`, { metadata })).status).toBe(200);
      expect(await rehearsed(client, update(id, { metadata: { mine: 'z'.repeat(200_000) } }))).toEqual([
        200,
        undefined,
        undefined,
        undefined,
      ]);
      const over = await client.patch(`/nodes/${id}`, { metadata: { more: 'y'.repeat(100_000) } });
      expect(over.body.error.details).toEqual([
        { field: 'metadata', message: 'must not be larger than 262144 bytes of JSON' },
      ]);
    }
    const { id } = await node(alice, { metadata: { diary: texts[1] } });
    const blind = await app({ max_detail_level: 'summary' });
    expect((await blind.put(`/nodes/${id}`, { metadata: { one: texts[1] } })).status).toBe(200);
    const [beyond] = codeOf(await blind.put(`/nodes/${id}`, { metadata: { two: texts[1] } }));
    expect(beyond).toBe(400);
  });

  it('a proposal applied by the user is validated with the hidden rest, and the app learns only that it was not applied', async () => {
    const client = await app(PIN);
    const { id: schema_id } = await schema(client, { json_schema: pinned({ pattern: '^5' }) });
    const { id } = await secretive('4711');
    const body = update(id, { schema_id, metadata: { properties: { colour: 'blue' } } });
    const proposal = await approved(alice, client, body);
    const outcome = (await alice.post(`/proposals/${proposal}/apply`)).body;
    expect(outcome).toMatchObject({
      status: 'FAILED',
      errors: [{ code: 'SCHEMA_VALIDATION_FAILED', message: expect.stringContaining('/pin') }],
    });
    expect((await client.get(`/proposals/${proposal}`)).body.result.errors).toEqual([
      {
        action_id: 'action-1',
        type: 'UPDATE_NODE',
        code: 'NOT_APPLIED',
        message: 'This action was not applied',
      },
    ]);
  });

  it('a proposal applied by the app is not validated with the hidden rest', async () => {
    const client = await app(PIN);
    const { id: schema_id } = await schema(client, { json_schema: pinned({ pattern: '^5' }) });
    const { id } = await secretive('4711');
    const proposal = await approved(
      alice,
      client,
      update(id, { schema_id, metadata: { properties: { colour: 'blue' } } }),
    );
    const before = jobs.length;
    const outcome = (await client.post(`/proposals/${proposal}/apply`)).body;
    expect(outcome).toMatchObject({ status: 'APPLIED', errors: [] });
    expect(jobs).toHaveLength(before);
    expect((await alice.get(`/nodes/${id}`)).body.metadata.properties).toEqual({
      colour: 'blue',
      pin: '4711',
    });
  });

  it('causes no conflict in a proposal that its app reads and applies', async () => {
    const client = await app(PIN);
    for (const pin of ['4711', '1147']) {
      const { id } = await secretive('0000');
      const words = { metadata: { properties: { colour: 'blue', pin: '4711' } } };
      const proposal = await approved(alice, client, update(id, words, { base_version: 1 }));
      await alice.patch(`/nodes/${id}`, { metadata: { properties: { pin } } });
      expect((await client.get(`/proposals/${proposal}/diff`)).body.conflicts).toBe(0);
      expect((await alice.get(`/proposals/${proposal}/diff`)).body.conflicts).toBe(pin === '4711' ? 0 : 1);
      expect((await client.post(`/proposals/${proposal}/apply`)).body).toMatchObject({
        status: 'APPLIED',
        errors: [],
      });
    }
  });

  it('hidden tags do not save the last tag that the app knows, in a proposal of several actions', async () => {
    const tags = ['one', 'two'];
    const [open, kept] = [await node(alice, { tags }), await node(alice, { tags: [...tags, 'hidden'] })];
    const known = (await alice.get('/tags')).body.tags as { id: string; name: string }[];
    const ids = known.filter(({ name }) => tags.includes(name)).map(({ id }) => id);
    const client = await letsIn(world, alice, profile({ read: ids, propose: ids, discover: ids }));
    for (const { id: node_id } of [open, kept])
      expect(
        await rehearsed(client, {
          type: 'BATCH',
          actions: tags.map((tag) => ({ id: tag, type: 'REMOVE_TAGS', payload: { node_id, tags: [tag] } })),
        }),
      ).toMatchObject([400, 'LAST_TAG_REMOVAL', expect.any(String)]);
  });

  it('only the next write of a field by its owner validates its hidden rest', async () => {
    const client = await app(PIN);
    const { id: schema_id } = await schema(client, { json_schema: pinned({ pattern: '^5' }) });
    const { id } = await secretive('4711');
    expect((await client.put(`/nodes/${id}`, { schema_id })).status).toBe(200);
    expect((await alice.put(`/nodes/${id}`, { title: 'hers' })).status).toBe(200);
    const refused = await alice.patch(`/nodes/${id}`, { metadata: { properties: { colour: 'green' } } });
    expect(refused.body.error.details).toMatchObject([{ field: '/pin' }]);
    expect((await alice.patch(`/nodes/${id}`, { metadata: { properties: { pin: '5' } } })).status).toBe(200);
  });
});

describe('private schemas', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
  });
  afterAll(() => world.stop());

  const OWN = { scope: 'private', private_to: 'app' };
  const whole = profile({ ...rights });

  it('a schema that is private to an app stays the schema of a node that its owner changes, and validates it', async () => {
    const client = await alice.lets(await world.app({ requested: everything }), whole);
    const json_schema = { properties: { count: { type: 'integer' } } };
    const { id: schema_id } = await schema(client, { ...OWN, json_schema });
    const { id } = await node(client, { schema_id, metadata: { properties: { count: 1 } } });
    const metadata = { properties: { count: 2 } };
    expect((await alice.put(`/nodes/${id}`, { schema_id, metadata })).body).toMatchObject({
      schema_id,
      metadata,
    });
    const wrong = await alice.put(`/nodes/${id}`, { metadata: { properties: { count: 'two' } } });
    expect(codeOf(wrong)).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
    const other = await node(alice);
    expect(codeOf(await alice.put(`/nodes/${other.id}`, { schema_id }))).toEqual([400, 'SCHEMA_NOT_FOUND']);
    const batch = await alice.post('/nodes/batch', {
      on_duplicate: 'overwrite',
      nodes: [
        { title: 'a node', node_type: 'note', metadata: { properties: { count: 3 } } },
        { title: 'another', node_type: 'note', schema_id },
      ],
    });
    expect(batch.body.errors).toMatchObject([{ index: 1, code: 'SCHEMA_NOT_FOUND' }]);
  });

  it('a schema that is private to an app can no longer be changed through another account when its owner has revoked the app', async () => {
    const bob = await world.user();
    const itself = await world.app({ requested: everything });
    const [forAlice, forBob] = [await alice.lets(itself, whole), await bob.lets(itself, whole)];
    const made = await schema(forAlice, OWN);
    expect((await forBob.put(`/schemas/${made.id}`, { name: 'for both' })).status).toBe(200);
    const { authorizations } = (await alice.get('/authorizations')).body;
    const own = authorizations.find(({ app_id }: { app_id: string }) => app_id === itself.id);
    expect((await alice.delete(`/authorizations/${own.id}`)).status).toBe(200);
    const version = (await alice.get('/sync/status')).body;
    for (const answer of [
      await forBob.put(`/schemas/${made.id}`, { name: 'still here' }),
      await forBob.delete(`/schemas/${made.id}`),
    ])
      expect(codeOf(answer)).toEqual([403, 'PERMISSION_DENIED']);
    expect((await alice.get('/sync/status')).body).toEqual(version);
    expect((await forBob.get(`/schemas/${made.id}`)).body.name).toBe('for both');
  });
});
