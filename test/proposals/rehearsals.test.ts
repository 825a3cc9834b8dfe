import { jest } from '@jest/globals';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { StepRunner } from '../../src/proposals/application/step-runner.service.js';
import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { approved, proposed, ready } from '../support/worlds/proposals.js';
import { withAlice } from '../support/worlds/with-world.js';

type Payload = Record<string, unknown>;

describe('a proposal that is to become ready', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.startHere(),
  );
  beforeEach(async () => {
    client = await alice.lets(await world.app());
  });
  afterEach(() => jest.restoreAllMocks());

  const nodes = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    while (ids.length < count) ids.push((await node(alice, { tags: ['old', 'kept'] })).id);
    return ids;
  };
  const related = async (from_node_id: string, to_node_id: string): Promise<string> =>
    (await alice.post('/relationships', { from_node_id, to_node_id, relationship_type: 'knows' })).body.id;
  const batch = (...steps: [type: string, payload: Payload][]) => ({
    type: 'BATCH',
    canonical_data: {},
    actions: steps.map(([type, payload], index) => ({ id: `a${index}`, type, payload })),
  });
  /** True for each step that runs from now on in a unit of work. */
  const unitsOfSteps = (): boolean[] => {
    const { run } = StepRunner.prototype;
    const units = world.nest.get(UnitOfWork);
    const open: boolean[] = [];
    jest.spyOn(StepRunner.prototype, 'run').mockImplementation(function (this: StepRunner, ...given) {
      open.push(units.isOpen);
      return run.apply(this, given);
    });
    return open;
  };

  it('steps of every type are rehearsed outside of units of work, where nothing is locked or written (rule 8.4b)', async () => {
    const [changed, tagged, untagged, gone, target, source] = await nodes(6);
    const [from, to] = (await nodes(2)) as [string, string];
    const [kept, ended] = [await related(from, to), await related(to, from)];
    const body = batch(
      ['CREATE_NODE', { ref: 'made', title: 'made', node_type: 'note', tags: ['new'] }],
      ['UPDATE_NODE', { node_id: changed, changes: { title: 'other' } }],
      ['ADD_TAGS', { node_id: tagged, tags: ['new'] }],
      ['REMOVE_TAGS', { node_id: untagged, tags: ['old'] }],
      ['DELETE_NODE', { node_id: gone }],
      ['MERGE_NODES', { target_node_id: target, source_node_ids: [source] }],
      ['CREATE_RELATIONSHIP', { from_node_id: from, to_node_id: to, relationship_type: 'likes' }],
      ['UPDATE_RELATIONSHIP', { relationship_id: kept, changes: { context: 'new' } }],
      ['DELETE_RELATIONSHIP', { relationship_id: ended }],
    );
    const { id } = await proposed(client, body);
    const open = unitsOfSteps();
    expect((await ready(client, id)).status).toBe(200);
    expect(open).toEqual(Array(9).fill(false));
    expect((await alice.get('/tags?search=new')).body.tags).toEqual([]);
    jest.restoreAllMocks();
    expect((await alice.post(`/proposals/${id}/approve`, {})).status).toBe(200);
    expect((await alice.post(`/proposals/${id}/apply`)).body).toMatchObject({
      status: 'APPLIED',
      errors: [],
      nodes_created: 1,
      relationships_created: 1,
      tags_created: 1,
    });
  });

  it('a step sees what the steps before it would have done, also to relationships that merges move (rule 8.4b)', async () => {
    const [target, source, other] = (await nodes(3)) as [string, string, string];
    const [moved, loop] = [await related(source, other), await related(source, target)];
    const merge: [string, Payload] = ['MERGE_NODES', { target_node_id: target, source_node_ids: [source] }];
    const change = (relationship_id: string): [string, Payload] => [
      'UPDATE_RELATIONSHIP',
      { relationship_id, changes: { context: 'new' } },
    ];
    const verdict = async (...steps: [string, Payload][]) =>
      codeOf(await ready(client, (await proposed(client, batch(...steps))).id));
    expect(await verdict(change(loop), merge)).toEqual([200, undefined]);
    expect(await verdict(merge, change(moved))).toEqual([200, undefined]);
    expect(await verdict(merge, change(loop))).toEqual([404, 'NOT_FOUND']);
    expect(await verdict(merge, ['DELETE_NODE', { node_id: source }])).toEqual([404, 'NODE_NOT_FOUND']);
    expect(await verdict(['DELETE_NODE', { node_id: other }], merge, change(moved))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(await verdict(['DELETE_RELATIONSHIP', { relationship_id: moved }], change(moved))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect((await alice.get(`/nodes/${source}`)).status).toBe(200);
    await approved(alice, client, batch(merge, change(moved)));
  });
});
