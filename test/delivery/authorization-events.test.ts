import { holdClock, letClockRun } from '../support/moved-clock.js';
import { OAuthWorld } from '../support/oauth.js';
import { type TestApp, type TestUser } from '../support/world.js';
import { deliver, Receiver } from './receiver.js';

const EVENTS = ['authorization.created', 'authorization.changed', 'authorization.revoked'];

describe('events of authorizations (rule 9.4i)', () => {
  let oauth: OAuthWorld;
  let receiver: Receiver;
  let watcher: TestApp;
  let alice: TestUser;
  beforeAll(async () => {
    oauth = await OAuthWorld.startHere();
    watcher = await oauth.world.app();
  });
  afterAll(() => oauth.world.stop());
  beforeEach(async () => {
    receiver = await Receiver.start();
    alice = await oauth.world.user();
    await alice.lets(watcher);
    const subscribed = await alice.post('/webhooks/subscribe', hook());
    expect([subscribed.status, subscribed.body.events]).toEqual([201, EVENTS]);
  });
  afterEach(async () => {
    letClockRun(oauth.world);
    await receiver.stop();
  });

  const hook = () => ({ app_id: watcher.id, webhook_url: receiver.url, events: EVENTS });
  const told = async (): Promise<string[]> => {
    receiver.clear();
    await deliver(oauth.world);
    return receiver.received.map(({ body }) => body.event as string);
  };
  const approved = async (app: { id: string }, more: object = {}): Promise<string> => {
    const exposure_profile_id = await oauth.transparent(alice);
    const { body } = await alice.post('/authorizations', { app_id: app.id, exposure_profile_id, ...more });
    return body.id as string;
  };

  it('a consent, another one, each new term and the end are one event each, with the state of then', async () => {
    const app = await oauth.app();
    const parameters = {
      scope: 'graph:read graph:propose',
      authorization_details: JSON.stringify([
        { type: 'graph_access', actions: ['read', 'propose'], purpose: 'Weekly review' },
      ]),
    };
    const tokens = await oauth.connect(app.id, alice, { parameters });
    const [known] = (await alice.get('/authorizations?status=active')).body.authorizations.filter(
      (one: { app_id: string }) => one.app_id === app.id,
    );
    expect(await told()).toEqual(['authorization.created']);
    const { body: created, text } = receiver.received[0] as (typeof receiver.received)[number];
    expect(created).toEqual({
      event: 'authorization.created',
      timestamp: known.created_at,
      user_id: alice.id,
      data: {
        id: known.id,
        app_id: app.id,
        app_name: 'Reading list',
        client: { name: 'Reading list', host: null, verified: false, kind: 'registered' },
        status: 'active',
        scopes: ['graph:read', 'graph:propose'],
        purpose: 'Weekly review',
        exposure_profile_id: known.exposure_profile_id,
        created_at: known.created_at,
        updated_at: known.created_at,
        expires_at: known.expires_at,
        revoked_at: null,
      },
    });
    expect(text).not.toContain('pig_');

    const path = `/authorizations/${known.id}`;
    const change = async (body: object) => {
      expect((await alice.patch(path, body)).status).toBe(200);
      expect(await told()).toEqual(['authorization.changed']);
      return receiver.received[0]?.body.data;
    };
    expect(await change({ scopes: ['graph:read'] })).toMatchObject({ id: known.id, scopes: ['graph:read'] });
    const profile = await oauth.transparent(alice);
    expect(await change({ exposure_profile_id: profile })).toMatchObject({ exposure_profile_id: profile });
    const expires_at = '2099-01-01T00:00:00.000Z';
    expect(await change({ expires_at })).toMatchObject({ expires_at, status: 'active' });
    expect((await alice.patch(path, { expires_at })).status).toBe(200);
    expect(await told()).toEqual([]);
    await oauth.connect(app.id, alice, { parameters: { scope: 'graph:read graph:create' } });
    expect(await told()).toEqual(['authorization.changed']);
    expect(receiver.received[0]?.body.data).toMatchObject({ scopes: ['graph:read', 'graph:create'] });

    expect((await oauth.refresh(app.id, tokens.refresh_token)).status).toBe(200);
    expect(await told()).toEqual([]);
    await alice.delete(path);
    await alice.delete(path);
    expect(await told()).toEqual(['authorization.revoked']);
    const { data } = receiver.received[0]?.body;
    expect([data.id, data.status, data.revoked_at]).toEqual([known.id, 'revoked', data.updated_at]);
  });

  it('the end by the app itself is an event, and one by the passing of time is none', async () => {
    const clock = holdClock(oauth.world);
    const app = await oauth.world.app();
    await approved(app);
    expect((await app.as(alice).delete('/authorizations/current')).status).toBe(200);
    expect(await told()).toEqual(['authorization.created', 'authorization.revoked']);
    const end = new Date(clock.now.getTime() + 60_000).toISOString();
    const expired = await approved(app, { expires_at: end });
    expect(await told()).toEqual(['authorization.created']);
    clock.advance(61);
    expect((await app.as(alice).get('/nodes')).status).toBe(403);
    expect(await told()).toEqual([]);
    await approved(app);
    // Deliveries that run side by side arrive in any order.
    expect((await told()).sort()).toEqual(['authorization.created', 'authorization.revoked']);
    const ids = new Map(receiver.received.map(({ body }) => [body.event, body.data.id as string]));
    expect(ids.get('authorization.revoked')).toBe(expired);
    expect(ids.get('authorization.created')).not.toBe(expired);
  });

  it('an event that is sent after its app has ended has the name of then and no client', async () => {
    const app = await oauth.app();
    await approved(app);
    await app.developer.delete(`/apps/${app.id}`);
    expect(await told()).toEqual(['authorization.created']);
    expect(receiver.received[0]?.body.data).toMatchObject({ app_name: 'Reading list', client: null });
  });

  it('a client that registered itself is named as one that nothing verifies', async () => {
    const registered = await oauth.world.api.post('//oauth/register', {
      client_name: 'Claude',
      redirect_uris: ['http://127.0.0.1:51234/callback'],
    });
    await oauth.connect(registered.body.client_id, alice, { parameters: { scope: 'graph:read' } });
    expect(await told()).toEqual(['authorization.created']);
    expect(receiver.received[0]?.body.data.client).toEqual({
      name: 'Claude',
      host: null,
      verified: false,
      kind: 'dynamic',
    });
  });

  it("other people's authorizations are no events here, and those of the receiving app end with it", async () => {
    const bob = await oauth.world.user();
    await bob.lets(watcher);
    await bob.lets(await oauth.world.app());
    expect(await told()).toEqual([]);
    const all = (await alice.get('/authorizations')).body.authorizations as { id: string }[];
    for (const { id } of all) await alice.delete(`/authorizations/${id}`);
    expect(await told()).toEqual([]);
  });

  it('keys and tokens cannot name these events, and a key sees none of them and of their deliveries', async () => {
    const key = watcher.as(alice);
    for (const event of EVENTS) {
      const refused = await key.post('/webhooks/subscribe', { webhook_url: receiver.url, events: [event] });
      expect([event, refused.status, refused.body.error.code]).toEqual([event, 400, 'INVALID_EVENT']);
    }
    await approved(await oauth.world.app());
    expect(await told()).toEqual(['authorization.created']);
    const own = await alice.get(`/webhooks/deliveries?app_id=${watcher.id}`);
    expect(own.body.deliveries.map(({ event }: { event: string }) => event)).toEqual([
      'authorization.created',
    ]);
    expect((await key.get('/webhooks/deliveries')).body).toMatchObject({ deliveries: [], total: 0 });
    expect((await key.get('/webhooks/subscription')).body.events).toEqual([]);
    const again = `/webhooks/deliveries/${own.body.deliveries[0].id}/redeliver`;
    expect((await key.post(again)).status).toBe(404);
    expect((await alice.post(`${again}?app_id=${watcher.id}`)).status).toBe(202);
    expect(await told()).toEqual(['authorization.created']);
  });

  it('deliveries that wait are not sent once a key has replaced the subscription', async () => {
    receiver.answer = 500;
    await approved(await oauth.world.app());
    expect(await told()).toEqual(['authorization.created']);
    const key = watcher.as(alice);
    const replaced = { webhook_url: receiver.url, events: ['node.created'] };
    expect((await key.post('/webhooks/subscribe', replaced)).status).toBe(200);
    receiver.answer = 200;
    const clock = holdClock(oauth.world);
    clock.advance(60 * 60);
    expect(await told()).toEqual([]);
  });
});
