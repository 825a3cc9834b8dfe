import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../test/support/ports.js';
import { type Server } from '../test/support/server.js';
import { nodesOf, ok, Person } from './support/people.js';
import { type Call, type Manner, Receivers } from './support/receivers.js';
import { each, Rig, run, times } from './support/rig.js';
import { Stack } from './support/stack.js';

/**
 * `npm run fault:webhooks`: writers, receivers that fail, hang, reset and redirect, killed servers, cut connections to
 * PostgreSQL, a killed Redis. Every existing node must have been sent to every receiver, under one id, signed; and no
 * other one. The planted fault deletes one pending delivery.
 */
const PEOPLE = 10;
const rig = new Rig('webhooks', { events: 3_000, receivers: 50, kills: 8, redis: 3 });
const APPS = Math.ceil(rig.option('receivers') / PEOPLE);
const WRITES = Math.ceil(rig.option('events') / APPS);
const stack = new Stack();

/** The nodes that each receiver got, with the ids of deliveries, and true if one of them succeeded. */
const told = times(
  PEOPLE * APPS,
  () => new Map<string, { ids: Set<string>; calls: number; said: boolean }>(),
);
const secrets: string[] = [];
const forged: string[] = [];
let calls = 0;

/** The first answers to a delivery are random failures: at most three, fewer than there are attempts. */
function answer(call: Call): Manner {
  calls += 1;
  const headers = call.headers as Record<string, string>;
  try {
    new Webhook(secrets[call.receiver] as string).verify(call.text, headers);
  } catch {
    forged.push(call.text);
  }
  const known = told[call.receiver] as (typeof told)[number];
  const node = call.body.data.id as string;
  const entry = known.get(node) ?? { ids: new Set(), calls: 0, said: false };
  known.set(node, entry);
  entry.ids.add(headers['webhook-id'] as string);
  entry.calls += 1;
  const dice = entry.calls > 3 ? 1 : rig.random();
  if (dice < 0.004) return 'hang';
  if (dice < 0.08) return 'reset';
  if (dice < 0.16) return 'redirect';
  if (dice < 0.3) return 500;
  entry.said = true;
  return 204;
}

await run(rig, stack, async () => {
  const receivers = await Receivers.start(answer);
  await stack.startPostgres();
  await stack.startRedis();
  const ports = [await freePort(), await freePort()] as const;
  const environment = (port: number) => ({
    PORT: String(port),
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
  });
  const servers: Server[] = [];
  for (const port of ports) servers.push(await stack.serve(environment(port)));
  const origin = (turn: number): string => `http://127.0.0.1:${ports[turn % 2]}`;

  const people: Person[] = [];
  for (let i = 0; i < PEOPLE; i++) people.push(await Person.register(origin(i)));
  const developer = people[0] as Person;
  for (let i = 0; i < APPS; i++) {
    const app = await developer.makesApp(origin(i));
    for (const [index, person] of people.entries()) {
      await person.lets(origin(i), app);
      const receiver = index * APPS + i;
      const wish = { webhook_url: receivers.url(receiver), events: ['node.created'] };
      secrets[receiver] = ok(await app.as(person, origin(i)).post('/webhooks/subscribe', wish)).body.secret;
    }
  }

  const begun = performance.now();
  const acknowledged: string[] = [];
  let uncertain = 0;
  let progress = 0;
  const writing = each(times(WRITES, String), 6, async (title, index) => {
    // Writing continues until the last kill.
    while (index / WRITES > progress) await sleep(20);
    const person = people[index % PEOPLE] as Person;
    // A writer without an answer tries again elsewhere; the first try may have been committed nevertheless.
    for (let turn = index; ; turn++) {
      const made = await person
        .at(origin(turn))
        .post('/nodes', { title, node_type: 'NOTE' })
        .catch(() => null);
      if (made?.status === 201) return void acknowledged.push(made.body.id as string);
      uncertain += 1;
      await sleep(50);
    }
  });

  let isPlanted = !rig.isPlanted;
  const plant = async (): Promise<void> => {
    if (isPlanted) return;
    const taken = await stack.query(
      `DELETE FROM webhook_deliveries WHERE id = (SELECT id FROM webhook_deliveries WHERE attempts > 0 AND status = 'pending'
        AND next_attempt_at > now() + interval '300 ms' LIMIT 1)
        RETURNING id`,
    );
    isPlanted = taken.length > 0;
  };
  const redisEvery = Math.max(1, Math.floor(rig.option('kills') / Math.max(1, rig.option('redis'))));
  let redisKills = 0;
  for (let kill = 0; kill < rig.option('kills'); kill++) {
    await sleep(500 + 1_500 * rig.random());
    progress = (kill + 1) / rig.option('kills');
    await plant();
    const victim = kill % 2;
    await (servers[victim] as Server).kill('SIGKILL');
    // Transactions of the other one are rolled back.
    await stack.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    if (kill % redisEvery === 0 && redisKills < rig.option('redis')) {
      redisKills += 1;
      await stack.killRedis();
      await sleep(300);
      await stack.startRedis();
    }
    servers[victim] = await stack.serve(environment(ports[victim as 0 | 1]));
  }
  progress = 1;
  await writing;
  for (;;) {
    await plant();
    const [{ waiting, behind } = { waiting: 1, behind: 1 }] = await stack.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending') AS waiting,
        (SELECT count(*)::int FROM webhook_subscriptions s JOIN sequences q ON q.id = s.owner_id AND q.changes > s.position) AS behind`,
    );
    if (waiting === 0 && behind === 0) break;
    await sleep(500);
  }
  const seconds = Math.round((performance.now() - begun) / 1000);

  const existing: Map<string, string>[] = [];
  for (const [index, person] of people.entries()) existing.push(await nodesOf(person.at(origin(index))));
  const missing: string[] = [];
  const phantoms: string[] = [];
  const unstable: string[] = [];
  for (const [receiver, known] of told.entries()) {
    const nodes = existing[Math.floor(receiver / APPS)] as Map<string, string>;
    for (const id of nodes.keys()) if (known.get(id)?.said !== true) missing.push(`${id} at ${receiver}`);
    for (const [id, { ids }] of known) {
      if (!nodes.has(id)) phantoms.push(`${id} at ${receiver}`);
      if (ids.size > 1) unstable.push(`${id} at ${receiver}`);
    }
  }
  const all = new Set(existing.flatMap((nodes) => [...nodes.keys()]));
  const events = existing.reduce((sum, { size }) => sum + size * APPS, 0);
  rig.say(
    `${events} events to ${told.length} receivers, ${calls} calls, ${rig.option('kills')} kills of a server, ` +
      `${redisKills} of Redis, ${uncertain} writes refused or unanswered, ${seconds} s`,
  );
  rig.expectNone(
    'acknowledged writes lost',
    acknowledged.filter((id) => !all.has(id)),
  );
  rig.expectNone('events missing', missing);
  rig.expectNone('events of what does not exist', phantoms);
  rig.expectNone('events under more than one id', unstable);
  rig.expectNone('bodies that standardwebhooks does not verify', forged);
  rig.expectNone('redirects followed', receivers.strays);
  await receivers.stop();
});
