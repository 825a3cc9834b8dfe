import { setTimeout as sleep } from 'node:timers/promises';
import { type Server } from '../test/support/server.js';
import { Person } from './support/people.js';
import { Rig, run, times } from './support/rig.js';
import { Stack } from './support/stack.js';

/**
 * `npm run fault:limits`: many requests at once at a limit of 30 a minute, at one process with its own counters, at one
 * with Redis, and at four with one Redis. The planted fault is one process of the four without Redis.
 */
const rig = new Rig('limits', { requests: 1_000, rounds: 3 });
const LIMIT = 30;
const MINUTE_MS = 60_000;
/** All requests of a round must fall into one minute. */
const ENOUGH_MS = 25_000;
const stack = new Stack();

await run(rig, stack, async () => {
  await stack.startPostgres();
  await stack.startRedis();
  const { origin } = await stack.serve({ WEBHOOK_WORKERS: 'false' });
  const developer = await Person.register(origin);
  const limited = (environment: Record<string, string> = {}): Promise<Server> =>
    stack.serve({ RATE_LIMITS: 'on', WEBHOOK_WORKERS: 'false', ...environment });
  const alone = await limited({ REDIS_URL: '' });
  const shared: Server[] = [];
  for (let i = 0; i < 4; i++) shared.push(await limited(rig.isPlanted && i === 0 ? { REDIS_URL: '' } : {}));
  const set = {
    'one process by itself': [alone],
    'one process with Redis': shared.slice(1, 2),
    'four processes with Redis': shared,
  };
  const wrong: string[] = [];
  for (let round = 0; round < rig.option('rounds'); round++) {
    for (const [name, servers] of Object.entries(set)) {
      const person = await Person.register(origin);
      const app = await developer.makesApp(origin);
      await person.lets(origin, app);
      const left = MINUTE_MS - (Date.now() % MINUTE_MS);
      if (left < ENOUGH_MS) await sleep(left + 50);
      const answers = await Promise.all(
        times(rig.option('requests'), async (index) => {
          const server = servers[index % servers.length] as Server;
          const note = { title: `note ${index}`, node_type: 'NOTE' };
          return (await app.as(person, server.origin).post('/nodes', note)).status;
        }),
      );
      const granted = answers.filter((status) => status === 201).length;
      const refused = answers.filter((status) => status === 429).length;
      rig.say(`${name}: ${granted} granted, ${refused} refused of ${answers.length}`);
      if (granted !== LIMIT || granted + refused !== answers.length) wrong.push(`${name} ${granted}`);
    }
  }
  rig.expectNone(`rounds with another number than ${LIMIT}`, wrong);
});
