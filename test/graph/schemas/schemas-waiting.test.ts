import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { Receivers } from '../../../src/delivery/infrastructure/receiver.js';
import { JsonSchemaWorkers } from '../../../src/libs/json-schema/workers.js';
import { type Client } from '../../support/client.js';
import { type TestApp, type TestUser, World } from '../../support/world.js';
import { node } from '../../support/worlds/nodes.js';
import { schema } from '../../support/worlds/schemas.js';

/** More than there are connections. */
const MANY = 12;
const BRANCHES = Array.from({ length: 18 }, (_, i) => {
  const $ref = `#/$defs/a${i + 1}`;
  return [`a${i}`, { anyOf: [{ $ref, required: ['zz'] }, { $ref }] }];
});
/** Cheap to check as a schema, and over any budget to validate a value. */
const EXPENSIVE = {
  $ref: '#/$defs/a0',
  $defs: { ...Object.fromEntries(BRANCHES), a18: { type: 'object', required: ['never'] } },
};

const note = (body: object = {}) => ({ title: 'a node', node_type: 'note', ...body });
const keyed = () => ({ headers: { 'Idempotency-Key': randomUUID() } });

/** Blocks all callers until it opens; no other request may have to wait. */
function gate<A extends unknown[], R>(real: (...args: A) => Promise<R>) {
  let [waiting, expected] = [0, Infinity];
  let open: () => void = () => undefined;
  let allCame: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const wait = async (...args: A): Promise<R> => {
    if (++waiting >= expected) allCame();
    await isOpen;
    return real(...args);
  };
  const came = (count: number): Promise<void> =>
    new Promise((resolve) => {
      [expected, allCame] = [count, resolve];
      if (waiting >= count) resolve();
    });
  return { wait, came, open };
}

