import { ChangeWaits } from '../../src/kernel/waiting/change-waits.service.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

const create = { canonical_data: { title: 'Learn to sail', node_type: 'GOAL' } };

describe('waiting for events of proposals (rule 8.8d)', () => {
  let world: World;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    app = await world.app();
    client = await alice.lets(app);
  });

  /** A waiting poll, after it has begun to wait. */
  async function waiting(by: Client, query: string) {
    const waits = world.nest.get(ChangeWaits);
    const begun = new Promise<void>((resolve) => {
      const wait = waits.wait.bind(waits);
      waits.wait = (...given) => {
        waits.wait = wait;
        resolve();
        return wait(...given);
      };
    });
    const answer = by.get(`/proposals/events?${query}`);
    await begun;
    return { answer };
  }

  it('a waiting poll answers with the next event of its app, and not with other changes', async () => {
    const { cursor } = (await client.get('/proposals/events')).body;
    const { answer } = await waiting(client, `after=${cursor}&wait=30`);
    await node(alice, { title: 'no event' });
    const made = await client.post('/proposals', create);
    const { status, body } = await answer;
    expect([status, body.events.length, body.events[0].proposal_id]).toEqual([200, 1, made.body.id]);
    const again = await client.get(`/proposals/events?after=${body.cursor}`);
    expect(again.body.events).toEqual([]);
  });

  it('a waiting poll of the user hears of the proposals of all apps', async () => {
    const { answer } = await waiting(alice, 'wait=30');
    const made = await client.post('/proposals', create);
    expect((await answer).body.events[0].proposal_id).toBe(made.body.id);
  });

  it('a poll does not wait where there are events already, and ends empty after its time', async () => {
    await client.post('/proposals', create);
    const { events, cursor } = (await client.get('/proposals/events?wait=30')).body;
    expect(events).toHaveLength(1);
    const { body } = await client.get(`/proposals/events?wait=1&after=${cursor}`);
    expect([body.events, body.has_more]).toEqual([[], false]);
  });

  it('a waiting poll ends with the authorization of its app', async () => {
    const { answer } = await waiting(client, 'wait=30');
    const { authorizations } = (await alice.get('/authorizations')).body;
    await alice.delete(`/authorizations/${authorizations[0].id}`);
    expect(codeOf(await answer)).toEqual([403, 'PERMISSION_DENIED']);
  });

  it.each(['-1', '31', 'x', '1.5', ''])('a poll that waits %j seconds is refused', async (wait) => {
    expect(codeOf(await client.get(`/proposals/events?wait=${wait}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
