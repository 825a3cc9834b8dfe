import { jest } from '@jest/globals';
import { OwnerEdits } from '../../src/graph/index.js';
import { EdgeMoves } from '../../src/graph/relationships/application/edge-moves.service.js';
import { ChangeSink } from '../../src/kernel/change-log/change-sink.js';
import { type Answer, type Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { node } from '../support/worlds/nodes.js';
import { changesOf } from './graph-export.js';
import { approved, proposed, ready } from '../support/worlds/proposals.js';

const ROUNDS = Number(process.env.ROUNDS ?? (onPostgres ? 25 : 5));
const CALLERS = 8;
/** A graph that grows with every round would make each of them slower than the one before. */
const ROUNDS_OF_ONE_PERSON = 100;

const GOAL = { title: 'Learn to sail', node_type: 'GOAL' };
const all = (work: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: CALLERS }, (_, index) => work(index)));
const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

/** Eight concurrent callers, many times: an effect happens once and never in part. */
describe(`concurrent requests for a proposal (${ROUNDS} rounds of ${CALLERS} callers)`, () => {
  let world: World;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;

  beforeAll(async () => {
    world = await World.startHere();
    app = await world.app();
    await somebodyElse();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const somebodyElse = async () => {
    alice = await world.user();
    client = await alice.lets(app);
  };
  const rounds = async (work: (round: number) => Promise<void>) => {
    for (let round = 0; round < ROUNDS; round++) {
      if (round % ROUNDS_OF_ONE_PERSON === ROUNDS_OF_ONE_PERSON - 1) await somebodyElse();
      await work(round);
    }
  };
  const by = (index: number) => (index % 2 === 0 ? alice : client);
  const statusOf = async (id: string) => (await alice.get(`/proposals/${id}`)).body.status as string;
  const titled = async (title: string) => (await alice.get(`/nodes?search=${title}`)).body.total as number;
  const TIMEOUT = 60_000 + ROUNDS * 2_000;

  it(
    'concurrent requests approve a proposal once',
    () =>
      rounds(async () => {
        const { id } = await proposed(client, { canonical_data: GOAL });
        await ready(client, id);
        const answers = await all(() => alice.post(`/proposals/${id}/approve`, {}));
        expect([withStatus(answers, 200), withStatus(answers, 409)]).toEqual([1, CALLERS - 1]);
      }),
    TIMEOUT,
  );

  it(
    'concurrent requests apply a proposal once, and as a whole',
    () =>
      rounds(async (round) => {
        const title = `apply-${round}-`;
        const actions = ['one', 'two', 'three'].map((id) => ({
          id,
          type: 'CREATE_NODE',
          payload: { ...GOAL, title: title + id, tags: [`tag-${round}`] },
        }));
        const id = await approved(alice, client, { type: 'BATCH', actions });
        const answers = await all((index) => by(index).post(`/proposals/${id}/apply`));
        expect([withStatus(answers, 200), withStatus(answers, 409)]).toEqual([1, CALLERS - 1]);
        expect([await statusOf(id), await titled(title)]).toEqual(['APPLIED', 3]);
      }),
    TIMEOUT,
  );

  it(
    'concurrent requests delete a proposal or approve and apply it, never both',
    () =>
      rounds(async (round) => {
        const title = `delete-${round}-`;
        const { id } = await proposed(client, { canonical_data: { ...GOAL, title } });
        await ready(client, id);
        const answers = await all(async (index) => {
          if (index % 2 === 0) return client.delete(`/proposals/${id}`);
          await alice.post(`/proposals/${id}/approve`, {});
          return alice.post(`/proposals/${id}/apply`);
        });
        const deleted = withStatus(
          answers.filter((_, index) => index % 2 === 0),
          200,
        );
        const done = withStatus(
          answers.filter((_, index) => index % 2 === 1),
          200,
        );
        expect(deleted + done).toBe(1);
        expect(await titled(title)).toBe(done);
      }),
    TIMEOUT,
  );

  it(
    'concurrent requests apply a proposal or keep an edit of the same field, and lose no edit',
    () =>
      rounds(async () => {
        const a = await node(alice, { title: 'base', value: 'base' });
        const id = await approved(alice, client, {
          type: 'UPDATE_NODE',
          canonical_data: { node_id: a.id, changes: { title: 'proposed' }, base_version: 1 },
        });
        const answers = await all((index) =>
          index === 0
            ? alice.post(`/proposals/${id}/apply`)
            : alice.put(`/nodes/${a.id}`, index === 1 ? { title: 'mine' } : { value: `v${index}` }),
        );
        expect(withStatus(answers, 200)).toBe(CALLERS);
        const { body } = await alice.get(`/nodes/${a.id}`);
        // In either order: the proposal is in conflict, or the edit replaces its values.
        expect(body.title).toBe('mine');
        const status = answers[0]!.body.status;
        const log = await changesOf(world, alice.id, a.id);
        const titles = log.flatMap(({ changed_fields }) => changed_fields?.['title']?.new ?? []);
        expect(titles).toEqual(status === 'APPLIED' ? ['proposed', 'mine'] : ['mine']);
        expect(log.map(({ version }) => version)).toEqual(log.map((_, index) => index + 1));
        expect(body.version).toBe(log.length);
      }),
    TIMEOUT,
  );

  it(
    'concurrent requests merge nodes crosswise without a deadlock, each node into one other',
    () =>
      rounds(async () => {
        const [a, b] = [await node(alice, { title: 'a' }), await node(alice, { title: 'b' })];
        const merge = (target: string, source: string) =>
          approved(alice, client, {
            type: 'MERGE_NODES',
            canonical_data: { target_node_id: target, source_node_ids: [source] },
          });
        const ids = [await merge(a.id, b.id), await merge(b.id, a.id)];
        const answers = await all((index) => alice.post(`/proposals/${ids[index % 2]}/apply`));
        const statuses = answers
          .filter(({ status }) => status === 200)
          .map(({ body }) => body.status as string);
        expect(statuses.sort()).toEqual(['APPLIED', 'FAILED']);
      }),
    TIMEOUT,
  );

  it(
    'concurrent requests undo a proposal once',
    () =>
      rounds(async (round) => {
        const title = `undo-${round}-`;
        const id = await approved(alice, client, { canonical_data: { ...GOAL, title } });
        await alice.post(`/proposals/${id}/apply`);
        const answers = await all(() => alice.post(`/proposals/${id}/revert`));
        expect([withStatus(answers, 200), withStatus(answers, 409)]).toEqual([1, CALLERS - 1]);
        expect(await titled(title)).toBe(0);
      }),
    TIMEOUT,
  );

  it('concurrent requests leave a proposal APPROVED and the graph untouched when applying breaks, at any point', async () => {
    const [a, b] = [await node(alice, { title: 'whole-a' }), await node(alice, { title: 'whole-b' })];
    const id = await approved(alice, client, {
      type: 'BATCH',
      actions: [
        { id: 'u', type: 'UPDATE_NODE', payload: { node_id: a.id, changes: { title: 'half-a' } } },
        { id: 'm', type: 'MERGE_NODES', payload: { target_node_id: a.id, source_node_ids: [b.id] } },
        { id: 'n', type: 'CREATE_NODE', payload: { ...GOAL, title: 'half-n', tags: ['half'] } },
      ],
    });
    const length = (await changesOf(world, alice.id)).length;
    const breaking: [object, string][] = [
      [world.nest.get(OwnerEdits), 'create'],
      [world.nest.get(OwnerEdits), 'change'],
      [world.nest.get(OwnerEdits), 'merge'],
      [world.nest.get(EdgeMoves), 'move'],
      [world.nest.get(ChangeSink), 'flush'],
    ];
    for (const [object, method] of breaking) {
      const whole = (object as Record<string, (...given: unknown[]) => Promise<unknown>>)[method]!.bind(
        object,
      );
      const spy = jest.spyOn(object as Record<string, () => Promise<unknown>>, method);
      spy.mockImplementation(async (...given: unknown[]) => {
        await whole(...given);
        throw new Error('the lights went out');
      });
      expect((await alice.post(`/proposals/${id}/apply`)).status).toBe(500);
      spy.mockRestore();
      expect([await statusOf(id), await titled('half')]).toEqual(['APPROVED', 0]);
      expect((await changesOf(world, alice.id)).length).toBe(length);
    }
    expect((await alice.post(`/proposals/${id}/apply`)).body).toMatchObject({
      status: 'APPLIED',
      errors: [],
    });
    expect(await titled('half')).toBe(2);
  });
});
