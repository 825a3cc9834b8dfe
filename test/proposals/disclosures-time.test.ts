import { jest } from '@jest/globals';
import { Slices } from '../../src/kernel/slices.js';
import { World } from '../support/world.js';
import { node, profile } from '../support/worlds/nodes.js';
import { EVERY_VERB, proposed } from '../support/worlds/proposals.js';

type Body = Record<string, unknown>;

describe('the time that masks take in the disclosures of a proposal (rule 8.10h)', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.startHere();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  it('apps that are not compared in time leave the disclosures incomplete', async () => {
    const alice = await world.user();
    const tag = (await alice.post('/tags', { name: 'private' })).body.id;
    const mask = {
      type: 'field_mask',
      config: { paths: ['value'], strategy: 'remove' },
      apply_to: { tag_ids: [tag] },
    };
    const [first, second] = [await world.app(), await world.app()];
    const app = await alice.lets(first, profile(EVERY_VERB, { transformations: [mask] }));
    await alice.lets(second, profile(EVERY_VERB, { transformations: [mask] }));
    const { id: node_id } = await node(alice, { value: 'secret', tags: ['private', 'x'] });
    const removal = { type: 'REMOVE_TAGS', canonical_data: { node_id, tags: ['private'] } };
    const { id } = await proposed(app, removal);
    const answered = async (): Promise<[apps: unknown[], isComplete: unknown]> => {
      const { disclosures, disclosures_complete } = (await alice.get(`/proposals/${id}/diff`)).body;
      return [(disclosures as { app: Body }[]).map((one) => one.app['id']), disclosures_complete];
    };
    expect(await answered()).toEqual([[first.id, second.id], true]);
    // The first answers are for the first app and for its node.
    jest
      .spyOn(Slices.prototype, 'isHalfSpent', 'get')
      .mockReturnValue(true)
      .mockReturnValueOnce(false)
      .mockReturnValueOnce(false);
    expect(await answered()).toEqual([[first.id], false]);
  });
});
