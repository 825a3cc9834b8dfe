import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spool } from './spool.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'pig-spool-'))));
afterAll(() => rm(folder, { recursive: true }));

/** Content larger than one read. */
const CONTENT = Buffer.from(Array.from({ length: 200_000 }, (_, index) => `${index}\n`).join(''));

async function filled(): Promise<Spool> {
  const spool = await Spool.open(folder, null);
  for (let at = 0; at < CONTENT.length; at += 1000) await spool.append(CONTENT.subarray(at, at + 1000));
  await spool.flush();
  return spool;
}

it('gives back each part of what it was given', async () => {
  const spool = await filled();
  for (const [start, end] of [
    [0, CONTENT.length],
    [7, 8],
    [70_000, 900_000],
    [5, 5],
  ] as const)
    expect(Buffer.concat(await spool.read(start, end).toArray()).equals(CONTENT.subarray(start, end))).toBe(
      true,
    );
  await spool.close();
});

it('closes nothing but its own file when a reader has gone in the middle', async () => {
  const spool = await filled();
  const reader = spool.read(0, CONTENT.length);
  await once(reader, 'readable');
  reader.destroy();
  await once(reader, 'close');
  // Other files take any number that became free.
  const others: FileHandle[] = [];
  for (let i = 0; i < 8; i++) others.push(await open(folder));
  await spool.close();
  for (const other of others) {
    await other.stat();
    await other.close();
  }
});

it('waits for a reader when it closes, and gives no bytes beyond its end', async () => {
  const spool = await filled();
  await expect(spool.read(CONTENT.length - 1, CONTENT.length + 1).toArray()).rejects.toThrow(
    'the spool ends',
  );
  const buffer = Buffer.alloc(100_000);
  const filling = spool.fill(buffer, 1000);
  await spool.close();
  await filling;
  expect(buffer.equals(CONTENT.subarray(1000, 101_000))).toBe(true);
  await expect(spool.read(0, 1).toArray()).rejects.toThrow();
});

it('holds only what came after it was cleared', async () => {
  const spool = await filled();
  await spool.append(Buffer.from('not written yet'));
  await spool.clear();
  expect(spool.position).toBe(0);
  await spool.append(Buffer.from('anew'));
  await spool.flush();
  expect(Buffer.concat(await spool.read(0, spool.position).toArray()).toString()).toBe('anew');
  await expect(spool.read(0, 5).toArray()).rejects.toThrow('the spool ends');
  await spool.close();
});
