import { jest } from '@jest/globals';
import { OwnerEdits } from '../../src/graph/index.js';
import { type Client } from '../support/client.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { codeOf, node, profile } from '../support/worlds/nodes.js';
import { approved, EVERY_VERB } from '../support/worlds/proposals.js';

type Body = Record<string, unknown>;

/** An application may wait for its turn after its comparison: others write meanwhile. */
describe('writes between the comparison of an approval and its application (rule 8.10d)', () => {
  let world: World;
  let alice: TestUser;
  let diary: TestApp;
  let app: Client;
  let rules: Body;
  let ids: { secret: string; bob: string; carol: string; proposal: string };

  const SECRET = 'HIV positive';

  beforeAll(async () => {
    world = await World.startHere();
    diary = await world.app();
  });
  beforeEach(async () => {
    alice = await world.user();
    const tag = (await alice.post('/tags', { name: 'private' })).body.id;
    const mask = { type: 'field_mask', config: { paths: ['value'] }, apply_to: { tag_ids: [tag] } };
    rules = profile(EVERY_VERB, { transformations: [mask] });
    app = await alice.lets(diary, rules);
    const made = async (tags: string[]) => (await node(alice, { value: 'v', tags: [...tags, 'x'] })).id;
    const [secret, bob, carol] = [await made(['private']), await made(['private']), await made([])];
    await relate(secret, bob, 'from the choir');
    const untag = { type: 'REMOVE_TAGS', canonical_data: { node_id: secret, tags: ['private'] } };
    ids = { secret, bob, carol, proposal: await approved(alice, app, untag) };
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const relate = async (from: string, to: string, context: string): Promise<string> => {
    const body = { from_node_id: from, to_node_id: to, relationship_type: 'knows', context };
    return (await alice.post('/relationships', body)).body.id;
  };
  /** Has somebody act between each comparison and the unit of work behind it; the number of times. */
  const beforeUnits = (act: (time: number) => Promise<unknown>) => {
    const { unit } = OwnerEdits.prototype;
    let times = 0;
    jest.spyOn(OwnerEdits.prototype, 'unit').mockImplementation(async function <T>(
      this: OwnerEdits,
      ...given: Parameters<typeof unit<T>>
    ): Promise<T> {
      await act(++times);
      return unit.apply(this, given as never) as Promise<T>;
    });
    return () => times;
  };
  const once = (act: () => Promise<unknown>) =>
    beforeUnits((time) => (time === 1 ? act() : Promise.resolve()));
  const apply = () => app.post(`/proposals/${ids.proposal}/apply`);

  it.each<[string, () => Promise<unknown>]>([
    ['a relationship of the node', () => relate(ids.secret, ids.carol, SECRET)],
    ['the tags of a neighbour', () => alice.put(`/nodes/${ids.bob}`, { tags: ['x'] })],
    ['the value of the node', () => alice.put(`/nodes/${ids.secret}`, { value: SECRET })],
    ['the apps that the user has authorized', async () => void (await alice.lets(await world.app(), rules))],
  ])('a write of %s is compared before anything is applied', async (_what, act) => {
    const times = once(act);
    expect((await apply()).body).toMatchObject({ status: 'FAILED', errors: [{ code: 'NOT_APPLIED' }] });
    expect(times()).toBe(2);
    expect((await alice.get(`/nodes/${ids.secret}`)).body.tags).toContain('private');
  });

  it('a write that shows an app nothing else repeats the comparison and lets the proposal be applied', async () => {
    const times = once(() => alice.post('/tags', { name: 'new' }));
    expect((await apply()).body).toMatchObject({ status: 'APPLIED' });
    expect(times()).toBe(2);
  });

  it('a write of other nodes does not repeat the comparison', async () => {
    const times = once(() => alice.put(`/nodes/${ids.carol}`, { title: 'Carol', value: SECRET }));
    expect((await apply()).body).toMatchObject({ status: 'APPLIED' });
    expect(times()).toBe(1);
  });

  it('a graph that never rests is refused with 503 and its proposal stays approved', async () => {
    beforeUnits((time) => relate(ids.secret, ids.bob, `${time} times`));
    expect(codeOf(await apply())).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await alice.get(`/proposals/${ids.proposal}`)).body.status).toBe('APPROVED');
  });
});
