import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectoryLocked, lockDirectory } from './lock.js';

describe('lockDirectory', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const claims = () => readdir(join(directory, 'lock'));

  it('a locked data directory is refused within a second, and free again afterwards', async () => {
    const release = await lockDirectory(directory);
    const asked = performance.now();
    await expect(lockDirectory(directory)).rejects.toThrow(DataDirectoryLocked);
    expect(performance.now() - asked).toBeLessThan(1000);
    await expect(lockDirectory(directory)).rejects.toThrow(
      `The data directory ${directory} is in use by another process (pid ${process.pid})`,
    );
    await release();
    expect(await claims()).toEqual([]);
    await (
      await lockDirectory(directory)
    )();
  });

  it('one concurrent attempt at most gets the lock', async () => {
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => lockDirectory(directory)));
      const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(winners.length).toBeLessThanOrEqual(1);
      for (const { value: release } of winners) await release();
      expect(await claims()).toEqual([]);
    }
  });

  it('a directory whose path is too long for a socket can be locked', async () => {
    const deep = join(directory, 'd'.repeat(120));
    const release = await lockDirectory(deep);
    await expect(lockDirectory(deep)).rejects.toThrow(DataDirectoryLocked);
    await release();
    await (
      await lockDirectory(deep)
    )();
  });

  describe('claims by network', () => {
    const claim = async (secondsAgo: number) => {
      await (
        await lockDirectory(directory)
      )();
      const file = join(directory, 'lock', '0123456789ab-aaaaaaaaaaaa');
      await writeFile(file, '1');
      const then = new Date(Date.now() - secondsAgo * 1000);
      await utimes(file, then, then);
    };

    it('a data directory claimed by another machine is refused while that one gives signs of life', async () => {
      await claim(10);
      await expect(lockDirectory(directory)).rejects.toThrow('a process of another machine or container');
    });

    it('a data directory claimed by another machine is locked after 30 s without a sign of life', async () => {
      await claim(40);
      const release = await lockDirectory(directory);
      expect((await claims()).filter((name) => name.startsWith('0123456789ab'))).toEqual([]);
      await release();
    });
  });
});
