import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import Bull, { type Queue } from 'bull';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { BullQueue } from '../../src/delivery/infrastructure/bull-queue.js';
import { redisUrl } from '../support/redis.js';

let queues: Queue[] = [];
let processes: BullQueue[];
beforeEach(() => {
  const name = `wakes-${randomUUID()}`;
  queues = [new Bull(name, redisUrl()), new Bull(name, redisUrl())];
  processes = queues.map((queue) => new BullQueue(queue));
});
afterEach(async () => {
  await queues[0]?.obliterate({ force: true });
  for (const one of processes) await one.close();
});
/** Wakes, and waits until that has been put into the queue, or was not necessary. */
const wake = async (place: number) => {
  const queue = queues[place] as Queue;
  const [asked, added] = [jest.spyOn(queue, 'getWaitingCount'), jest.spyOn(queue, 'add')];
  processes[place]?.wake();
  while (asked.mock.results.length === 0) await setImmediate();
  await asked.mock.results[0]?.value;
  await setImmediate();
  for (const { value } of added.mock.results) await value;
  jest.restoreAllMocks();
};

it('changes wake whoever comes, once, however many processes write and nobody works', async () => {
  for (let turn = 0; turn < 6; turn++) await wake(turn % 2);
  expect(await queues[0]?.getWaitingCount()).toBe(1);
  let works = 0;
  processes[0]?.onWake(() => Promise.resolve(void (works += 1)));
  while (works === 0) await setImmediate();
});

it('a change during the work of one who was woken, or after it has failed, wakes again', async () => {
  let works = 0;
  let fail: (error: Error) => void = () => undefined;
  processes[0]?.onWake(() => {
    works += 1;
    return new Promise((_, reject) => (fail = reject));
  });
  await wake(0);
  while (works === 0) await setImmediate();
  await wake(1);
  expect(await queues[1]?.getWaitingCount()).toBe(1);
  fail(new Error('failed'));
  while (works < 2) await setImmediate();
  fail(new Error('failed'));
  await wake(1);
  while (works < 3) await setImmediate();
  fail(new Error('failed'));
});
