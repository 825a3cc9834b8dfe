import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { DeliveryWorker } from '../../src/delivery/application/delivery-worker.js';
import { EventBodies } from '../../src/delivery/application/event-body.service.js';
import { Leases } from '../../src/delivery/application/leases.js';
import { type Delivery } from '../../src/delivery/domain/subscription.js';
import { DeliveriesRepository } from '../../src/delivery/infrastructure/deliveries.repository.js';
import { Receivers } from '../../src/delivery/infrastructure/receiver.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { type Client } from '../support/client.js';
import { type holdClock } from '../support/moved-clock.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { deliver, Receiver, withReceiver } from './receiver.js';

const EVENTS = ['node.created', 'node.updated', 'node.deleted'];
const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];

/** Events are sent only by explicit calls. The receiver's name is looked up while the message is already being made. */
describe('the last moment (rule 9.4)', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let receiver: Receiver;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;
  withReceiver((met) => ({ world, clock, receiver, alice, app, client } = met), { WEBHOOK_WORKERS: 'false' });
  beforeEach(() => subscribe(named(receiver)));
  afterEach(() => void jest.restoreAllMocks());
  const named = ({ url }: Receiver) => url.replace('127.0.0.1', 'hooks.localhost');
  const subscribe = async (webhook_url: string) =>
    expect([200, 201]).toContain(
      (await client.post('/webhooks/subscribe', { webhook_url, events: EVENTS })).status,
    );
  const create = async (title: string): Promise<string> =>
    (await alice.post('/nodes', { title, value: 'in full', node_type: 'NOTE' })).body.id;
  const authorization = async () => (await alice.get('/authorizations')).body.authorizations[0];
  const revoke = async () =>
    expect((await alice.delete(`/authorizations/${(await authorization()).id}`)).status).toBe(200);
  const deliveries = async () => (await client.get('/webhooks/deliveries')).body.deliveries;
  /** Does something during the next look-up of the receiver's name; further look-ups wait for it. */
  const whileReached = (deed: () => unknown) => {
    let done: Promise<unknown> | undefined;
    jest.spyOn(world.nest.get(Receivers), 'resolve').mockImplementation(async () => {
      await (done ??= Promise.resolve(deed()));
      return LOOPBACK;
    });
  };

  it('nothing that is revoked while the receiver is being connected is sent', async () => {
    await create('revoked');
    whileReached(revoke);
    await deliver(world);
    expect(receiver.received).toEqual([]);
  });

  it('a test event is dropped if its app is revoked while the receiver is being connected', async () => {
    expect((await client.post('/webhooks/subscription/test')).status).toBe(202);
    whileReached(revoke);
    await deliver(world);
    expect(receiver.received).toEqual([]);
    await alice.lets(app);
    await deliver(world);
    expect([receiver.received, await deliveries()]).toEqual([[], []]);
  });

  it('nothing is sent if the authorization expires while the receiver is being connected', async () => {
    const { exposure_profile_id } = await authorization();
    const expires_at = new Date(clock.now.getTime() + 60_000).toISOString();
    await alice.post('/authorizations', { app_id: app.id, exposure_profile_id, expires_at });
    await create('ends');
    whileReached(() => clock.advance(61));
    await deliver(world);
    expect(receiver.received).toEqual([]);
  });

  it('nothing is sent if the authorization expires during the last check', async () => {
    const { exposure_profile_id } = await authorization();
    const expires_at = new Date(clock.now.getTime() + 60_000).toISOString();
    await alice.post('/authorizations', { app_id: app.id, exposure_profile_id, expires_at });
    await create('ends');
    const leases = world.nest.get(Leases);
    const held = leases.held.bind(leases);
    whileReached(() =>
      jest.spyOn(leases, 'held').mockImplementation(async (...asked) => {
        const subscription = await held(...asked);
        clock.advance(61);
        return subscription;
      }),
    );
    await deliver(world);
    expect(receiver.received).toEqual([]);
  });

  it.each([
    ['deleted', (id: string) => alice.delete(`/nodes/${id}`)],
    ['hidden', (id: string) => alice.put(`/nodes/${id}`, { tags: ['hidden'] })],
  ])(
    'a node that is %s while the receiver is being connected is not sent, after any number of repeated drafts',
    async (_, end) => {
      const tag = (await alice.post('/tags', { name: 'hidden' })).body.name;
      const profile = `/exposure-profiles/${(await authorization()).exposure_profile_id}`;
      await alice.put(profile, { tag_filters: { exclude_any: [tag] } });
      const id = await create('made anew');
      const bodies = world.nest.get(EventBodies);
      const made = bodies.of.bind(bodies);
      let times = 0;
      jest.spyOn(bodies, 'of').mockImplementation(async (...asked) => {
        const body = await made(...asked);
        times += 1;
        if (times < 4) await alice.put(`/nodes/${id}`, { title: `made anew ${times}` });
        else if (times === 4) await end(id);
        return body;
      });
      await deliver(world);
      expect(times).toBeGreaterThanOrEqual(4);
      expect(receiver.told.filter((told) => !told.startsWith('node.deleted'))).toEqual([]);
    },
  );

  it('the state of a node at the time of writing to the receiver is sent', async () => {
    const [kept, gone] = [await create('before'), await create('gone')];
    const profile = `/exposure-profiles/${(await authorization()).exposure_profile_id}`;
    whileReached(async () => {
      expect((await alice.put(profile, { max_detail_level: 'summary' })).status).toBe(200);
      await alice.delete(`/nodes/${gone}`);
    });
    await deliver(world);
    const created = receiver.received.filter(({ body }) => body.event === 'node.created');
    expect(created.map(({ body }) => body.data.id)).toEqual([kept]);
    expect(created[0]?.body.data).not.toHaveProperty('value');
  });

  it('a message that changes while its receiver is being connected is made again over the same connection', async () => {
    const id = await create('before');
    let connections = 0;
    receiver.onConnection(() => (connections += 1));
    whileReached(() => alice.put(`/nodes/${id}`, { title: 'while reached' }));
    await deliver(world);
    expect(receiver.told).toEqual(['node.created before', 'node.updated while reached']);
    expect(connections).toBe(2);
  });

  it('a webhook does not wait for drafts of other messages', async () => {
    const [other, user] = [await Receiver.start(), await world.user()];
    const another = await user.lets(app);
    await another.post('/webhooks/subscribe', { webhook_url: other.url, events: EVENTS });
    await create('reached');
    const bodies = world.nest.get(EventBodies);
    const made = bodies.of.bind(bodies);
    const worker = world.nest.get(DeliveryWorker);
    whileReached(async () => {
      await user.post('/nodes', { title: 'drafted', node_type: 'NOTE' });
      await new Promise<void>((hasBegun) => {
        jest.spyOn(bodies, 'of').mockImplementation(async (...asked) => {
          hasBegun();
          while (receiver.received.length === 0) await setImmediate();
          return made(...asked);
        });
        void worker.look();
      });
    });
    await deliver(world);
    // Deliveries that have begun meanwhile are awaited as well.
    await deliver(world);
    expect([receiver.told, other.told]).toEqual([['node.created reached'], ['node.created drafted']]);
    await other.stop();
  });

  it('a receiver that hangs up because of our delay is not blamed, and the delivery is retried', async () => {
    await create('kept waiting');
    const connections: Socket[] = [];
    receiver.onConnection((socket) => connections.push(socket));
    const leases = world.nest.get(Leases);
    const held = leases.held.bind(leases);
    const now = performance.now.bind(performance);
    jest.spyOn(leases, 'held').mockImplementation(async (...asked) => {
      if (connections.length === 1 && connections[0]?.destroyed === false) {
        connections[0].destroy();
        jest.spyOn(performance, 'now').mockImplementation(() => now() + 1_100);
        // Gives the notification time to arrive here.
        for (let turn = 0; turn < 200; turn++) await setImmediate();
      }
      return held(...asked);
    });
    await deliver(world);
    expect(receiver.told).toEqual(['node.created kept waiting']);
    expect(await deliveries()).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect((await client.get('/webhooks/subscription')).body.consecutive_failures).toBe(0);
  });

  it('an address that is replaced while it is being connected is not called', async () => {
    const other = await Receiver.start();
    await create('for one');
    whileReached(() => subscribe(other.url));
    await deliver(world);
    expect([receiver.told, other.told]).toEqual([[], ['node.created for one']]);
    await other.stop();
  });

  it('a deletion of a node that was never sent is not sent', async () => {
    const tag = (await alice.post('/tags', { name: `unseen` })).body.name;
    const id = await create('never told');
    const profile = `/exposure-profiles/${(await authorization()).exposure_profile_id}`;
    whileReached(async () => {
      expect((await alice.put(profile, { tag_filters: { exclude_any: [tag] } })).status).toBe(200);
      await alice.put(`/nodes/${id}`, { tags: [tag] });
    });
    await deliver(world);
    expect(receiver.received).toEqual([]);
  });

  it('a redelivery requested while nothing may be sent is kept', async () => {
    await create('sent again');
    await deliver(world);
    const [{ id: asked }] = await deliveries();
    const { user_id: ownerId, id } = (await client.get('/webhooks/subscription')).body;
    const [repository, units] = [world.nest.get(DeliveriesRepository), world.nest.get(UnitOfWork)];
    const redeliver = () => client.post(`/webhooks/deliveries/${asked}/redeliver`);
    await redeliver();
    const judged = (await repository.find({ ownerId, id }, asked)) as Delivery;
    clock.advance(1);
    await redeliver();
    await units.autocommit(() => repository.drop(judged));
    expect(await deliveries()).toMatchObject([{ id: asked, status: 'pending' }]);
  });

  it('a redelivery requested during the last try begins a round of its own', async () => {
    await create('asked for');
    receiver.answer = 500;
    for (const seconds of [0, 60, 300, 1800, 7200]) {
      clock.advance(seconds);
      await deliver(world);
    }
    clock.advance(43_200);
    const [{ id }] = await deliveries();
    whileReached(async () => {
      clock.advance(1);
      expect((await client.post(`/webhooks/deliveries/${id}/redeliver`)).status).toBe(202);
    });
    await deliver(world);
    expect((await client.get('/webhooks/subscription')).body.status).toBe('active');
    expect(await deliveries()).toMatchObject([{ id, status: 'pending' }]);
  });

  it('a slow statement of ours is not blamed on the receiver', async () => {
    await create('told later');
    const tooLong = Object.assign(new Error('canceling statement due to statement timeout'), {
      code: '57014',
    });
    jest.spyOn(world.nest.get(EventBodies), 'of').mockRejectedValueOnce(tooLong);
    await deliver(world);
    expect(receiver.told).toEqual(['node.created told later']);
    expect(await deliveries()).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });

  it('the list of deliveries contains nothing of a message that may not be sent', async () => {
    const id = await create('deleted');
    whileReached(() => alice.delete(`/nodes/${id}`));
    await deliver(world);
    expect(receiver.told).toEqual(['node.deleted deleted']);
    expect((await deliveries()).map(({ event }: { event: string }) => event)).toEqual(['node.deleted']);
  });
});
