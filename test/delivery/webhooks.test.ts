import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Database } from '../../src/kernel/database/database.js';
import { type Client } from '../support/client.js';
import { type everything } from '../support/defaults.js';
import { type holdClock } from '../support/moved-clock.js';
import { outerGlobals } from '../support/outer-globals.js';
import { until } from '../support/until.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { deliver, Receiver, withReceiver } from './receiver.js';

const NODE_EVENTS = ['node.created', 'node.updated', 'node.deleted'];
const note = (title: string, tags: string[] = []) => ({ title, node_type: 'NOTE', tags });

describe('delivery (rule 9)', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let receiver: Receiver;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;
  withReceiver((met) => ({ world, clock, receiver, alice, app, client } = met));
  const subscribe = (body: object = {}, by = client) =>
    by.post('/webhooks/subscribe', { webhook_url: receiver.url, events: NODE_EVENTS, ...body });
  const stateOf = async () => (await client.get('/webhooks/subscription')).body;
  const deliveries = async () => (await client.get('/webhooks/deliveries')).body.deliveries;

  describe('subscribing', () => {
    it('a webhook subscription exists once for an app and a user, and can be made, replaced, read and ended', async () => {
      const made = await subscribe();
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        id: expect.any(String),
        app_id: app.id,
        user_id: alice.id,
        webhook_url: receiver.url,
        events: NODE_EVENTS,
        status: 'active',
        disabled_reason: null,
        consecutive_failures: 0,
        last_delivery_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        secret: expect.stringMatching(/^whsec_/),
      });
      const replaced = await subscribe({ events: ['node.deleted'] });
      expect(replaced.status).toBe(200);
      expect(replaced.body).toMatchObject({ id: made.body.id, events: ['node.deleted'] });
      expect(replaced.body.secret).toBeUndefined();
      const { secret, ...shown } = { ...made.body, events: ['node.deleted'] };
      expect(secret).toBeDefined();
      expect(await stateOf()).toEqual({ ...shown, updated_at: expect.any(String) });
      expect((await client.delete('/webhooks/subscription')).body).toEqual({ message: expect.any(String) });
      expect((await client.get('/webhooks/subscription')).status).toBe(404);
      expect((await client.delete('/webhooks/subscription')).status).toBe(404);
    });

    it.each([
      [{ events: [] }, 'VALIDATION_ERROR'],
      [{ events: ['node.vanished'] }, 'INVALID_EVENT'],
      [{ events: ['share.created'] }, 'INVALID_EVENT'],
      [{ webhook_url: 'no url' }, 'INVALID_WEBHOOK_URL'],
      [{ webhook_url: 'http://example.org/' }, null],
      [{ webhook_url: 'https://10.0.0.1/' }, 'INVALID_WEBHOOK_URL'],
      [{ webhook_url: 'https://metadata.google.internal/' }, 'INVALID_WEBHOOK_URL'],
      [{ webhook_url: '' }, 'INVALID_WEBHOOK_URL'],
      [{ webhook_url: `https://example.org/${'x'.repeat(2_029)}` }, 'INVALID_WEBHOOK_URL'],
      [{ events: [''] }, 'INVALID_EVENT'],
      [{ events: ['x'.repeat(300)] }, 'INVALID_EVENT'],
      [{ secret: 'whsec_short' }, 'VALIDATION_ERROR'],
      [{ secret: 'fifteen bytes !' }, 'VALIDATION_ERROR'],
    ])(
      'a webhook subscription is refused with the code of its fault: %j is answered with %s',
      async (body, code) => {
        const answer = await subscribe(body);
        expect([answer.status, answer.body.error?.code ?? null]).toEqual(
          code === null ? [201, null] : [400, code],
        );
      },
    );

    it('a webhook subscription that a user makes for an authorized app may include share events', async () => {
      const stranger = await world.app();
      expect((await subscribe({}, alice)).body.error.code).toBe('VALIDATION_ERROR');
      expect((await subscribe({ app_id: stranger.id }, alice)).status).toBe(403);
      const made = await subscribe({ app_id: app.id, events: ['share.created', 'created'] }, alice);
      expect(made.status).toBe(201);
      expect(made.body.events).toEqual(['share.created', 'proposal.created']);
      expect((await alice.get(`/webhooks/subscription?app_id=${app.id}`)).body.id).toBe(made.body.id);
    });

    it('a webhook subscription has a second set of events for proposals', async () => {
      const made = await client.post('/proposals/subscribe', {
        event_types: ['approved', 'proposal.failed'],
        webhook_url: receiver.url,
      });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        id: expect.any(String),
        app_id: app.id,
        user_id: alice.id,
        event_types: ['approved', 'failed'],
        webhook_url: receiver.url,
        status: 'active',
        secret: expect.stringMatching(/^whsec_/),
        created_at: expect.any(String),
      });
      const both = await subscribe();
      expect(both.status).toBe(200);
      expect(both.body.id).toBe(made.body.id);
      const again = { event_types: ['rejected'], webhook_url: `${receiver.url}/moved` };
      const replaced = await client.post('/proposals/subscribe', again);
      const { secret, ...shown } = made.body;
      expect(secret).toBeDefined();
      expect([replaced.status, replaced.body]).toEqual([201, { ...shown, ...again }]);
    });

    it('a webhook subscription to proposals refuses addresses and events with the same codes', async () => {
      const wish = { event_types: ['approved'], webhook_url: receiver.url };
      for (const [part, code] of [
        [{ webhook_url: `https://example.org/${'x'.repeat(2_029)}` }, 'INVALID_WEBHOOK_URL'],
        [{ event_types: ['x'.repeat(300)] }, 'INVALID_EVENT'],
        [{ event_types: ['node.created'] }, 'INVALID_EVENT'],
      ] as const) {
        const { status, body } = await client.post('/proposals/subscribe', { ...wish, ...part });
        expect([status, body.error.code]).toEqual([400, code]);
        expect(JSON.stringify(body).length).toBeLessThan(400);
      }
    });

    it('a webhook subscription does not repeat its secret to a repeated request', async () => {
      const headers = { 'Idempotency-Key': 'subscribe once' };
      const body = { webhook_url: receiver.url, events: NODE_EVENTS };
      const first = await client.post('/webhooks/subscribe', body, { headers });
      const second = await client.post('/webhooks/subscribe', body, { headers });
      const { secret, ...shown } = first.body;
      expect(secret).toMatch(/^whsec_/);
      expect([second.status, second.body]).toEqual([201, shown]);
    });

    it('a webhook subscription stores its secret sealed', async () => {
      await subscribe({ secret: 'a secret of ours' });
      const [row] = await world.nest
        .get(Database)
        .dataSource.query('SELECT secret FROM webhook_subscriptions WHERE app_id = $1', [app.id]);
      expect(row.secret).not.toContain('a secret of ours');
    });
  });

  describe('delivering', () => {
    it('a webhook delivery carries the specified headers and those of Standard Webhooks', async () => {
      const { secret } = (await subscribe()).body;
      const { body: node } = await alice.post('/nodes', note('told', ['t']));
      await deliver(world);
      const [{ headers, text, body }] = receiver.received as [(typeof receiver.received)[0]];
      expect(body).toEqual({
        event: 'node.created',
        timestamp: expect.any(String),
        user_id: alice.id,
        data: node,
      });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-service-event': 'node.created',
        'x-service-signature': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
      });
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body);
      expect(await deliveries()).toEqual([
        {
          id: headers['webhook-id'],
          webhook_id: (await stateOf()).id,
          event: 'node.created',
          status: 'succeeded',
          attempts: 1,
          response_status: 200,
          created_at: expect.any(String),
          delivered_at: expect.any(String),
        },
      ]);
    });

    it('a webhook delivery reports creating, changing, deleting and restoring, in order', async () => {
      await subscribe();
      const { body: node } = await alice.post('/nodes', note('one', ['t']));
      await alice.put(`/nodes/${node.id}`, { title: 'two' });
      await alice.delete(`/nodes/${node.id}`);
      await alice.post(`/nodes/${node.id}/restore`);
      await deliver(world);
      expect(receiver.told).toEqual([
        'node.created one',
        'node.updated two',
        'node.deleted deleted',
        'node.created two',
      ]);
      expect(receiver.received[1]?.body.data.changes).toEqual({ title: { old: 'one', new: 'two' } });
      expect(receiver.received[2]?.body.data).toEqual({ id: node.id, node_id: node.id, reason: 'deleted' });
    });

    it('a webhook delivery reports node and model of an embedding, and no numbers', async () => {
      await subscribe({ events: ['node.embedding.updated'] });
      const { body: node } = await alice.post('/nodes', note('embedded', ['t']));
      expect((await alice.put(`/nodes/${node.id}/embedding`, { embedding: [0.1, 0.2] })).status).toBe(200);
      await deliver(world);
      expect(receiver.received.map(({ body }) => body.data)).toEqual([
        { id: node.id, node_id: node.id, model: null, dimensions: 2 },
      ]);
    });

    it('a webhook delivery reports only subscribed events, and no earlier ones', async () => {
      await alice.post('/nodes', note('before', ['t']));
      await subscribe({ events: ['node.deleted'] });
      const { body: node } = await alice.post('/nodes', note('after', ['t']));
      await alice.delete(`/nodes/${node.id}`);
      await deliver(world);
      expect(receiver.told).toEqual(['node.deleted deleted']);
    });

    it('a webhook delivery is retried after 1 and 5 minutes, 30 minutes, 2 and 12 hours, then disables the subscription', async () => {
      await subscribe();
      receiver.answer = 500;
      await alice.post('/nodes', note('stubborn', ['t']));
      await deliver(world);
      for (const [index, seconds] of [60, 300, 1800, 7200, 43_200].entries()) {
        clock.advance(seconds - 1);
        await deliver(world);
        expect(receiver.received).toHaveLength(index + 1);
        clock.advance(1);
        await deliver(world);
        expect(receiver.received).toHaveLength(index + 2);
      }
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(await stateOf()).toMatchObject({
        status: 'disabled',
        disabled_reason: 'delivery_failures',
        consecutive_failures: 6,
      });
      expect(await deliveries()).toMatchObject([{ status: 'failed', attempts: 6, response_status: 500 }]);
    });

    it('a webhook delivery is not sent while disabled, and can be redelivered after enabling', async () => {
      await subscribe();
      receiver.answer = 410;
      await alice.post('/nodes', note('gone', ['t']));
      await deliver(world);
      expect(await stateOf()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
      await alice.post('/nodes', note('meanwhile', ['t']));
      clock.advance(100_000);
      await deliver(world);
      expect(receiver.received).toHaveLength(1);
      const [gone, ...others] = await deliveries();
      expect([gone.status, others]).toEqual(['failed', []]);
      expect((await client.post(`/webhooks/deliveries/${gone.id}/redeliver`)).status).toBe(409);
      expect((await client.post('/webhooks/subscription/enable')).body).toMatchObject({
        status: 'active',
        disabled_reason: null,
        consecutive_failures: 0,
      });
      receiver.answer = 204;
      receiver.clear();
      const again = await client.post(`/webhooks/deliveries/${gone.id}/redeliver`);
      expect([again.status, again.body]).toEqual([202, { delivery_id: gone.id }]);
      await deliver(world);
      expect(receiver.told).toEqual(['node.created gone']);
      expect(receiver.received[0]?.headers['webhook-id']).toBe(gone.id);
    });

    it('a webhook delivery works again, with the same secret, when its subscription is replaced (rule 9.1a)', async () => {
      const { secret } = (await subscribe()).body;
      receiver.answer = 410;
      await alice.post('/nodes', note('gone', ['t']));
      await deliver(world);
      expect((await stateOf()).status).toBe('disabled');
      expect((await subscribe()).body).toMatchObject({ status: 'active', disabled_reason: null });
      receiver.answer = 200;
      receiver.clear();
      await alice.post('/nodes', note('back', ['t']));
      await deliver(world);
      const [{ headers, text }] = receiver.received as [(typeof receiver.received)[0]];
      const signature = createHmac('sha256', secret).update(text).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${signature}`);
    });

    it('a webhook delivery without an answer after five seconds is a failed attempt (rule 9.2a)', async () => {
      await subscribe();
      receiver.answer = 'hang';
      await alice.post('/nodes', note('patience', ['t']));
      const { setTimeout: set } = outerGlobals;
      const abort: (() => void)[] = [];
      outerGlobals.setTimeout = ((work: () => void, ms: number) => {
        if (ms > 4_000 && ms <= 5_000) abort.push(work);
        return set(work, ms);
      }) as typeof set;
      try {
        const delivered = deliver(world);
        await until(() => receiver.received.length === 1 && abort.length > 0, 'the receiver is waited for');
        for (const end of abort) end();
        await delivered;
      } finally {
        outerGlobals.setTimeout = set;
      }
      expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 1, response_status: null }]);
    });

    it('a webhook delivery that cannot be made is retried and ends without blaming the receiver', async () => {
      await subscribe();
      await world.nest
        .get(Database)
        .dataSource.query("UPDATE webhook_subscriptions SET secret = 'not sealed' WHERE app_id = $1", [
          app.id,
        ]);
      await alice.post('/nodes', note('unsigned', ['t']));
      await deliver(world);
      expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 1, response_status: null }]);
      for (const seconds of [60, 300, 1800, 7200, 43_200]) {
        clock.advance(seconds);
        await deliver(world);
      }
      expect(await deliveries()).toMatchObject([{ status: 'failed', attempts: 6, response_status: null }]);
      expect(await stateOf()).toMatchObject({ status: 'active', consecutive_failures: 0 });
      expect(receiver.received).toHaveLength(0);
    });

    it('a webhook delivery does not follow redirects', async () => {
      await subscribe();
      const elsewhere = await Receiver.start();
      receiver.answer = 302;
      receiver.redirectTo = elsewhere.url;
      await alice.post('/nodes', note('led astray', ['t']));
      await deliver(world);
      expect(elsewhere.received).toHaveLength(0);
      expect((await stateOf()).consecutive_failures).toBe(1);
      await elsewhere.stop();
    });

    it('a webhook delivery can be tested with a test event', async () => {
      await subscribe();
      const { status, body } = await client.post('/webhooks/subscription/test');
      expect(status).toBe(202);
      await deliver(world);
      expect(receiver.received[0]?.headers['webhook-id']).toBe(body.delivery_id);
      expect(receiver.received[0]?.body.event).toBe('webhook.test');
    });

    it('a webhook delivery is signed with both secrets for a day after a rotation', async () => {
      const { secret: older } = (await subscribe()).body;
      const { secret: newer } = (await client.post('/webhooks/subscription/rotate-secret')).body;
      const headersOf = async () => {
        receiver.clear();
        await client.post('/webhooks/subscription/test');
        await deliver(world);
        const [{ headers, text }] = receiver.received as [(typeof receiver.received)[0]];
        const single = createHmac('sha256', newer).update(text).digest('hex');
        expect(headers['x-service-signature']).toBe(`sha256=${single}`);
        return headers['webhook-signature'] as string;
      };
      expect((await headersOf()).split(' ')).toHaveLength(2);
      expect(newer).not.toBe(older);
      clock.advance(24 * 3600);
      expect((await headersOf()).split(' ')).toHaveLength(1);
    });
  });

  describe('shares and proposals', () => {
    const hookOf = async (user: TestUser, at: Receiver) => {
      await user.lets(app);
      const events = ['share.created', 'share.revoked'];
      expect(
        (await user.post('/webhooks/subscribe', { webhook_url: at.url, events, app_id: app.id })).status,
      ).toBe(201);
    };

    it('webhooks about shares and proposals report a share to its sharer and recipient, with the nodes that each app can read', async () => {
      const [bob, other] = [await world.user(), await Receiver.start()];
      await hookOf(alice, receiver);
      await hookOf(bob, other);
      const { body: node } = await alice.post('/nodes', note('shared', ['t']));
      const { body: share } = await alice.post('/sharing', {
        shared_with_user_id: bob.id,
        scope: 'specific_nodes',
        node_ids: [node.id],
        can_read: true,
      });
      await deliver(world);
      await alice.delete(`/sharing/${share.id}`);
      await deliver(world);
      for (const each of [receiver, other]) {
        expect(each.received.map(({ body }) => body.event)).toEqual(['share.created', 'share.revoked']);
        expect(each.received[0]?.body.data).toMatchObject({ id: share.id, shared_with_user_id: bob.id });
        expect(each.received[1]?.body.data).toEqual({ id: share.id, share_id: share.id });
      }
      expect(receiver.received[0]?.body.data.node_ids).toEqual([node.id]);
      expect(other.received[0]?.body.data.node_ids).toEqual([]);
      const created = receiver.received[0]?.headers['webhook-id'] as string;
      const about = `?app_id=${app.id}`;
      receiver.clear();
      expect((await alice.post(`/webhooks/deliveries/${created}/redeliver${about}`)).status).toBe(202);
      await deliver(world);
      expect(receiver.received).toEqual([]);
      await other.stop();
    });

    it('webhooks about shares and proposals report a proposal to the app that made it, with the nodes it made', async () => {
      const events = ['created', 'ready', 'approved', 'applied'];
      await client.post('/proposals/subscribe', { event_types: events, webhook_url: receiver.url });
      const stranger = await alice.lets(await world.app());
      const elsewhere = await Receiver.start();
      await stranger.post('/proposals/subscribe', { event_types: events, webhook_url: elsewhere.url });
      const { body: proposal } = await client.post('/proposals', {
        title: 'a thought',
        canonical_data: note('proposed', ['t']),
      });
      await client.patch(`/proposals/${proposal.id}`, { status: 'READY_FOR_APPROVAL' });
      await alice.post(`/proposals/${proposal.id}/approve`);
      await client.post(`/proposals/${proposal.id}/apply`);
      await deliver(world);
      expect(receiver.received.map(({ body }) => body.event)).toEqual(
        events.map((event) => `proposal.${event}`),
      );
      expect(receiver.received[2]?.body.data).toMatchObject({ id: proposal.id, created_nodes: [] });
      expect(receiver.received[3]?.body.data.created_nodes).toMatchObject([
        { title: 'proposed', tags: ['t'] },
      ]);
      expect(elsewhere.received).toHaveLength(0);
      await elsewhere.stop();
    });
  });

  describe('hidden changes', () => {
    const tagsOf = async (user: TestUser, names: string[]) =>
      Promise.all(names.map(async (name) => (await user.post('/tags', { name })).body.id as string));
    const reading = (...ids: string[]) => {
      const read = { tag_ids: ids, allow_all: false };
      const schema_permissions = { read: { schema_ids: ['__freeform__'], allow_all: false } };
      return { tag_permissions: { discover: read, read }, schema_permissions };
    };
    const readingApp = () =>
      world.app({
        requested: {
          tags: { discover: true, read: true },
          schemas: { read: { schema_ids: ['__freeform__'], allow_all: false } },
        } as unknown as typeof everything,
      });

    it('a change that the app may not know appears neither in an event nor in the list of deliveries', async () => {
      const [open] = await tagsOf(alice, ['open', 'secret']);
      const narrow = await alice.lets(await readingApp(), reading(open as string));
      await subscribe({}, narrow);
      await alice.post('/nodes', note('hidden', ['secret']));
      const { body: node } = await alice.post('/nodes', note('shown', ['open', 'secret']));
      await alice.put(`/nodes/${node.id}`, { tags: ['open'] });
      await deliver(world);
      expect(receiver.told).toEqual(['node.created shown']);
      expect(receiver.received[0]?.body.data).toMatchObject({ tags: ['open'], version: 1 });
      expect((await narrow.get('/webhooks/deliveries')).body.total).toBe(1);
      await alice.put(`/nodes/${node.id}`, { title: 'renamed' });
      await deliver(world);
      expect(receiver.received[1]?.body.data).toMatchObject({ title: 'renamed', version: 2 });
    });

    it('a change that the app may not know of visibility begins with node.created and ends with access_removed', async () => {
      const [open] = await tagsOf(alice, ['open', 'secret']);
      const narrow = await alice.lets(await readingApp(), reading(open as string));
      await subscribe({}, narrow);
      const { body: node } = await alice.post('/nodes', note('moves', ['secret']));
      await alice.put(`/nodes/${node.id}`, { tags: ['open', 'secret'] });
      await deliver(world);
      await alice.put(`/nodes/${node.id}`, { title: 'moved' });
      await deliver(world);
      await alice.put(`/nodes/${node.id}`, { tags: ['secret'] });
      await deliver(world);
      await alice.put(`/nodes/${node.id}`, { title: 'unseen' });
      await alice.delete(`/nodes/${node.id}`);
      await deliver(world);
      expect(receiver.told).toEqual([
        'node.created moves',
        'node.updated moved',
        'node.deleted access_removed',
      ]);
    });

    it('a change that the app may not know is not sent after a revocation, even if its delivery was already waiting', async () => {
      await subscribe();
      receiver.answer = 500;
      await alice.post('/nodes', note('waits', ['t']));
      await deliver(world);
      expect(receiver.received).toHaveLength(1);
      const { body } = await alice.get('/authorizations');
      await alice.delete(`/authorizations/${body.authorizations[0].id}`);
      receiver.answer = 200;
      clock.advance(60);
      await alice.post('/nodes', note('later', ['t']));
      await deliver(world);
      expect(receiver.received).toHaveLength(1);
    });

    it('a change that the app may not know is cut in webhook bodies to the current detail level and transformations', async () => {
      const profile = {
        ...reading(),
        tag_permissions: {
          read: { tag_ids: [], allow_all: true },
          discover: { tag_ids: [], allow_all: true },
        },
        transformations: [{ type: 'pii_redaction' }],
      };
      const narrow = await alice.lets(await readingApp(), profile);
      await subscribe({}, narrow);
      const { body: node } = await alice.post('/nodes', note('write to a@example.org', ['t']));
      await alice.put(`/nodes/${node.id}`, { title: 'write to b@example.org' });
      await alice.put(`/nodes/${node.id}`, { value: 'call me' });
      await deliver(world);
      expect(receiver.told).toEqual([
        'node.created write to [REDACTED:email]',
        'node.updated write to [REDACTED:email]',
      ]);
      expect(receiver.received[1]?.body.data).toMatchObject({
        version: 2,
        changes: { value: { old: null, new: 'call me' } },
      });
    });
  });
});
