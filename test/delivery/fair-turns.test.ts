import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { DeliveryWorker } from '../../src/delivery/application/delivery-worker.js';
import { type Lease, Leases } from '../../src/delivery/application/leases.js';
import { Outbox } from '../../src/delivery/application/outbox.service.js';
import { ServingPlaces } from '../../src/delivery/application/serving-places.js';
import { Receivers } from '../../src/delivery/infrastructure/receiver.js';
import {
  type LeasedSubscription,
  SubscriptionsRepository,
} from '../../src/delivery/infrastructure/subscriptions.repository.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type Client } from '../support/client.js';
import { holdClock } from '../support/moved-clock.js';
import { type Explained, rowsOf } from '../support/plans.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { deliver, Receiver } from './receiver.js';

/** One worker. Events are sent only by explicit calls. */
describe('fairness', () => {
  let world: World;
  let receiver: Receiver;
  withWorld(
    (started) => (world = started),
    () => World.startHere({ WEBHOOK_WORKERS: 'false' }),
  );
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.stop());

  async function subscriber(): Promise<Client> {
    const client = await (await world.user()).lets(await world.app());
    const events = ['node.created', 'node.updated'];
    expect((await client.post('/webhooks/subscribe', { webhook_url: receiver.url, events })).status).toBe(
      201,
    );
    return client;
  }
  const create = async (client: Client, title: string) =>
    (await client.post('/nodes', { title, node_type: 'NOTE' })).body.id as string;
  async function leaseOf(client: Client): Promise<Lease> {
    const { user_id: ownerId, id } = (await client.get('/webhooks/subscription')).body;
    return (await world.nest.get(Leases).take({ ownerId, id })) as Lease;
  }

  it('turns of webhook receivers do not wait for the other address of the same subscription', async () => {
    const other = await Receiver.start();
    const client = await subscriber();
    const wish = { event_types: ['created'], webhook_url: other.url };
    expect((await client.post('/proposals/subscribe', wish)).status).toBe(201);
    receiver.answer = 'hang';
    for (let i = 0; i < 10; i++) await create(client, `node ${i}`);
    await client.post('/proposals', { title: 'p', canonical_data: { title: 'n', node_type: 'NOTE' } });
    const delivered = deliver(world);
    while (other.received.length === 0) await setImmediate();
    expect(receiver.received.length).toBeLessThanOrEqual(4);
    await Promise.all([receiver.stop(), delivered]);
    await other.stop();
    receiver = await Receiver.start();
  });

  it('turns of webhook receivers come in the order in which receivers have waited since their last one', async () => {
    const clock = holdClock(world);
    const [first, second] = [await subscriber(), await subscriber()];
    const served: { lease: Lease; subscription: LeasedSubscription }[] = [];
    for (const client of [first, second]) {
      await create(client, 'waits');
      const lease = await leaseOf(client);
      await world.nest.get(Outbox).read(lease.known);
      served.push({ lease, subscription: lease.known });
      clock.advance(1);
    }
    await served[1]!.lease.release();
    clock.advance(1);
    await served[0]!.lease.release();
    const ready = await world.nest.get(SubscriptionsRepository).ready(clock.now, 10);
    expect(ready.map(({ id }) => id)).toEqual([served[1]!.subscription.id, served[0]!.subscription.id]);
    await deliver(world);
    expect(receiver.told).toEqual(['node.created waits', 'node.created waits']);
  });

  it.each([
    ['a failed one', 500, 0],
    ['a slow success', 200, 1_001],
  ])('turns of webhook receivers have one attempt at a time after %s', async (_, status, waitMs) => {
    const clock = holdClock(world);
    const client = await subscriber();
    const createTen = async () => {
      for (let i = 0; i < 10; i++) await create(client, `node ${i}`);
    };
    await createTen();
    const now = performance.now.bind(performance);
    let [underWay, most, awaited, waited] = [0, 0, 4, 0];
    jest.spyOn(performance, 'now').mockImplementation(() => now() + waited);
    jest.spyOn(world.nest.get(Receivers), 'post').mockImplementation(async (url, compose) => {
      // Ignores receivers of earlier tests.
      if (url !== receiver.url) return 500;
      most = Math.max(most, (underWay += 1));
      await compose();
      for (let turn = 0; most < awaited && turn < 100_000; turn++) await setImmediate();
      // Gives a surplus attempt the time to arrive.
      for (let turn = 0; turn < 100; turn++) await setImmediate();
      underWay -= 1;
      waited += waitMs;
      return status;
    });
    await deliver(world);
    expect(most).toBe(4);
    [most, awaited] = [0, 1];
    clock.advance(60);
    await createTen();
    await deliver(world);
    expect(most).toBe(1);
    jest.restoreAllMocks();
  });

  it('turns of webhook receivers end without reading all pending deliveries', async () => {
    const client = await subscriber();
    const lease = await leaseOf(client);
    const { ownerId, id } = lease.known;
    const database = world.nest.get(Database);
    await database.dataSource.query(
      `INSERT INTO webhook_deliveries (owner_id, id, subscription_id, target, event, status, next_attempt_at, created_at)
        SELECT $1, gen_random_uuid(), $2, CASE WHEN i % 2 = 0 THEN 'webhook' ELSE 'proposals' END, 'node.created',
          'pending', timestamptz '2050-01-01' + i * interval '1 second', now() FROM generate_series(1, 10000) AS i`,
      [ownerId, id],
    );
    await database.dataSource.query('ANALYZE webhook_deliveries');
    const write = database.write.bind(database);
    let rowsRead = 0;
    jest.spyOn(database, 'write').mockImplementation(async (statement, name) => {
      if (name !== 'subscription-release') return write(statement, name);
      const [explained] = await write(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
      rowsRead = rowsOf('webhook_deliveries', (explained as Explained)['QUERY PLAN'][0].Plan);
      return [];
    });
    await lease.release();
    jest.restoreAllMocks();
    expect(rowsRead).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThanOrEqual(2);
    const [row] = await database.dataSource.query('SELECT due_at FROM webhook_subscriptions WHERE id = $1', [
      id,
    ]);
    expect(row.due_at).toEqual(new Date('2050-01-01T00:00:01.000Z'));
  });

  it('turns of webhook receivers read large changes in small parts, and all of them', async () => {
    const client = await subscriber();
    const id = await create(client, 'large');
    const written = Array.from({ length: 4 }, () => randomBytes(30_000).toString('base64'));
    for (const text of written) await client.put(`/nodes/${id}`, { metadata: { text } });
    const lease = await leaseOf(client);
    const positions: number[] = [];
    for (let position = lease.known.position; ;) {
      const read = await world.nest.get(Outbox).read({ ...lease.known, position });
      if (!read.hasRead) break;
      positions.push((position = read.position));
    }
    // The creation comes with at most one of the changes; then one page each.
    expect(positions.length).toBeGreaterThanOrEqual(4);
    await lease.release();
    await deliver(world);
    expect(receiver.received.map(({ body }) => body.data.metadata?.text)).toEqual([undefined, ...written]);
  });

  it('turns of webhook receivers do not wait for more hanging receivers than a worker has places (rule 9.5)', async () => {
    const worker = world.nest.get(DeliveryWorker);
    // A worker of 16 places, of which unknown receivers have 12.
    Object.assign(worker, { places: new ServingPlaces(16) });
    const quick = await subscriber();
    await create(quick, 'first');
    await deliver(world);
    const apps = await Promise.all(Array.from({ length: 4 }, () => world.app()));
    for (let owner = 0; owner < 4; owner++) {
      const user = await world.user();
      for (const app of apps) {
        const wish = { webhook_url: 'http://127.0.0.1:9/hangs', events: ['node.created'] };
        const { status } = await (await user.lets(app)).post('/webhooks/subscribe', wish);
        expect(status).toBe(201);
      }
      await create(user, 'hangs');
    }
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let hanging = 0;
    const receivers = world.nest.get(Receivers);
    const post = receivers.post.bind(receivers);
    jest.spyOn(receivers, 'post').mockImplementation(async (url, compose) => {
      if (url === receiver.url) return post(url, compose);
      hanging += 1;
      await released;
      return null;
    });
    try {
      await worker.look();
      await until(() => hanging >= 12, 'the share of unknown receivers is taken');
      await create(quick, 'second');
      void worker.look();
      await until(() => receiver.received.length === 2, 'the quick receiver is served');
      expect(hanging).toBe(12);
    } finally {
      release();
      await deliver(world);
      jest.restoreAllMocks();
    }
  });
});
