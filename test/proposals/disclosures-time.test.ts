import { jest } from '@jest/globals';
import { NodePresenter } from '../../src/graph/index.js';
import { Slices } from '../../src/kernel/slices.js';
import { ProposalDisclosures } from '../../src/proposals/application/proposal-disclosures.service.js';
import { type Client } from '../support/client.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { node, profile } from '../support/worlds/nodes.js';
import { batch, EVERY_VERB, proposed } from '../support/worlds/proposals.js';

type Body = Record<string, unknown>;

/** Masks take most of the time of a comparison, and nothing waits for it. */
describe('the disclosures of a proposal, shown through masks (rule 8.10h)', () => {
  let world: World;
  let alice: TestUser;
  let tag: string;

  beforeAll(async () => {
    world = await World.startHere();
  });
  beforeEach(async () => {
    alice = await world.user();
    tag = (await alice.post('/tags', { name: 'private' })).body.id;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const mask = (strategy: string, terms: Body = { tag_ids: [tag] }): Body => ({
    type: 'field_mask',
    config: { paths: ['value'], strategy },
    apply_to: terms,
  });
  const lets = async (transformations: Body[]): Promise<[TestApp, Client]> => {
    const app = await world.app();
    return [app, await alice.lets(app, profile(EVERY_VERB, { transformations }))];
  };
  const secrets = async (count: number): Promise<string[]> => {
    const ids = [];
    while (ids.length < count) ids.push((await node(alice, { value: 'secret', tags: ['private', 'x'] })).id);
    return ids;
  };
  const untagging = async (app: Client, ids: readonly string[]): Promise<string> => {
    const actions = ids.map((node_id): [string, Body] => ['REMOVE_TAGS', { node_id, tags: ['private'] }]);
    return (await proposed(app, batch(...actions))).id;
  };
  const answered = async (id: string): Promise<[apps: unknown[], isComplete: unknown]> => {
    const { disclosures, disclosures_complete } = (await alice.get(`/proposals/${id}/diff`)).body;
    return [(disclosures as { app: Body }[]).map((one) => one.app['id']), disclosures_complete];
  };
  /** The number of states that a diff shows through masks. */
  const statesOf = async (id: string): Promise<[states: number, apps: unknown[]]> => {
    const present = jest.spyOn(NodePresenter.prototype, 'presentState');
    const [apps] = await answered(id);
    const states = present.mock.calls.length;
    jest.restoreAllMocks();
    return [states, apps];
  };

  it('apps that are not compared in time leave the disclosures incomplete', async () => {
    const [first, app] = await lets([mask('remove')]);
    const [second] = await lets([mask('null')]);
    const id = await untagging(app, await secrets(1));
    expect(await answered(id)).toEqual([[first.id, second.id], true]);
    // The first answers are for the first app, its node and its relationships.
    jest
      .spyOn(Slices.prototype, 'spentMs', 'get')
      .mockReturnValue(2_001)
      .mockReturnValueOnce(0)
      .mockReturnValueOnce(0);
    expect(await answered(id)).toEqual([[first.id], false]);
  });

  it('apps with equal rules are compared once, unless a key of each shows in hashes', async () => {
    const [one, app] = await lets([mask('remove')]);
    const id = await untagging(app, await secrets(2));
    const [states] = await statesOf(id);
    const [other] = await lets([mask('remove')]);
    expect(await statesOf(id)).toEqual([states, [one.id, other.id]]);
    const [hashed] = await lets([mask('hash')]);
    const [again] = await lets([mask('hash')]);
    expect(await statesOf(id)).toEqual([3 * states, [one.id, other.id, hashed.id, again.id]]);
  });

  it('masks do not work on nodes of which the rules show the same before and after', async () => {
    const [, app] = await lets([mask('last4', {})]);
    expect((await statesOf(await untagging(app, await secrets(2))))[0]).toBe(0);
  });

  it('other large changes do not wait while disclosures are computed (rule 11.9i)', async () => {
    const [, app] = await lets([mask('remove')]);
    const ids = await secrets(12);
    const id = await untagging(app, ids);
    const { of } = ProposalDisclosures.prototype;
    let isDeleted: unknown;
    jest.spyOn(ProposalDisclosures.prototype, 'of').mockImplementationOnce(async function (
      this: ProposalDisclosures,
      ...given
    ) {
      const found = await of.apply(this, given);
      isDeleted = (await alice.post('/nodes/bulk-delete', { node_ids: ids })).status;
      return found;
    });
    expect((await alice.get(`/proposals/${id}/diff`)).body.disclosures_complete).toBe(true);
    expect(isDeleted).toBe(200);
  });
});
