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
});
