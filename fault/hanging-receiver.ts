import { setTimeout as sleep } from 'node:timers/promises';
import { type Client } from '../test/support/client.js';
import { ok, Person } from './support/people.js';
import { Receivers } from './support/receivers.js';
import { each, quantile, Rig, run, times } from './support/rig.js';
import { preload, Stack } from './support/stack.js';

/**
 * `npm run fault:hanging-receiver`: the delay of other receivers' events, before and while one receiver with
 * thousands of pending events hangs. The planted fault is a server that makes one call after the other.
 */
const rig = new Rig('hanging-receiver', { waiting: 10_000, others: 10, samples: 300 });
const BOUND_MS = 1_000;
const HANGS = 0;
const stack = new Stack();

await run(rig, stack, async () => {
  const waiting = new Map<string, (at: number) => void>();
  const early = new Map<string, number>();
  let hanging = 0;
  const receivers = await Receivers.start(({ receiver, body, at }) => {
    if (receiver === HANGS) {
      hanging += 1;
      return 'hang';
    }
    const id = body.data.id as string;
    const arrive = waiting.get(id);
    if (arrive) arrive(at);
    else early.set(id, at);
    return 200;
  });
  await stack.startPostgres();
  await stack.startRedis();
  const { origin } = await stack.serve(rig.isPlanted ? { NODE_OPTIONS: preload('one-at-a-time') } : {});
  const clients: Client[] = [];
  for (let i = 0; i <= rig.option('others'); i++) {
    const person = await Person.register(origin);
    const app = await person.makesApp(origin);
    await person.lets(origin, app);
    const client = app.as(person, origin);
    ok(await client.post('/webhooks/subscribe', { webhook_url: receivers.url(i), events: ['node.created'] }));
    clients.push(client);
  }

  /** Milliseconds from the answer to a write to its event. Waits at most three bounds. */
  const measure = async (): Promise<number[]> => {
    const delays: number[] = [];
    await each(times(rig.option('samples'), Number), 2, async (index) => {
      const client = clients[1 + (index % rig.option('others'))] as Client;
      const { body } = ok(await client.post('/nodes', { title: `sample ${index}`, node_type: 'NOTE' }));
      const answered = performance.now();
      const id = body.id as string;
      const arrived =
        early.get(id) ??
        (await Promise.race([
          new Promise<number>((arrive) => waiting.set(id, arrive)),
          sleep(3 * BOUND_MS, answered + 3 * BOUND_MS),
        ]));
      delays.push(Math.max(0, arrived - answered));
      await sleep(30 * rig.random());
    });
    return delays;
  };

  await measure();
  const alone = await measure();
  const title = (i: number) => ({ title: `waits ${i}`, node_type: 'NOTE' });
  for (let made = 0; made < rig.option('waiting'); made += 100)
    ok(await (clients[HANGS] as Client).post('/nodes/batch', { nodes: times(100, (i) => title(made + i)) }));
  // The wait ends when all of them are pending deliveries.
  for (let count = 0; count < rig.option('waiting'); await sleep(100)) {
    const [row] = await stack.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'pending'`,
    );
    count = rig.isPlanted ? Infinity : (row?.count ?? 0);
  }
  const beside = await measure();
  const [before, after] = [quantile(alone, 0.95), quantile(beside, 0.95)];
  rig.say(
    `others p50 ${quantile(alone, 0.5).toFixed(0)} ms, p95 ${before.toFixed(0)} ms alone; ` +
      `p50 ${quantile(beside, 0.5).toFixed(0)} ms, p95 ${after.toFixed(0)} ms beside one that hangs with ` +
      `${rig.option('waiting')} waiting (${hanging} calls to it)`,
  );
  rig.expect(`p95 ${after.toFixed(0)} ms is more than ${BOUND_MS} ms`, after <= BOUND_MS);
  rig.expect(
    `p95 ${after.toFixed(0)} ms is more than twice ${before.toFixed(0)} ms`,
    after <= 2 * Math.max(before, 10),
  );
  rig.expect('nothing was sent to the one that hangs', hanging > 0);
  await receivers.stop();
});
