import { jest } from '@jest/globals';
import { StepRunner } from '../../src/proposals/application/step-runner.service.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

describe('bounds of proposals that are submitted at once (rule 8.4e)', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.startHere(),
  );
  beforeEach(async () => (client = await alice.lets(await world.app())));
  afterEach(() => jest.restoreAllMocks());

  const submit = (proposals: unknown[]) => client.post('/proposals/batch', { proposals });

  it('the changes of several proposals have no longer paths together than those of one may have', async () => {
    const { id: node_id } = await node(alice);
    const leaves = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`a${at}`, 0]));
    const long = {
      type: 'UPDATE_NODE',
      canonical_data: { node_id, changes: { metadata: { ['k'.repeat(13_000)]: leaves } } },
    };
    expect((await submit([long])).status).toBe(201);
    const refused = await submit([long, long]);
    expect(codeOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.error.details).toEqual([
      { field: 'proposals', message: expect.stringContaining('4194304 characters together') },
    ]);
    expect((await alice.get('/proposals')).body.total).toBe(1);
  });

  it('the merges of several ready proposals share the relationships that one may move', async () => {
    const run = jest.spyOn(StepRunner.prototype, 'run');
    const merge = async () => ({
      type: 'MERGE_NODES',
      status: 'READY_FOR_APPROVAL',
      canonical_data: {
        target_node_id: (await node(alice)).id,
        source_node_ids: [(await node(alice)).id],
      },
    });
    expect((await submit([await merge(), await merge(), await merge()])).status).toBe(201);
    const rooms = run.mock.calls.map(([{ room }]) => room);
    expect(rooms).toHaveLength(3);
    expect(new Set(rooms).size).toBe(1);
  });
});
