import { type TestApp, type TestUser, type World } from '../support/world.js';
import { type Client } from '../support/client.js';
import { deliver, type Receiver, withReceiver } from './receiver.js';

let world: World;
let receiver: Receiver;
let alice: TestUser;
let app: TestApp;
let client: Client;
withReceiver((met) => ({ world, receiver, alice, app, client } = met));

/** Revokes the app's authorizations and grants a new one. @returns a client with its user key */
async function authorizedAgain(): Promise<Client> {
  for (const { id } of (await alice.get('/authorizations')).body.authorizations)
    await alice.delete(`/authorizations/${id}`);
  const { authorization } = await alice.authorizes(app);
  return world.api.with({ 'X-API-Key': authorization.user_key as string });
}

const subscribes = async (by: Client): Promise<number> =>
  (await by.post('/webhooks/subscribe', { webhook_url: receiver.url, events: ['node.created'] })).status;
const writes = async (title: string): Promise<void> => {
  await alice.post('/nodes', { title, node_type: 'note' });
  await deliver(world);
};

describe('a webhook that a user key has made (rule 9.1g)', () => {
  it('a webhook of a user key ends with its authorization, also when the app is authorized again', async () => {
    const key = await authorizedAgain();
    expect(await subscribes(key)).toBe(201);
    await writes('before');
    const next = await authorizedAgain();
    await writes('after');
    await next.post('/webhooks/subscription/test');
    await deliver(world);
    expect(receiver.told).toEqual(['node.created before']);
    expect((await next.get('/webhooks/deliveries')).body.total).toBe(1);
    expect(await subscribes(next)).toBe(200);
    await writes('then');
    expect(receiver.told).toEqual(['node.created before', 'node.created then']);
  });

  it('a proposal webhook of a user key ends with its authorization, and the other set of the app stays', async () => {
    const key = await authorizedAgain();
    await key.post('/proposals/subscribe', { webhook_url: `${receiver.url}/p`, event_types: ['created'] });
    expect(await subscribes(client)).toBe(200);
    await authorizedAgain();
    await writes('of the app');
    const proposal = { type: 'CREATE_NODE', title: 'p', canonical_data: { title: 'p', node_type: 'note' } };
    expect((await client.post('/proposals', proposal)).status).toBe(201);
    await deliver(world);
    expect(receiver.told).toEqual(['node.created of the app']);
  });

  it('a webhook of a user key is shown as disabled and without its address once its authorization has ended', async () => {
    const key = await authorizedAgain();
    expect(await subscribes(key)).toBe(201);
    const seen = async (by: Client, query = '') => (await by.get(`/webhooks/subscription${query}`)).body;
    const active = { status: 'active', webhook_url: receiver.url, events: ['node.created'] };
    const ended = {
      status: 'disabled',
      disabled_reason: 'authorization_ended',
      webhook_url: null,
      events: [],
    };
    expect(await seen(key)).toMatchObject(active);
    for (const { id } of (await alice.get('/authorizations')).body.authorizations)
      await alice.delete(`/authorizations/${id}`);
    expect(await seen(alice, `?app_id=${app.id}`)).toMatchObject(ended);
    const next = await authorizedAgain();
    expect(await seen(alice, `?app_id=${app.id}`)).toMatchObject(ended);
    expect(await seen(next)).toMatchObject(ended);
    expect((await next.post('/webhooks/subscription/enable')).body).toMatchObject(ended);
    expect(await subscribes(next)).toBe(200);
    expect(await seen(next)).toMatchObject({ ...active, disabled_reason: null });
  });

  it('the set of the app stays active beside an ended set of a user key', async () => {
    const key = await authorizedAgain();
    expect(await subscribes(key)).toBe(201);
    await client.post('/proposals/subscribe', { webhook_url: `${receiver.url}/p`, event_types: ['created'] });
    await authorizedAgain();
    const { body } = await client.get('/webhooks/subscription');
    expect(body).toMatchObject({ status: 'active', webhook_url: null, events: [] });
  });
});
