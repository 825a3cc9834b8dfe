import { Config } from '../../src/config/config.js';
import { Clock } from '../../src/kernel/clock.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { onPostgres } from '../support/database.js';
import { holdClock } from '../support/moved-clock.js';
import { World } from '../support/world.js';

const HOUR = 60 * 60;

it('each sweep is done once an hour by one of all processes', async () => {
  const first = await World.startHere();
  const { databaseUrl, dataDir } = first.nest.get(Config);
  // The embedded database belongs to one process.
  const second = onPostgres
    ? await World.startHere({ DATABASE_URL: databaseUrl as string, DATA_DIR: dataDir })
    : first;
  try {
    const clock = holdClock(first);
    second.nest.get(Clock).now = () => clock.now;
    const done: string[] = [];
    const all = [...new Set([first, second])].map((world, index) => {
      const housekeeping = world.nest.get(Housekeeping);
      housekeeping.register('everything', async () => void done.push(`by ${index}`));
      return housekeeping;
    });
    const turn = () => Promise.all([...all, ...all].map((housekeeping) => housekeeping.takeTurns()));
    await turn();
    expect(done).toHaveLength(1);
    clock.advance(HOUR / 2);
    await turn();
    expect(done).toHaveLength(1);
    clock.advance(HOUR / 2);
    await turn();
    expect(done).toHaveLength(2);
  } finally {
    if (second !== first) await second.stop();
    await first.stop();
  }
});
