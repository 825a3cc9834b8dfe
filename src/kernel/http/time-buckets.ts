import { setTimeout } from 'node:timers/promises';

/** Milliseconds: more than it takes to find out that nothing is there, less than anybody feels. */
const BUCKET_MS = 10;

interface Waiting {
  end: number;
  go: () => void;
}

let waiting: Waiting[] = [];

/**
 * Waits for the end of the bucket of time that has begun, counted from the beginning of a request: answers that say the
 * same then take the same time, whatever was looked at on the way to them (ADR 19).
 * @param begunAt by `performance.now()`
 */
export async function endOfTimeBucket(begunAt: number): Promise<void> {
  const end = begunAt + Math.ceil((performance.now() - begunAt) / BUCKET_MS) * BUCKET_MS;
  // A timer runs for whole milliseconds from when it was set, which is what must not be told: the last one is not left to it.
  const whole = Math.floor(end - performance.now()) - 1;
  if (whole > 0) await setTimeout(whole);
  await new Promise<void>((go) => {
    if (waiting.push({ end, go }) === 1) setImmediate(lookAtClock);
  });
}

/** Once in each turn of the event loop, however many wait. */
function lookAtClock(): void {
  const now = performance.now();
  const those = waiting;
  waiting = those.filter(({ end }) => end > now);
  for (const { end, go } of those) if (end <= now) go();
  if (waiting.length > 0) setImmediate(lookAtClock);
}
