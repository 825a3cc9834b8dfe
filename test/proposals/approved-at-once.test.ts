import { jest } from '@jest/globals';
import { DomainError } from '../../src/kernel/errors/domain-error.js';
import { ProposalsRepository } from '../../src/proposals/infrastructure/proposals.repository.js';
import { StepComparisons } from '../../src/proposals/application/step-comparisons.js';
import { StepRunner } from '../../src/proposals/application/step-runner.service.js';
import { type Answer, type Client } from '../support/client.js';
import { codeOf, node, profile, tagId } from '../support/worlds/nodes.js';
import { batch, EVERY_VERB, proposed, ready } from '../support/worlds/proposals.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { changesOf } from './graph-export.js';

const GOAL = { title: 'Learn to sail', node_type: 'GOAL' };

describe('approving with apply', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.startHere(),
  );
  beforeEach(async () => {
    client = await alice.lets(await world.app(), profile(EVERY_VERB));
  });
  afterEach(() => jest.restoreAllMocks());

  const offered = async (body: Record<string, unknown>): Promise<string> => {
    const { id } = await proposed(client, body);
    expect((await ready(client, id)).status).toBe(200);
    return id as string;
  };
  const approve = (id: string, rest: object = {}, by: Client = alice): Promise<Answer> =>
    by.post(`/proposals/${id}/approve`, { apply: true, ...rest });
  const recordOf = async (id: string) => (await alice.get(`/proposals/${id}`)).body;
  const total = async () => (await alice.get('/nodes')).body.total as number;

  it('a proposal is approved and applied by one request, with the result of applying (rule 8.7j)', async () => {
    const id = await offered({ canonical_data: GOAL, tags: ['sea'] });
    const { status, body } = await approve(id, { message: 'fine', expected_revision: 1 });
    expect([status, body]).toEqual([
      200,
      {
        status: 'APPLIED',
        message: 'fine',
        result: {
          nodes_created: 1,
          relationships_created: 0,
          tags_created: 1,
          errors: [],
          created: { node_ids: [expect.any(String)], relationship_ids: [], tag_ids: [expect.any(String)] },
        },
      },
    ]);
    const record = await recordOf(id);
    expect(record).toMatchObject({ status: 'APPLIED', message: 'fine', result: body.result, revision: 1 });
    expect([record.reviewed_at, record.applied_at]).toEqual([expect.any(String), expect.any(String)]);
    const [made] = body.result.created.node_ids;
    const [entry] = (await alice.get(`/nodes/${made}/history`)).body.history;
    expect(entry).toMatchObject({ proposal_id: id, changed_by_type: 'app' });
    const events = (await client.get('/proposals/events')).body.events as { event_type: string }[];
    expect(events.map(({ event_type }) => event_type)).toEqual(['created', 'ready', 'approved', 'applied']);
    expect(codeOf(await approve(id))).toEqual([409, 'INVALID_STATE_TRANSITION']);
    expect((await alice.post(`/proposals/${id}/revert`)).body.undone).toBe(2);
  });

  it('the log has the approval before what it applies, in one transaction', async () => {
    const id = await offered({ canonical_data: GOAL });
    await approve(id);
    const log = (await changesOf(world, alice.id, id)).map(({ action, version }) => [action, version]);
    expect(log).toEqual([
      ['created', 1],
      ['ready', 2],
      ['approved', 3],
      ['applied', 4],
    ]);
  });

  it('only the approved actions are applied, and conflicts are errors of their actions', async () => {
    const [a, b, c] = [await node(alice), await node(alice), await node(alice)];
    const id = await offered(
      batch(
        ...[a, b, c].map(
          ({ id: node_id }) =>
            ['UPDATE_NODE', { node_id, changes: { title: 'new' } }] as [string, Record<string, unknown>],
        ),
      ),
    );
    await alice.put(`/nodes/${b.id}`, { title: 'mine' });
    const { body } = await approve(id, { rejected_actions: ['a2'] });
    expect(body).toMatchObject({
      status: 'APPLIED',
      message: 'Proposal approved and applied',
      result: { errors: [{ action_id: 'a1', code: 'CONFLICT', fields: ['title'] }] },
    });
    const titles = await Promise.all(
      [a, b, c].map(async ({ id: of }) => (await alice.get(`/nodes/${of}`)).body.title),
    );
    expect(titles).toEqual(['new', 'mine', 'a node']);
  });

  it('a proposal of which nothing could be applied has failed, and may be approved again', async () => {
    const { id: node_id } = await node(alice);
    const id = await offered({ type: 'UPDATE_NODE', canonical_data: { node_id, changes: { title: 'new' } } });
    await alice.put(`/nodes/${node_id}`, { title: 'mine' });
    expect((await approve(id)).body).toMatchObject({
      status: 'FAILED',
      message: 'Proposal approved, nothing applied',
      result: { errors: [{ code: 'CONFLICT' }] },
    });
    await alice.put(`/nodes/${node_id}`, { title: 'new' });
    expect((await approve(id)).body.status).toBe('APPLIED');
  });

  it.each([
    ['another revision', { expected_revision: 2 }, [409, 'REVISION_CONFLICT']],
    ['unknown actions', { approved_actions: ['nothing'] }, [400, 'VALIDATION_ERROR']],
    ['a text for apply', { apply: 'yes' }, [400, 'VALIDATION_ERROR']],
  ] as const)('refuses %s as approving does, and applies nothing', async (_, rest, code) => {
    const id = await offered({ canonical_data: GOAL });
    expect(codeOf(await approve(id, rest))).toEqual(code);
    expect([(await recordOf(id)).status, await total()]).toEqual(['READY_FOR_APPROVAL', 0]);
  });

  it('apps and pending proposals are refused, and the proposal stays as it is', async () => {
    const { id } = await proposed(client, { canonical_data: GOAL });
    expect(codeOf(await approve(id))).toEqual([409, 'INVALID_STATE_TRANSITION']);
    await ready(client, id);
    expect(codeOf(await approve(id, {}, client))).toEqual([403, 'PERMISSION_DENIED']);
    expect(codeOf(await approve(id, {}, await world.user()))).toEqual([404, 'NOT_FOUND']);
    expect([(await recordOf(id)).status, await total()]).toEqual(['READY_FOR_APPROVAL', 0]);
  });

  it('a fault while it is applied takes the approval back, too', async () => {
    const id = await offered({ canonical_data: GOAL });
    for (const [error, status] of [
      [new DomainError('SERVICE_UNAVAILABLE', 'planted'), 503],
      [new Error('planted'), 500],
    ] as const) {
      jest.spyOn(StepRunner.prototype, 'run').mockRejectedValueOnce(error);
      expect((await approve(id)).status).toBe(status);
      jest.spyOn(ProposalsRepository.prototype, 'update').mockRejectedValueOnce(error);
      expect((await approve(id)).status).toBe(status);
      expect([(await recordOf(id)).status, await total()]).toEqual(['READY_FOR_APPROVAL', 0]);
    }
    expect((await changesOf(world, alice.id, id)).map(({ action }) => action)).toEqual(['created', 'ready']);
    expect((await approve(id)).body.status).toBe('APPLIED');
  });

  /** Runs this once, when the approval has compared everything and has locked nothing. */
  const whenCompared = (work: () => Promise<unknown>): void => {
    const comparisons = world.nest.get(StepComparisons);
    const of = comparisons.of.bind(comparisons);
    jest.spyOn(comparisons, 'of').mockImplementationOnce(async (...given) => {
      const compared = await of(...given);
      jest.restoreAllMocks();
      await work();
      return compared;
    });
  };

  it('refuses a proposal that its app revises while it is compared', async () => {
    const id = await offered({ canonical_data: GOAL });
    whenCompared(() => ready(client, id, { canonical_data: { ...GOAL, title: 'Something else' } }));
    expect(codeOf(await approve(id))).toEqual([409, 'REVISION_CONFLICT']);
    expect([(await recordOf(id)).revision, await total()]).toEqual([2, 0]);
  });

  it('an edit of its user while a proposal is compared survives as a conflict', async () => {
    const { id: node_id } = await node(alice);
    const id = await offered({ type: 'UPDATE_NODE', canonical_data: { node_id, changes: { title: 'new' } } });
    whenCompared(() => alice.put(`/nodes/${node_id}`, { title: 'mine' }));
    expect((await approve(id)).body).toMatchObject({
      status: 'FAILED',
      result: { errors: [{ code: 'CONFLICT', fields: ['title'] }] },
    });
    expect((await alice.get(`/nodes/${node_id}`)).body.title).toBe('mine');
  });

  it('a value that the diff has not named is shown to no app, though it came after the comparison with the diff', async () => {
    const private_ = await tagId(alice, 'private');
    const mask = { type: 'field_mask', config: { paths: ['value'], strategy: 'remove' } };
    const spy = await alice.lets(
      await world.app(),
      profile(EVERY_VERB, { transformations: [{ ...mask, apply_to: { tag_ids: [private_] } }] }),
    );
    const { id: node_id } = await node(alice, { tags: ['private', 'x'] });
    const id = await offered({ type: 'REMOVE_TAGS', canonical_data: { node_id, tags: ['private'] } });
    expect((await alice.get(`/proposals/${id}/diff`)).status).toBe(200);
    const comparisons = world.nest.get(StepComparisons);
    const of = comparisons.of.bind(comparisons);
    jest.spyOn(comparisons, 'of').mockImplementationOnce(async (...given) => {
      await alice.put(`/nodes/${node_id}`, { value: 'a secret' });
      return of(...given);
    });
    expect(codeOf(await approve(id))).toEqual([409, 'REVISION_CONFLICT']);
    expect((await recordOf(id)).status).toBe('READY_FOR_APPROVAL');
    expect((await spy.get(`/nodes/${node_id}`)).text).not.toContain('secret');
  });

  it('concurrent requests approve and apply a proposal once', async () => {
    const id = await offered({ canonical_data: GOAL });
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => approve(id)),
      alice.post(`/proposals/${id}/approve`, {}),
      client.post(`/proposals/${id}/apply`),
    ]);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { status } = await recordOf(id);
    expect(status).toBe((await total()) === 1 ? 'APPLIED' : 'APPROVED');
    expect(await total()).toBeLessThanOrEqual(1);
  });

  it('an Idempotency-Key applies once and repeats the result', async () => {
    const id = await offered({ canonical_data: GOAL });
    const keyed = alice.with({ 'Idempotency-Key': 'once' });
    const [first, second] = [await approve(id, {}, keyed), await approve(id, {}, keyed)];
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await total()).toBe(1);
  });
});
