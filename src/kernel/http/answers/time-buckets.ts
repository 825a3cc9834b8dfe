import { setTimeout } from 'node:timers/promises';

/** In milliseconds: longer than finding nothing takes, shorter than people notice. */
const BUCKET_MS = 10;

interface Waiting {
  end: number;
  go: () => void;
}

let waiting: Waiting[] = [];

/**
 * Waits for the end of the current time bucket, counted from the beginning of a request: equal answers then take equal
 * time, whatever was read for them (ADR 19).
 * @param begunAt by `performance.now()`
 */
export async function endOfTimeBucket(begunAt: number): Promise<void> {
  const end = begunAt + Math.ceil((performance.now() - begunAt) / BUCKET_MS) * BUCKET_MS;
  // A timer runs for whole milliseconds from its start, and that start is the secret: the last millisecond is not left
  // to it.
  const whole = Math.floor(end - performance.now()) - 1;
  if (whole > 0) await setTimeout(whole);
  await new Promise<void>((go) => {
    if (waiting.push({ end, go }) === 1) setImmediate(releaseEnded);
  });
}

/** Runs once in each turn of the event loop, however many requests wait. */
function releaseEnded(): void {
  const now = performance.now();
  const those = waiting;
  waiting = those.filter(({ end }) => end > now);
  for (const { end, go } of those) if (end <= now) go();
  if (waiting.length > 0) setImmediate(releaseEnded);
}
