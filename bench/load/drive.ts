import { Connection } from './connection.js';

export interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** Bytes of the next request. */
  next: () => Buffer;
  /** The only status that counts as success; any other one ends the benchmark. */
  status: number;
}

export interface Sample {
  /** Requests a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
}

/** Keeps every connection busy for the given time. */
export async function drive(load: Load): Promise<Sample> {
  const open = Array.from({ length: load.connections }, () => new Connection(load.port));
  const times: number[] = [];
  const begin = performance.now();
  const until = begin + load.seconds * 1000;
  try {
    await Promise.all(open.map((connection) => keepBusy(connection, load, until, times)));
  } finally {
    for (const connection of open) connection.close();
  }
  const elapsed = (performance.now() - begin) / 1000;
  times.sort((a, b) => a - b);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((q) => quantile(times, q)) as [number, number, number];
  return { rate: times.length / elapsed, p50, p95, p99 };
}

async function keepBusy(connection: Connection, load: Load, until: number, times: number[]): Promise<void> {
  for (let now = performance.now(); now < until;) {
    const { status, body } = await connection.send(load.next());
    if (status !== load.status)
      throw new Error(`answered ${status} instead of ${load.status}: ${excerpt(body)}`);
    const after = performance.now();
    times.push(after - now);
    now = after;
  }
}

/** Both ends: the reason of a failure is often at the end. */
function excerpt(body: Buffer): string {
  const text = body.toString('utf8');
  return text.length <= 800 ? text : `${text.slice(0, 300)} … ${text.slice(-500)}`;
}

const quantile = (sorted: number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Sends `next()` about `perSecond` times a second over one connection of its own, until stopped. */
export function trickle(
  load: Omit<Load, 'connections' | 'seconds'>,
  perSecond: number,
): { stop(): Promise<number> } {
  const connection = new Connection(load.port);
  let running = true;
  let sent = 0;
  const begin = performance.now();
  const done = (async () => {
    while (running) {
      const { status, body } = await connection.send(load.next());
      if (status !== load.status) throw new Error(`the writer was answered ${status}: ${excerpt(body)}`);
      sent++;
      const pause = begin + (sent * 1000) / perSecond - performance.now();
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, pause)));
    }
  })();
  done.catch(() => undefined);
  return {
    /** Returns the number of requests answered. */
    async stop() {
      running = false;
      await done;
      connection.close();
      return sent;
    },
  };
}