describe('waiting', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let app: TestApp;
  let assistant: Client;
  let recipe: string;
  let workers: JsonSchemaWorkers;

  beforeAll(async () => {
    world = await World.startHere({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    [alice, bob] = [await world.user(), await world.user()];
    app = await world.app();
    assistant = await alice.lets(app);
    recipe = (await schema(alice)).id as string;
    workers = world.nest.get(JsonSchemaWorkers, { strict: false });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  function gatedWorkers() {
    const made = gate(workers.run.bind(workers));
    jest.spyOn(workers, 'run').mockImplementation(made.wait);
    return made;
  }

  /** Holds neither a connection nor a lock, or no other request would be answered. */
  async function everybodyElseIsServed() {
    const mine = await node(bob);
    expect((await bob.get(`/nodes/${mine.id}`)).status).toBe(200);
    expect((await bob.put(`/nodes/${mine.id}`, { title: 'new' })).status).toBe(200);
  }

  it.each([
    [
      'POST /schemas/:id/validate',
      (id: string) => [`/schemas/${id}/validate`, { metadata: { servings: 1 } }],
    ],
    ['POST /nodes', (id: string) => ['/nodes', note({ schema_id: id, metadata: { servings: 1 } })]],
    [
      'POST /nodes/batch',
      (id: string) => ['/nodes/batch', { nodes: [note({ schema_id: id, metadata: { servings: 2 } })] }],
    ],
    ['POST /schemas', () => ['/schemas', { name: 'Waits', json_schema: { type: 'object' } }]],
  ] as [string, (id: string) => [string, object]][])(
    'a schema check holds no connection, with or without an Idempotency-Key: %s',
    async (_, request) => {
      const [path, body] = request(recipe);
      const { came, open } = gatedWorkers();
      const answers = Array.from({ length: MANY }, () => alice.post(path, body, keyed()));
      await came(MANY);
      await everybodyElseIsServed();
      open();
      for (const { status, text } of await Promise.all(answers)) expect([200, 201, text]).toContain(status);
    },
  );

  it('the lookup of the host name of a receiver holds no connection', async () => {
    const receivers = world.nest.get(Receivers, { strict: false });
    const { wait, came, open } = gate(() => Promise.resolve([{ address: '1.1.1.1', family: 4 }]));
    jest.spyOn(receivers, 'resolve').mockImplementation(wait);
    const body = { webhook_url: 'https://example.org/hook', events: ['node.created'] };
    const answers = Array.from({ length: MANY }, () => assistant.post('/webhooks/subscribe', body, keyed()));
    await came(MANY);
    await everybodyElseIsServed();
    open();
    for (const { status } of await Promise.all(answers)) expect([200, 201]).toContain(status);
  });

  it('requests with one Idempotency-Key have one effect, however many wait at once, and replay the first answer', async () => {
    const { came, open } = gatedWorkers();
    const key = keyed();
    const body = note({ title: 'only one', schema_id: recipe, metadata: { servings: 3 } });
    const sent = Array.from({ length: MANY }, () => alice.post('/nodes', body, key));
    await came(MANY);
    open();
    const answers = await Promise.all(sent);
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body: { id } }) => id)).size).toBe(1);
    for (const {
      status,
      body: { error },
    } of answers.filter((one) => one.status !== 201))
      expect([status, error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
    const again = await alice.post('/nodes', body, key);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(again.body).toEqual(made[0]?.body);
    const { body: list } = await alice.get('/nodes?limit=100');
    expect(list.nodes.filter(({ title }: { title: string }) => title === 'only one')).toHaveLength(1);
  });

  it('all apps of one developer share a turn for a user (rule 5.5c)', async () => {
    const turn = async (client: Client, id = recipe): Promise<string> => {
      const run = jest.spyOn(workers, 'run');
      const answer = await client.post(`/schemas/${id}/validate`, { metadata: { servings: 1 } });
      expect(answer.status).toBe(200);
      const [[person] = []] = run.mock.calls;
      run.mockRestore();
      return person as string;
    };
    const shared = await turn(assistant);
    expect(await turn(await alice.lets(await world.app()))).toBe(shared);
    // Their own requests, and the same app's for another user, have turns of their own.
    const ofBob = (await schema(bob)).id as string;
    const others = [await turn(alice), await turn(bob, ofBob), await turn(await bob.lets(app), ofBob)];
    expect(new Set([shared, ...others]).size).toBe(4);
  });

  it('a key whose answer is stored repeats no check', async () => {
    const key = keyed();
    const body = { ...note(), schema_id: recipe, metadata: { servings: 1 } };
    const create = () => alice.post('/nodes', body, key);
    const first = await create();
    const spy = jest.spyOn(workers, 'run');
    const again = await create();
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(spy).not.toHaveBeenCalled();
  });

  const proposed = (steps: object[]) =>
    assistant.post('/proposals', { title: 'p', type: 'BATCH', actions: steps });
  const ready = (id: string) => assistant.patch(`/proposals/${id}`, { status: 'READY_FOR_APPROVAL' });

  it('trying and applying a proposal locks none of the nodes of the owner during checks', async () => {
    const mine = await node(alice, { schema_id: recipe, metadata: { servings: 1 } });
    const changes = { metadata: { servings: 7 } };
    const { body: proposal } = await proposed([
      { id: 'a', type: 'UPDATE_NODE', payload: { node_id: mine.id, changes } },
      { id: 'b', type: 'UPDATE_NODE', payload: { node_id: mine.id, changes: { metadata: { servings: 8 } } } },
      { id: 'c', type: 'CREATE_NODE', payload: { ...note(), schema_id: recipe, metadata: { servings: 9 } } },
    ]);
    const whileGated = async (request: () => Promise<{ status: number; text: string }>) => {
      const { came, open } = gatedWorkers();
      const answer = request();
      await came(1);
      expect((await alice.put(`/nodes/${mine.id}`, { title: randomUUID() })).status).toBe(200);
      await everybodyElseIsServed();
      open();
      const { status, text } = await answer;
      expect([status, text]).toEqual([200, expect.anything()]);
      jest.restoreAllMocks();
    };
    await whileGated(() => ready(proposal.id));
    expect((await alice.post(`/proposals/${proposal.id}/approve`, {})).status).toBe(200);
    await whileGated(() => alice.post(`/proposals/${proposal.id}/apply`, {}, keyed()));
    const { body: applied } = await alice.get(`/proposals/${proposal.id}`);
    expect(applied.status).toBe('APPLIED');
    expect((await alice.get(`/nodes/${mine.id}`)).body.metadata).toEqual({ servings: 8 });
    await whileGated(() => alice.post(`/proposals/${proposal.id}/revert`, {}, keyed()));
    expect((await alice.get(`/nodes/${mine.id}`)).body.metadata).toEqual({ servings: 1 });
  });

  it('the first action that does not fit is reported, and the others are not checked one by one', async () => {
    const evil = await schema(assistant, { json_schema: EXPENSIVE });
    const { body: proposal } = await proposed(
      Array.from({ length: 40 }, (_, i) => ({
        id: `s${i}`,
        type: 'CREATE_NODE',
        payload: { ...note(), schema_id: evil.id, metadata: { properties: { i } } },
      })),
    );
    const spy = jest.spyOn(workers, 'run');
    const { status, body } = await ready(proposal.id);
    expect([status, body.error.code]).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
    expect(spy.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it('several changes to a node are checked by their result, in order', async () => {
    const mine = await node(alice, { schema_id: recipe, metadata: { servings: 1 } });
    const update = (id: string, servings: unknown) => ({
      id,
      type: 'UPDATE_NODE',
      payload: { node_id: mine.id, changes: { metadata: { servings, cook: id } } },
    });
    const { body: proposal } = await proposed([update('a', 2), update('b', 3)]);
    expect((await ready(proposal.id)).status).toBe(200);
    await alice.post(`/proposals/${proposal.id}/approve`, {});
    // The proposal was valid when it was created, and is no longer.
    const json_schema = { properties: { servings: { maximum: 2 } } };
    expect((await alice.put(`/schemas/${recipe}`, { json_schema })).status).toBe(200);
    const { body } = await alice.post(`/proposals/${proposal.id}/apply`, {});
    expect(body.errors).toMatchObject([{ action_id: 'b', code: 'SCHEMA_VALIDATION_FAILED' }]);
    expect((await alice.get(`/nodes/${mine.id}`)).body.metadata).toEqual({ servings: 2, cook: 'a' });
    await alice.put(`/schemas/${recipe}`, { json_schema: { type: 'object' } });
  });

  it('a concurrent change of a node is not lost during a check', async () => {
    const mine = await node(alice, { schema_id: recipe, metadata: { servings: 1 } });
    const names = Array.from({ length: MANY }, (_, i) => `k${i}`);
    const answers = await Promise.all(
      names.map((name) => alice.patch(`/nodes/${mine.id}`, { metadata: { [name]: 1 } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect(Object.keys((await alice.get(`/nodes/${mine.id}`)).body.metadata)).toEqual(
      expect.arrayContaining(names),
    );
  });
});
