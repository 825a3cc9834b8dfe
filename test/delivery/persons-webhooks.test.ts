import { type TestApp, type TestUser, type World } from '../support/world.js';
import { type Client } from '../support/client.js';
import { deliver, type Receiver, withReceiver } from './receiver.js';

let world: World;
let receiver: Receiver;
let alice: TestUser;
let app: TestApp;
let client: Client;
withReceiver((met) => ({ world, receiver, alice, app, client } = met));

const namesOf = (deliveries: { event: string }[]): string[] => deliveries.map(({ event }) => event);

describe("a person's webhook (rule 9.1f)", () => {
  const events = ['node.created', 'share.created', 'share.revoked'];
  beforeEach(async () => {
    const body = { app_id: app.id, webhook_url: `${receiver.url}/private-token`, events };
    expect((await alice.post('/webhooks/subscribe', body)).status).toBe(201);
    const { body: node } = await alice.post('/nodes', { title: 'a', node_type: 'note' });
    const bob = await world.user();
    const terms = { shared_with_user_id: bob.id, scope: 'specific_nodes', node_ids: [node.id] };
    const { body: share } = await alice.post('/sharing', terms);
    await deliver(world);
    await alice.delete(`/sharing/${share.id}`);
    await deliver(world);
  });

  it('a key sees no address, no share events, and no times and failures of their deliveries', async () => {
    const own = (await alice.get(`/webhooks/subscription?app_id=${app.id}`)).body;
    expect(own).toMatchObject({ webhook_url: `${receiver.url}/private-token`, events });
    expect(own.last_delivery_at).not.toBeNull();
    const shown = (await client.get('/webhooks/subscription')).body;
    const hidden = { webhook_url: null, last_delivery_at: null, consecutive_failures: 0 };
    expect(shown).toEqual({ ...own, ...hidden, events: ['node.created'] });
    const enabled = (await client.post('/webhooks/subscription/enable')).body;
    expect(enabled).toEqual({ ...shown, updated_at: expect.any(String) });
  });

  it('a key sees and repeats no deliveries of share events, also once it has replaced the webhook', async () => {
    const whole = (await alice.get(`/webhooks/deliveries?app_id=${app.id}`)).body;
    expect(namesOf(whole.deliveries).sort()).toEqual(events);
    const about = (name: string) =>
      whole.deliveries.find(({ event }: { event: string }) => event === name).id as string;
    const seen = async () => {
      const { body } = await client.get('/webhooks/deliveries?limit=1');
      return [namesOf(body.deliveries), body.total];
    };
    const again = async (name: string) =>
      (await client.post(`/webhooks/deliveries/${about(name)}/redeliver`)).status;
    expect(await seen()).toEqual([['node.created'], 1]);
    expect((await client.get('/webhooks/deliveries?offset=1')).body).toMatchObject({
      deliveries: [],
      total: 1,
    });
    expect([await again('share.created'), await again('node.created')]).toEqual([404, 202]);
    const body = { webhook_url: `${receiver.url}/of-the-app`, events: ['node.created'] };
    expect((await client.post('/webhooks/subscribe', body)).body).toMatchObject(body);
    expect(await seen()).toEqual([['node.created'], 1]);
    expect(await again('share.revoked')).toBe(404);
  });

  it('a key rotates the secret of a webhook that it has made, not of a person', async () => {
    const rotate = () => client.post('/webhooks/subscription/rotate-secret');
    const refused = await rotate();
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
    const body = { webhook_url: receiver.url, events: ['node.created'] };
    expect((await client.post('/webhooks/subscribe', body)).status).toBe(200);
    expect((await rotate()).status).toBe(200);
  });
});
