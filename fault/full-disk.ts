import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '../test/support/server.js';
import { Person } from './support/people.js';
import { Rig, run } from './support/rig.js';
import { preload, ROOT } from './support/stack.js';
import { Writers } from './support/writers.js';

/**
 * `npm run fault:full-disk`: the service with its embedded database on a small file system of its own, which
 * another program fills: nearly (writes stop, reads continue) and to the last byte (the database may have
 * to recover). Needs the right to mount. The planted fault is a service that reads a wrong amount of free
 * space.
 */
const rig = new Rig('full-disk', { rounds: 6, megabytes: 320 });
const BACK_MS = 5_000;
const MIB = 1024 * 1024;
const disk = mkdtempSync(join(tmpdir(), 'pig-disk-'));
let server: Server | null = null;

execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${rig.option('megabytes')}m`, 'tmpfs', disk]);
const clear = async (): Promise<void> => {
  await server?.kill();
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
};

const room = (): number => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};

/** Fills the disk until only that much is left. */
function fill(left: number): void {
  const file = openSync(join(disk, 'somebody-elses'), 'a');
  const piece = Buffer.alloc(MIB);
  try {
    while (room() > left) writeSync(file, piece, 0, Math.min(MIB, room() - left));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
const free = (): void => rmSync(join(disk, 'somebody-elses'), { force: true });

await run(rig, { clear }, async () => {
  mkdirSync(join(disk, 'data'));
  const environment = {
    DATA_DIR: join(disk, 'data'),
    LOG_LEVEL: 'fatal',
    ...(rig.isPlanted ? { NODE_OPTIONS: preload('room-for-ever') } : {}),
  };
  server = await Server.start(environment, { root: ROOT });
  const { origin } = server;
  const person = await Person.register(origin);
  const writers = new Writers([() => person.at(origin)], 4, true);
  const back: number[] = [];
  const unread: string[] = [];
  const endless: string[] = [];
  for (let round = 0; round < rig.option('rounds'); round++) {
    await writers.until({ acknowledged: 30 });
    const isWhole = round % 2 === 1;
    fill(isWhole ? 0 : 20 * MIB);
    // Writing ends by refusals, not by failures.
    const end = Date.now() + 20_000;
    for (const { refused } = writers; writers.refused < refused + 4; await sleep(10))
      if (Date.now() > end) {
        endless.push(`round ${round}`);
        break;
      }
    if (!isWhole) {
      const { status } = await person
        .at(origin)
        .get('/nodes?limit=10')
        .catch(() => ({ status: 0 }));
      if (status !== 200) unread.push(`round ${round}: ${status}`);
    }
    free();
    const freed = performance.now();
    const next = writers.until({ acknowledged: 1 });
    await Promise.race([next, sleep(4 * BACK_MS)]);
    back.push(performance.now() - freed);
  }
  await writers.end();
  rig.say(
    `${rig.option('rounds')} times full, every other time to the last byte: ${writers.acknowledged.length} acknowledged, ` +
      `${writers.refused} times 503, ${writers.unanswered} unanswered; writing again ${Math.max(...back).toFixed(0)} ms (slowest) after there was room`,
  );
  rig.expectNone('acknowledged writes lost', await writers.lost(person.at(origin)).catch(String));
  // Every acknowledged write is on the disk.
  await server.kill();
  server = await Server.start(environment, { root: ROOT });
  rig.expectNone('acknowledged writes lost after a kill', await writers.lost(person.at(server.origin)));
  rig.expectNone('answers that are neither a yes nor 503 in the envelope', writers.wrong);
  rig.expectNone('reads refused while the disk is nearly full', unread);
  rig.expectNone('rounds in which writing went on or broke off', endless);
  rig.expect(`${writers.unanswered} writes were not answered`, writers.unanswered === 0);
  rig.expectNone(
    `returns later than ${BACK_MS} ms`,
    back.filter((ms) => ms > BACK_MS),
  );
});
