import { setTimeout as sleep } from 'node:timers/promises';
import { type Server } from '../test/support/server.js';
import { Person } from './support/people.js';
import { quantile, Rig, run } from './support/rig.js';
import { Stack } from './support/stack.js';
import { Writers } from './support/writers.js';

/**
 * `npm run fault:restarts`: PostgreSQL restarted under load, every other time as by a crash; Redis flushed and killed.
 * Two processes. The planted fault is a PostgreSQL that acknowledges before it has written.
 */
const rig = new Rig('restarts', { restarts: 10, writers: 8 });
const BACK_MS = 5_000;
const stack = new Stack();

await run(rig, stack, async () => {
  await stack.startPostgres();
  await stack.startRedis();
  if (rig.isPlanted) {
    await stack.query('ALTER SYSTEM SET synchronous_commit = off');
    await stack.query('ALTER SYSTEM SET wal_writer_delay = 10000');
    await stack.query('SELECT pg_reload_conf()');
  }
  const servers: Server[] = [await stack.serve(), await stack.serve()];
  const person = await Person.register((servers[0] as Server).origin);
  const writers = new Writers(
    servers.map(
      ({ origin }) =>
        () =>
          person.at(origin),
    ),
    rig.option('writers'),
  );
  const back: number[] = [];
  const unready: string[] = [];
  for (let restart = 0; restart < rig.option('restarts'); restart++) {
    await writers.until({ acknowledged: 60 });
    const mode = restart % 2 === 0 ? 'immediate' : 'fast';
    await stack.stopPostgres(mode);
    await writers.until({ refused: rig.option('writers') });
    await stack.startPostgres();
    const started = performance.now();
    await writers.until({ acknowledged: 1 });
    back.push(performance.now() - started);
    // A lost Redis is no reason to refuse anything.
    const { refused } = writers;
    if (restart % 2 === 0) await stack.flushRedis();
    else await stack.killRedis();
    await writers.until({ acknowledged: 30 });
    if (restart % 2 === 1) await stack.startRedis();
    if (writers.refused > refused + rig.option('writers'))
      unready.push(`${writers.refused - refused} refused`);
  }
  await writers.end();
  // The last restart of Redis may have been a moment ago.
  const health = async (): Promise<unknown> =>
    (await person.at((servers[0] as Server).origin).get('//health/ready')).body.redis;
  for (const end = Date.now() + BACK_MS; (await health()) !== 'up' && Date.now() < end;) await sleep(50);
  rig.expect('Redis is not found again', (await health()) === 'up');
  rig.say(
    `${rig.option('restarts')} restarts, half of them immediate: ${writers.acknowledged.length} acknowledged, ` +
      `${writers.refused} times 503; back ${quantile(back, 0.5).toFixed(0)} ms (median) and ` +
      `${Math.max(...back).toFixed(0)} ms (slowest) after PostgreSQL was`,
  );
  rig.expectNone('acknowledged writes lost', await writers.lost(person.at((servers[1] as Server).origin)));
  rig.expectNone('answers that are neither a yes nor 503 in the envelope', writers.wrong);
  rig.expectNone('refusals for want of Redis', unready);
  rig.expectNone(
    `returns later than ${BACK_MS} ms`,
    back.filter((ms) => ms > BACK_MS),
  );
});
