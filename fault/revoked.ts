import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer } from '../test/support/client.js';
import { ok, type Permission, Person } from './support/people.js';
import { Receivers } from './support/receivers.js';
import { each, Rig, run, times } from './support/rig.js';
import { Stack } from './support/stack.js';

/**
 * `npm run fault:revoked`: permissions that end between a change and its delivery, in several ways: before a worker has
 * seen the change, and after a first attempt that failed. Nothing may be sent. The planted fault forgets to end one.
 */
const rig = new Rig('revoked', { cases: 1_000 });
const APPS = 20;
const PEOPLE = Math.ceil(rig.option('cases') / APPS);
const RETRY_SECONDS = 10;
const stack = new Stack();

const WAYS: Record<string, (origin: string, given: Permission) => Promise<Answer>> = {
  'authorization revoked': (origin, { person, authorization }) =>
    person.at(origin).delete(`/authorizations/${authorization}`),
  'profile shows no tags': (origin, { person, profile }) =>
    person.at(origin).put(`/exposure-profiles/${profile}`, {
      tag_permissions: {},
    }),
  'profile shows no schemas': (origin, { person, profile }) =>
    person.at(origin).put(`/exposure-profiles/${profile}`, {
      schema_permissions: { read: { schema_ids: [], allow_all: false } },
    }),
  'profile leaves the tag out': (origin, { person, profile }) =>
    person.at(origin).put(`/exposure-profiles/${profile}`, { tag_filters: { exclude_any: ['told'] } }),
  'another profile': async (origin, { person, authorization }) => {
    // The profile must grant the app's requests, and can leave out the nodes that it filters.
    const wish = { template: 'transparent', name: `closed ${rig.random()}` };
    const { body } = ok(await person.at(origin).post('/exposure-profiles/from-template', wish));
    ok(
      await person
        .at(origin)
        .put(`/exposure-profiles/${body.id}`, { tag_filters: { exclude_any: ['told'] } }),
    );
    return person.at(origin).patch(`/authorizations/${authorization}`, { exposure_profile_id: body.id });
  },
};

await run(rig, stack, async () => {
  let isRevoked = false;
  const refused = new Set<number>();
  const leaked: string[] = [];
  const receivers = await Receivers.start(({ receiver, body }) => {
    if (isRevoked) leaked.push(`${body.event} at ${receiver}`);
    else refused.add(receiver);
    return isRevoked ? 200 : 500;
  });
  await stack.startPostgres();
  await stack.startRedis();
  const serving = await stack.serve({ WEBHOOK_WORKERS: 'false' });
  const { origin } = serving;

  const people: Person[] = [];
  await each(times(PEOPLE, Number), 4, async () => void people.push(await Person.register(origin)));
  const given: Permission[] = [];
  for (let number = 0; number < APPS; number++) {
    const app = await (people[number % PEOPLE] as Person).makesApp(origin);
    await each(people, 6, async (person) => {
      const permission = await person.lets(origin, app);
      const wish = {
        webhook_url: receivers.url(given.push(permission)),
        events: ['node.created', 'node.updated'],
      };
      ok(await app.as(person, origin).post('/webhooks/subscribe', wish));
    });
  }
  const change = async (title: string, some: readonly Person[]): Promise<void> =>
    each(some, 4, async (person) => {
      ok(await person.at(origin).post('/nodes', { title, node_type: 'NOTE', tags: ['told'] }));
    });
  const waiting = async (): Promise<number> =>
    (
      await stack.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'pending'`,
      )
    )[0]?.count ?? 0;

  // Deliveries of the first half were tried once and refused; no worker has seen the second half.
  const half = Math.ceil(PEOPLE / 2);
  await change('tried', people.slice(0, half));
  const retry = { WEBHOOK_RETRY_SECONDS: `${RETRY_SECONDS},${RETRY_SECONDS}` };
  const first = await stack.serve(retry);
  while (refused.size < half * APPS) await sleep(20);
  await first.kill('SIGTERM');
  const tried = await waiting();
  await change('not looked at', people.slice(half));

  const ways = Object.entries(WAYS);
  const counts = new Map<string, number>();
  const cases = rig.isPlanted ? given.slice(1) : given;
  await each(cases, 4, async (permission, index) => {
    const [name, end] = ways[index % ways.length] as (typeof ways)[number];
    counts.set(name, (counts.get(name) ?? 0) + 1);
    ok(await end(origin, permission));
  });
  isRevoked = true;
  await stack.serve(retry);
  await sleep(RETRY_SECONDS * 1_000);
  while ((await waiting()) > 0) await sleep(100);
  await sleep(RETRY_SECONDS * 1_000);
  const [behind] = await stack.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_subscriptions s JOIN sequences q ON q.id = s.owner_id AND q.changes > s.position`,
  );
  rig.say(
    `${cases.length} cases (${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}), ` +
      `${tried} of them after a failed attempt`,
  );
  rig.expect('deliveries are left', behind?.count === 0);
  rig.expectNone('deliveries after the end of the permission', leaked);
  const [rows] = await stack.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_deliveries`,
  );
  rig.expect(`${rows?.count} deliveries are listed still`, rows?.count === 0);
  await receivers.stop();
});
