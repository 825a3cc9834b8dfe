import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { DeliveryWorker } from '../../src/delivery/application/delivery-worker.js';
import { EventBodies } from '../../src/delivery/application/event-body.service.js';
import { type Lease, Leases } from '../../src/delivery/application/leases.js';
import { Outbox } from '../../src/delivery/application/outbox.service.js';
import { type LeasedSubscription } from '../../src/delivery/infrastructure/subscriptions.repository.js';
import { DeliveriesRepository } from '../../src/delivery/infrastructure/deliveries.repository.js';
import { Receivers } from '../../src/delivery/infrastructure/receiver.js';
import { SubscriptionsRepository } from '../../src/delivery/infrastructure/subscriptions.repository.js';
import { CommittedChanges } from '../../src/kernel/change-log/committed-changes.js';
import { Clock } from '../../src/kernel/clock.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { deliver, Receiver } from '../delivery/receiver.js';
import { type Client } from '../support/client.js';
import { holdClock } from '../support/moved-clock.js';
import { World } from '../support/world.js';

const EVENTS = ['node.created', 'node.updated'];
const LEASE_SECONDS = 30;

/** Two processes on one database. Deliveries are sent only when the test starts them. */
describe('Bull (rule 9.5)', () => {
  let first: World;
  let second: World;
  let clock: ReturnType<typeof holdClock>;
  let receiver: Receiver;
  let client: Client;
  beforeAll(async () => {
    first = await World.startHere({ WEBHOOK_WORKERS: 'false' });
    const { databaseUrl, dataDir } = first.nest.get(Config);
    second = await World.startHere({
      WEBHOOK_WORKERS: 'false',
      DATABASE_URL: databaseUrl as string,
      DATA_DIR: dataDir,
    });
    clock = holdClock(first);
    second.nest.get(Clock).now = () => clock.now;
  });
  afterAll(async () => {
    await second.stop();
    await first.stop();
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
    client = await (await first.user()).lets(await first.app());
    await subscribe(receiver.url);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await client.delete('/webhooks/subscription');
    await receiver.stop();
  });
  const subscribe = (webhook_url: string) =>
    client.post('/webhooks/subscribe', { webhook_url, events: EVENTS });
  const stateOf = async () => (await client.get('/webhooks/subscription')).body;
  const deliveries = async () => (await client.get('/webhooks/deliveries')).body.deliveries;
  const create = async (title: string) =>
    (await client.post('/nodes', { title, node_type: 'NOTE' })).body.id as string;
  /** A node and its changes, which are delivered one after the other. */
  const createAndChange = async (times: number) => {
    const id = await create('version 1');
    for (let i = 2; i <= times; i++) await client.put(`/nodes/${id}`, { title: `version ${i}` });
  };
  /** Replaces the sending of the first process. */
  const sending = (answer: () => Promise<number>) =>
    jest
      .spyOn(first.nest.get(Receivers), 'post')
      .mockImplementation(async (_, compose) => ((await compose()) === null ? 'unsent' : answer()));

  it('workers of several processes send each event once, however many look for it at the same time', async () => {
    for (let i = 0; i < 20; i++) await create(`node ${i}`);
    await Promise.all([deliver(first), deliver(second), deliver(first), deliver(second)]);
    expect(receiver.told.sort()).toEqual(
      Array.from({ length: 20 }, (_, i) => `node.created node ${i}`).sort(),
    );
  });

  it('workers of several processes take over what one that died had read from the log and not sent', async () => {
    await create('left behind');
    const { user_id: ownerId, id } = await stateOf();
    const lease = (await first.nest.get(Leases).take({ ownerId, id })) as Lease;
    await first.nest.get(Outbox).read((await lease.current()) as LeasedSubscription);
    await deliver(second);
    expect(receiver.told).toEqual([]);
    clock.advance(LEASE_SECONDS);
    await deliver(second);
    expect(receiver.told).toEqual(['node.created left behind']);
  });

  it('workers of several processes send again under the same id what one that died had sent and not recorded', async () => {
    await create('sent, not recorded');
    const die = () => Promise.reject(new Error('killed'));
    jest.spyOn(first.nest.get(DeliveriesRepository), 'succeeded').mockImplementation(die);
    jest.spyOn(first.nest.get(Leases), 'release').mockImplementation(die);
    await deliver(first);
    await deliver(second);
    expect(receiver.received).toHaveLength(1);
    clock.advance(LEASE_SECONDS);
    await deliver(second);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(2);
    expect(await deliveries()).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });

  it('workers of several processes do not undo what another one did that took over', async () => {
    await create('slow');
    sending(async () => {
      clock.advance(LEASE_SECONDS);
      await deliver(second);
      return 500;
    });
    await deliver(first);
    expect(receiver.told).toEqual(['node.created slow']);
    expect(await deliveries()).toMatchObject([{ status: 'succeeded', attempts: 1, response_status: 200 }]);
    expect(await stateOf()).toMatchObject({ status: 'active', consecutive_failures: 0 });
  });

  it('workers of several processes forget nothing that another one has told that took over', async () => {
    const id = await create('told by another one');
    const marked = jest.spyOn(first.nest.get(DeliveriesRepository), 'markPossiblyDelivered');
    const leases = first.nest.get(Leases);
    const held = leases.held.bind(leases);
    receiver.answer = 500;
    jest.spyOn(leases, 'held').mockImplementation(async (...asked) => {
      if (marked.mock.calls.length === 1 && receiver.received.length === 0) {
        clock.advance(LEASE_SECONDS);
        await deliver(second);
      }
      return held(...asked);
    });
    await deliver(first);
    expect(receiver.told).toEqual(['node.created told by another one']);
    const told = sql`SELECT node_id FROM webhook_told_nodes WHERE node_id = ${id}`;
    expect(await first.nest.get(Database).read(told)).toHaveLength(1);
  });

  it('workers of several processes read the log once, also when one was taken for dead', async () => {
    await create('read twice');
    const { user_id: ownerId, id } = await stateOf();
    const lease = (await first.nest.get(Leases).take({ ownerId, id })) as Lease;
    const asItWas = (await lease.current()) as LeasedSubscription;
    clock.advance(LEASE_SECONDS);
    await deliver(second);
    await first.nest.get(Outbox).read(asItWas);
    await lease.release();
    expect(await deliveries()).toHaveLength(1);
    await deliver(second);
    expect(receiver.told).toEqual(['node.created read twice']);
  });

  it('workers of several processes keep what they serve for as long as a slow receiver needs', async () => {
    await createAndChange(12);
    const sent = sending(async () => {
      clock.advance(5);
      await deliver(second);
      return 200;
    });
    await deliver(first);
    expect(sent).toHaveBeenCalledTimes(12);
    expect(receiver.received).toHaveLength(0);
  });

  it('workers of several processes see what was changed while they had to wait to keep what they serve', async () => {
    const { user_id: ownerId, id } = await stateOf();
    const lease = (await first.nest.get(Leases).take({ ownerId, id })) as Lease;
    const { policies } = lease.known;
    clock.advance(LEASE_SECONDS - 5);
    const other = new pg.Client(first.nest.get(Config).databaseUrl as string);
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM webhook_subscriptions WHERE id = $1 FOR UPDATE', [id]);
    const current = lease.current();
    while ((await waitingForLocks(other)) === 0) await setImmediate();
    await other.query('UPDATE sequences SET policy = policy + 1 WHERE id = $1', [ownerId]);
    await other.query('COMMIT');
    await other.end();
    expect((await current)?.policies).not.toBe(policies);
    await lease.release();
  });

  it('workers of several processes do not blame a new address for what the old one answered', async () => {
    await createAndChange(2);
    const replacing = await Receiver.start();
    sending(async () => {
      jest.restoreAllMocks();
      await subscribe(replacing.url);
      return 410;
    });
    await deliver(first);
    expect(receiver.received).toHaveLength(0);
    expect([...replacing.told].sort()).toEqual(['node.created version 1', 'node.updated version 2']);
    expect(await stateOf()).toMatchObject({
      status: 'active',
      disabled_reason: null,
      consecutive_failures: 0,
    });
    await replacing.stop();
  });

  it('workers of several processes leave nothing waiting when the new address is gone before the old one has answered', async () => {
    await Promise.all([create('to the old one'), create('to the new one')]);
    const other = await Receiver.start();
    other.answer = 410;
    const { post } = first.nest.get(Receivers);
    let answer: (status: number) => void = () => undefined;
    const answered = new Promise<number>((resolve) => (answer = resolve));
    let replaced: Promise<unknown> | null = null;
    jest.spyOn(first.nest.get(Receivers), 'post').mockImplementation(async function (
      this: Receivers,
      url,
      compose,
    ) {
      if (url !== receiver.url) return post.call(this, url, compose);
      if (replaced === null) {
        await (replaced = compose().then(() => subscribe(other.url)));
        return answered;
      }
      await replaced;
      return (await compose()) === null ? 'unsent' : 200;
    });
    const recorded = first.nest.get(SubscriptionsRepository);
    const { failed } = recorded;
    jest.spyOn(recorded, 'failed').mockImplementation(async function (
      this: SubscriptionsRepository,
      ...asked
    ) {
      const isDisabled = await failed.apply(this, asked);
      first.nest.get(UnitOfWork).afterCommit(() => answer(500));
      return isDisabled;
    });
    await deliver(first);
    expect(await stateOf()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    expect((await deliveries()).map(({ status }: { status: string }) => status)).toEqual([
      'failed',
      'failed',
    ]);
    await other.stop();
  });

  it('workers of several processes write to no address that is replaced while they make what they send', async () => {
    const other = await Receiver.start();
    await create('secret of an address');
    const bodies = first.nest.get(EventBodies);
    const made = bodies.of.bind(bodies);
    jest.spyOn(bodies, 'of').mockImplementationOnce(async (...asked) => {
      await subscribe(other.url);
      return made(...asked);
    });
    await deliver(first);
    expect([receiver.told, other.told]).toEqual([[], ['node.created secret of an address']]);
    await other.stop();
  });

  it('workers of several processes tell nothing that is revoked, retagged or deleted while they make what they send', async () => {
    const user = await first.user();
    const app = await first.app();
    const key = await user.lets(app);
    await key.post('/webhooks/subscribe', { webhook_url: receiver.url, events: EVENTS });
    const bodies = first.nest.get(EventBodies);
    const made = bodies.of.bind(bodies);
    const meanwhile = (deed: () => Promise<unknown>) =>
      jest.spyOn(bodies, 'of').mockImplementationOnce(async (...asked) => {
        const body = await made(...asked);
        await deed();
        return body;
      });
    const { body: node } = await key.post('/nodes', { title: 'deleted', node_type: 'NOTE' });
    meanwhile(() => user.delete(`/nodes/${node.id}`));
    await deliver(first);
    expect(receiver.told).toEqual([]);
    await key.post('/nodes', { title: 'revoked', node_type: 'NOTE' });
    const { body } = await user.get('/authorizations');
    meanwhile(() => user.delete(`/authorizations/${body.authorizations[0].id}`));
    await deliver(first);
    expect(receiver.told).toEqual([]);
  });

  it('workers of several processes tell whoever writes without a pause', async () => {
    await create('told');
    const bodies = first.nest.get(EventBodies);
    const made = bodies.of.bind(bodies);
    let madeInVain = 0;
    jest.spyOn(bodies, 'of').mockImplementation(async (...asked) => {
      const body = await made(...asked);
      if (receiver.received.length === 0 && madeInVain++ < 20) await create('meanwhile');
      return body;
    });
    await deliver(first);
    expect(receiver.told).toContain('node.created told');
    expect(madeInVain).toBeLessThan(10);
    const [told] = await deliveries().then((all) => all.slice(-1));
    expect(told).toMatchObject({ status: 'succeeded', attempts: 1 });
  });

  it('workers of several processes do not send again at once what they could not record', async () => {
    await create('recorded later');
    const broken = () => Promise.reject(new Error('Connection terminated unexpectedly'));
    jest.spyOn(first.nest.get(DeliveriesRepository), 'succeeded').mockImplementationOnce(broken);
    for (let look = 0; look < 3; look++) await deliver(first);
    expect(receiver.received).toHaveLength(1);
    clock.advance(LEASE_SECONDS);
    await deliver(first);
    expect(receiver.received).toHaveLength(2);
    expect(await deliveries()).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });

  it('workers of several processes send nothing more once the subscription is ended or disabled', async () => {
    await createAndChange(3);
    const sent = sending(async () => {
      await client.delete('/webhooks/subscription');
      return 200;
    });
    await deliver(first);
    expect(sent).toHaveBeenCalledTimes(1);
    await subscribe(receiver.url);
    for (let i = 0; i < 12; i++) await create(`node ${i}`);
    jest.restoreAllMocks();
    receiver.answer = 410;
    await deliver(first);
    // Deliveries that were already being sent may still arrive.
    expect(receiver.received.length).toBeLessThanOrEqual(4);
    expect(new Set((await deliveries()).map(({ status }: { status: string }) => status))).toEqual(
      new Set(['failed']),
    );
  });

  it('workers of several processes send a delivery that waits at once when it is asked for', async () => {
    await create('waits');
    receiver.answer = 500;
    await deliver(first);
    const [{ id }] = await deliveries();
    receiver.answer = 200;
    expect((await client.post(`/webhooks/deliveries/${id}/redeliver`)).status).toBe(202);
    await deliver(second);
    expect(receiver.received).toHaveLength(2);
    expect(await deliveries()).toMatchObject([{ id, status: 'succeeded', attempts: 2 }]);
  });

  it('workers of several processes are told of no app that is gone', async () => {
    const [alice, developer] = [await first.user(), await first.user()];
    const { body: app } = await developer.post('/apps', {
      name: 'short-lived',
      requested_permissions: {},
    });
    await alice.authorizes({ id: app.id } as never);
    const about = `app_id=${app.id}`;
    const wish = { webhook_url: receiver.url, events: EVENTS, app_id: app.id };
    expect((await alice.post('/webhooks/subscribe', wish)).status).toBe(201);
    await developer.delete(`/apps/${app.id}`);
    for (const path of [`?${about}`, '?app_id=nonsense'])
      expect((await alice.get(`/webhooks/subscription${path}`)).status).toBe(404);
    for (const app_id of [app.id, 'nonsense'])
      expect((await alice.post('/webhooks/subscribe', { ...wish, app_id })).status).toBe(404);
    const ofApp = sql`SELECT 1 FROM webhook_subscriptions WHERE app_id = ${app.id}`;
    expect(await first.nest.get(Database).read(ofApp)).toHaveLength(1);
    await first.nest.get(Housekeeping).sweep();
    expect(await first.nest.get(Database).read(ofApp)).toHaveLength(0);
    expect((await stateOf()).status).toBe('active');
  });

  const news = () => first.nest.get(Database).read(sql`SELECT owner_id FROM webhook_news`);

  it('workers of several processes find nothing to look at when nothing has happened, and what has happened when something has', async () => {
    await deliver(first);
    await first.nest.get(Housekeeping).sweep();
    expect(await news()).toEqual([]);
    await create('heard of');
    const { user_id } = await stateOf();
    expect(await news()).toEqual([{ owner_id: user_id }]);
    await deliver(second);
    expect(await news()).toEqual([]);
    expect(receiver.told).toEqual(['node.created heard of']);
  });

  it('workers of several processes do not wait for a writer to say that nothing is left to look at', async () => {
    const { user_id: ownerId, id } = await stateOf();
    const other = new pg.Client(first.nest.get(Config).databaseUrl as string);
    await other.connect();
    await create('heard of');
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM webhook_news WHERE owner_id = $1 FOR UPDATE', [ownerId]);
    const delivered = deliver(second).then(() => true);
    const waits = async () => {
      while ((await waitingForLocks(other)) === 0) await setImmediate();
      return false;
    };
    expect(await Promise.race([delivered, waits()])).toBe(true);
    const { rows } = await other.query('SELECT leased_until FROM webhook_subscriptions WHERE id = $1', [id]);
    expect(rows).toEqual([{ leased_until: null }]);
    await other.query('ROLLBACK');
    await other.end();
    expect(await news()).toEqual([{ owner_id: ownerId }]);
    await first.nest.get(Housekeeping).sweep();
    expect(await news()).toEqual([]);
  });

  it('workers of several processes hear of each change that commits while somebody subscribes, and while they read', async () => {
    for (let round = 0; round < 10; round++) {
      await client.delete('/webhooks/subscription');
      const creating = Array.from({ length: 8 }, (_, i) => create(`round ${round} node ${i}`));
      await subscribe(receiver.url);
      const after = await create(`round ${round} after`);
      await Promise.all([...creating, deliver(first), create(`round ${round} beside`), deliver(second)]);
      await deliver(first);
      expect(receiver.received.map(({ body }) => body.data.id)).toContain(after);
      const behind = await first.nest
        .get(Database)
        .read(
          sql`SELECT 1 FROM webhook_subscriptions s JOIN sequences q ON q.id = s.owner_id AND q.changes > s.position`,
        );
      expect(behind).toEqual([]);
      expect(await news()).toEqual([]);
    }
  });

  it('workers of several processes are woken by changes that somebody is to be told of, and by no others', async () => {
    let woken = 0;
    first.nest.get(CommittedChanges).listen(() => woken++);
    await (await first.user()).post('/nodes', { title: 'told to nobody', node_type: 'NOTE' });
    expect(woken).toBe(0);
    const id = await create('told');
    expect(woken).toBe(1);
    await client.delete(`/nodes/${id}`);
    expect(woken).toBe(2);
  });

  it('workers of several processes do not make a change look failed when they cannot be told of it', async () => {
    first.nest.get(CommittedChanges).listen(() => {
      throw new Error('a listener that fails');
    });
    const { status, body } = await client.post('/nodes', { title: 'committed', node_type: 'NOTE' });
    expect(status).toBe(201);
    expect((await client.get(`/nodes/${body.id}`)).status).toBe(200);
  });

  it('workers of several processes finish the attempt under way when they are stopped, and leave the rest to others', async () => {
    await createAndChange(3);
    let stopped = Promise.resolve();
    const sent = sending(() => {
      stopped = first.nest.get(DeliveryWorker).beforeApplicationShutdown();
      return Promise.resolve(200);
    });
    await deliver(first);
    await stopped;
    expect(sent).toHaveBeenCalledTimes(1);
    await deliver(second);
    expect(receiver.told).toEqual(['node.updated version 2', 'node.updated version 3']);
    expect((await deliveries()).map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 1, 1]);
  });
});

