import { jest } from '@jest/globals';
import { ShownVersions } from '../../src/graph/nodes/infrastructure/shown-versions.js';
import { letsIn, node, profile } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

/** A masked caller's history is of the moment at which its steps were counted (rule 3.14e). */
describe('races (rule 3.14e)', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  let id: string;

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    const masks = { transformations: [{ type: 'field_mask', config: { paths: ['value'] } }] };
    client = await letsIn(world, alice, profile({ read: 'all' }, masks));
    id = (await node(alice, { title: 'first', value: 'secret' })).id as string;
  });
  afterEach(() => jest.restoreAllMocks());

  /** Writes once, after the steps were counted and before anything else is read. */
  const meanwhile = (write: () => Promise<unknown>): void => {
    const versions = world.nest.get(ShownVersions, { strict: false });
    const counted = versions.countedSteps.bind(versions);
    jest.spyOn(versions, 'countedSteps').mockImplementationOnce(async (access) => {
      const steps = await counted(access);
      await write();
      return steps;
    });
  };
  const retitled = () => alice.put(`/nodes/${id}`, { title: 'second' });

  it('a write between the count of shown steps and the history that they number is counted in every later total', async () => {
    meanwhile(retitled);
    const path = `/nodes/${id}/history`;
    expect((await client.get(path)).body).toMatchObject({ total: 1, history: [{ version: 1 }] });
    expect((await client.get(path)).body).toMatchObject({
      total: 2,
      history: [{ version: 2 }, { version: 1 }],
    });
  });

  it('a write between the count of shown steps and the history that they number hides no version at a point in time', async () => {
    meanwhile(retitled);
    const path = `/nodes/${id}/history/at-time?timestamp=2999-01-01T00:00:00Z`;
    const before = await client.get(path);
    expect([before.status, before.body.version, before.body.snapshot?.title]).toEqual([200, 1, 'first']);
    const after = await client.get(path);
    expect([after.status, after.body.version, after.body.snapshot?.title]).toEqual([200, 2, 'second']);
  });
});
