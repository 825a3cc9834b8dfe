import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { Database } from '../../src/kernel/database/database.js';
import { type Sql, sql } from '../../src/kernel/database/sql.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { type Client } from '../support/client.js';
import { type holdClock } from '../support/moved-clock.js';
import { until } from '../support/until.js';
import { type TestUser, type World } from '../support/world.js';
import { deliver, type Receiver, withReceiver } from './receiver.js';

/** The most deliveries of a subscription that wait, and the most that stay when they have ended. */
const MOST = 10_000;
const note = (title: string) => ({ title, node_type: 'NOTE' });

describe('stored deliveries of a webhook', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let receiver: Receiver;
  let alice: TestUser;
  let client: Client;
  withReceiver((met) => ({ world, clock, receiver, alice, client } = met));

  const subscribe = async (events: string[]): Promise<string> =>
    (await client.post('/webhooks/subscribe', { webhook_url: receiver.url, events })).body.id;
  const total = async () => (await client.get('/webhooks/deliveries?limit=1')).body.total as number;
  /** Writes rows without the time limit of a request's statement. */
  const write = (statement: Sql) =>
    world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(statement));
  /** Stores test deliveries that were made a day ago. */
  const store = (subscription: string, count: number, status: string, next: Date | null = null) =>
    write(sql`INSERT INTO webhook_deliveries (owner_id, id, subscription_id, target, event, status, next_attempt_at, created_at)
      SELECT ${alice.id}::uuid, gen_random_uuid(), ${subscription}::uuid, 'webhook', 'webhook.test', ${status}::text,
        ${next}::timestamptz, ${new Date(clock.now.getTime() - 86_400_000)}::timestamptz + n * interval '1 second'
      FROM generate_series(1, ${count}::integer) AS n`);

  it('deliveries are not made of what happens while the subscription is disabled (rule 9.2c)', async () => {
    await subscribe(['node.created']);
    receiver.answer = 410;
    await alice.post('/nodes', note('gone'));
    await deliver(world);
    for (const title of ['one', 'another']) await alice.post('/nodes', note(title));
    await deliver(world);
    expect(await total()).toBe(1);
    receiver.answer = 204;
    await client.post('/webhooks/subscription/enable');
    await alice.post('/nodes', note('later'));
    await deliver(world);
    expect(receiver.told).toEqual(['node.created gone', 'node.created later']);
    expect(await total()).toBe(2);
  });

  it('ended deliveries stay in a number that does not grow with the changes (rule 9.2e)', async () => {
    const subscription = await subscribe(['node.deleted']);
    await store(subscription, 1, 'pending', new Date(clock.now.getTime() + 3_600_000));
    await store(subscription, MOST + 50, 'succeeded');
    for (let batch = 0; batch < 11; batch++) {
      const nodes = Array.from({ length: 100 }, (_, i) => note(`node ${batch} ${i}`));
      await alice.post('/nodes/batch', { nodes });
    }
    await deliver(world);
    expect(await total()).toBe(MOST + 1);
  });

  it('ended deliveries beyond that number are swept also where the graph rests (rule 9.2e)', async () => {
    await store(await subscribe(['node.deleted']), MOST + 50, 'failed');
    await world.nest.get(Housekeeping).sweep();
    expect(await total()).toBe(MOST);
  });

  it('deliveries wait in a bounded number: the log is read further when some have ended, and no event is lost (rule 9.2f)', async () => {
    const subscription = await subscribe(['node.created']);
    await store(subscription, MOST, 'pending', new Date(clock.now.getTime() + 3_600_000));
    const titles = ['first', 'second', 'third'];
    for (const title of titles) {
      await alice.post('/nodes', note(title));
      await deliver(world);
    }
    expect(receiver.told).toEqual(['node.created first']);
    expect(await total()).toBe(MOST + 1);
    const pending = sql`subscription_id = ${subscription} AND status = 'pending'`;
    await write(sql`UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL
      WHERE ${pending} AND id <> (SELECT id FROM webhook_deliveries WHERE ${pending} LIMIT 1)`);
    clock.advance(3_600);
    await deliver(world);
    await until(() => receiver.told.length === 4, 'the events that waited in the log arrive');
    // Deliveries about different nodes are sent at the same time.
    expect(receiver.told.toSorted()).toEqual([
      'node.created first',
      'node.created second',
      'node.created third',
      'webhook.test',
    ]);
  });

  it('redelivery and test events are refused while that number waits (rule 9.2f)', async () => {
    const subscription = await subscribe(['node.created']);
    await store(subscription, MOST, 'pending', new Date(clock.now.getTime() + 3_600_000));
    await store(subscription, 1, 'failed');
    const idOf = async (status: string): Promise<string> => {
      const found = sql`subscription_id = ${subscription} AND status = ${status}`;
      const [row] = await world.nest
        .get(Database)
        .read<{ id: string }>(sql`SELECT id FROM webhook_deliveries WHERE ${found} LIMIT 1`);
      return row!.id;
    };
    const [ended, pending] = [await idOf('failed'), await idOf('pending')];
    const redeliver = (id: string) => client.post(`/webhooks/deliveries/${id}/redeliver`);
    const refused = {
      status: 503,
      body: { error: { code: 'TOO_MUCH_UNDER_WAY', details: { max_pending_deliveries: MOST } } },
    };
    expect(await redeliver(ended)).toMatchObject(refused);
    expect(await client.post('/webhooks/subscription/test')).toMatchObject(refused);
    expect(await total()).toBe(MOST + 1);
    expect((await redeliver(pending)).status).toBe(202);
    await deliver(world);
    await until(() => receiver.told.length === 1, 'the delivery that waited is sent');
    expect((await redeliver(ended)).status).toBe(202);
  });

  it('the page of changes that fills a subscription is the last one that it reads (rule 9.2f)', async () => {
    const subscription = await subscribe(['node.created']);
    await store(subscription, MOST - 1, 'pending', new Date(clock.now.getTime() + 3_600_000));
    receiver.answer = 500;
    for (const title of ['first', 'second']) {
      await alice.post('/nodes', note(title));
      await deliver(world);
    }
    expect(receiver.told).toEqual(['node.created first']);
    expect(await total()).toBe(MOST);
  });
});