describe('a worker that serves more receivers than there are connections', () => {
  it('leaves connections to requests', async () => {
    const world = await World.startHere({ WEBHOOK_WORKERS: 'false', DATABASE_POOL: '4' });
    const receiver = await Receiver.start();
    const clients = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const client = await (await world.user()).lets(await world.app());
        await client.post('/webhooks/subscribe', { webhook_url: receiver.url, events: EVENTS });
        await client.post('/nodes', { title: 'told', node_type: 'NOTE' });
        return client;
      }),
    );
    const locking = new pg.Client(world.nest.get(Config).databaseUrl as string);
    await locking.connect();
    await locking.query('BEGIN');
    await locking.query('SELECT 1 FROM webhook_subscriptions FOR UPDATE');
    const delivered = deliver(world);
    while ((await waitingForLocks(locking)) === 0) await setImmediate();
    const lists = await Promise.all(clients.map((client) => client.get('/nodes')));
    expect(lists.map(({ status }) => status)).toEqual(clients.map(() => 200));
    expect(await waitingForLocks(locking)).toBe(1);
    await locking.query('ROLLBACK');
    await locking.end();
    await delivered;
    expect(receiver.told).toEqual(clients.map(() => 'node.created told'));
    await receiver.stop();
    await world.stop();
  });
});

async function waitingForLocks(client: pg.Client): Promise<number> {
  // The client's own transaction would otherwise see one moment permanently.
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount as number;
}
