import { type Redis as Client } from 'ioredis';
import { windowAt, type Window } from '../domain/rate-limits.js';

/** The result for a request: admitted if it fits into all its windows, with their counts after it. */
export interface Taken {
  isGranted: boolean;
  counts: number[];
}

/**
 * Counts requests in fixed windows, atomically: a request that one window refuses counts in none of them, and
 * of concurrent requests exactly as many pass as fit.
 */
export interface WindowCounters {
  take(windows: readonly Window[], now: Date): Promise<Taken>;
}

/** Counters in this process. A window's counters are dropped as a whole when the next one begins. */
export class MemoryCounters implements WindowCounters {
  /** The current window and its counters, by length in seconds. */
  private readonly present = new Map<number, { at: number; counts: Map<string, number> }>();

  async take(windows: readonly Window[], now: Date): Promise<Taken> {
    const counters = windows.map(({ seconds }) => this.countersOf(seconds, now));
    const counts = windows.map(({ key }, index) => counters[index]?.get(key) ?? 0);
    const isGranted = windows.every(({ limit }, index) => (counts[index] as number) < limit);
    if (!isGranted) return { isGranted, counts };
    const raised = counts.map((count) => count + 1);
    windows.forEach(({ key }, index) => counters[index]?.set(key, raised[index] as number));
    return { isGranted, counts: raised };
  }

  private countersOf(seconds: number, now: Date): Map<string, number> {
    const at = windowAt(seconds, now);
    let window = this.present.get(seconds);
    if (window?.at !== at) this.present.set(seconds, (window = { at, counts: new Map() }));
    return window.counts;
  }
}

/** KEYS: the windows; ARGV: their limits, then the seconds after which they may be forgotten. */
const TAKE = `
local counts = {}
local granted = 1
for i, key in ipairs(KEYS) do
  counts[i] = tonumber(redis.call('GET', key) or '0')
  if counts[i] >= tonumber(ARGV[i]) then granted = 0 end
end
if granted == 1 then
  for i, key in ipairs(KEYS) do
    counts[i] = redis.call('INCR', key)
    if counts[i] == 1 then redis.call('EXPIRE', key, ARGV[#KEYS + i]) end
  end
end
table.insert(counts, 1, granted)
return counts`;

type WithTake = Client & { takeWindows(keys: number, ...values: (string | number)[]): Promise<number[]> };

/**
 * Counters in Redis, for any number of processes: one script, which runs atomically. Fails while Redis is
 * unavailable.
 */
export class RedisCounters implements WindowCounters {
  private readonly client: WithTake;

  constructor(client: Client) {
    client.defineCommand('takeWindows', { lua: TAKE });
    this.client = client as WithTake;
  }

  async take(windows: readonly Window[], now: Date): Promise<Taken> {
    const keys = windows.map(({ key, seconds }) => `limit:${seconds}:${windowAt(seconds, now)}:${key}`);
    const limits = windows.map(({ limit }) => limit);
    // One minute more than the window, because clocks of processes differ.
    const lives = windows.map(({ seconds }) => seconds + 60);
    const [granted, ...counts] = await this.client.takeWindows(keys.length, ...keys, ...limits, ...lives);
    return { isGranted: granted === 1, counts };
  }
}
