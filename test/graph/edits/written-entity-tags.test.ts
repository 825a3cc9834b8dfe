import { jest } from '@jest/globals';
import { slicesOfShowing } from '../../../src/graph/common/domain/node-view.js';
import { ShownVersions } from '../../../src/graph/nodes/infrastructure/shown-versions.js';
import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile } from '../../support/worlds/nodes.js';
import { versionTag } from '../../support/version-tag.js';

/** A write that has happened is answered, however long its entity tag takes (rule 3.15e). */
describe('ETag', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  let id: string;

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    const masks = { transformations: [{ type: 'field_mask', config: { paths: ['metadata.pin'] } }] };
    const rights = { read: 'all', edit: 'all', discover: 'all' } as const;
    client = await letsIn(world, alice, profile(rights, masks));
    id = (await node(alice, { title: 'first' })).id as string;
  });
  afterEach(() => jest.restoreAllMocks());

  /** Makes each count of versions exceed the time limit of a read: a minute of work counts as done before it. */
  const countSlowly = (): void => {
    const versions = world.nest.get(ShownVersions, { strict: false });
    const stamp = versions.stamp.bind(versions);
    jest.spyOn(versions, 'stamp').mockImplementation(async (access, nodes, slices = slicesOfShowing()) => {
      Object.assign(slices, { spent: 60_000 });
      function* work(): Generator<undefined> {
        for (let end = performance.now() + 10; performance.now() < end;);
        yield;
        yield;
      }
      await slices.run(work());
      return stamp(access, nodes, slices);
    });
  };

  it.each([
    ['put', { title: 'second' }],
    ['patch', { title: 'second' }],
  ] as const)(
    'the entity tag of a write whose versions take long to count is in the answer to %s, where a read is refused',
    async (method, body) => {
      const etag = versionTag(await client.get(`/nodes/${id}`));
      countSlowly();
      expect(codeOf(await client.get(`/nodes/${id}`))).toEqual([503, 'SERVICE_UNAVAILABLE']);
      const written = await client[method](`/nodes/${id}`, body);
      expect(written.status).toBe(200);
      expect([etag, written.headers['etag']]).toEqual([
        expect.stringMatching(/^"1-[\w-]+"$/),
        expect.stringMatching(/^"2-[\w-]+"$/),
      ]);
    },
  );
});
