import { get } from 'node:http';

/** The memory of a process after a garbage collection. Sizes in bytes, times in milliseconds. */
export interface Reading {
  rss: number;
  heapUsed: number;
  /** The heap's memory from the system, including its free part. */
  heapTotal: number;
  external: number;
  handles: Record<string, number>;
  lag: { p50: number; p99: number; max: number };
}

export const MIB = 1024 * 1024;

/** Queries a process that was started with the gauge (`fault/plants/gauge.mjs`). */
export class Gauge {
  constructor(private readonly socketPath: string) {}

  read(): Promise<Reading> {
    return this.ask('/') as Promise<Reading>;
  }

  async snapshot(file: string): Promise<void> {
    await this.ask(`/?snapshot=${encodeURIComponent(file)}`);
  }

  private ask(path: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const sent = get({ socketPath: this.socketPath, path }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve(JSON.parse(text)));
      });
      sent.on('error', reject);
    });
  }
}

/** A quarter of a series, the first one is 0. */
export const quarter = <T>(series: readonly T[], nth: number): T[] =>
  series.slice(Math.floor((series.length * nth) / 4), Math.floor((series.length * (nth + 1)) / 4));

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** The slope of a line through the values (Theil and Sen: the median of all slopes). */
export function slope(values: readonly number[]): number {
  const slopes: number[] = [];
  values.forEach((from, i) => values.slice(i + 1).forEach((to, gap) => slopes.push((to - from) / (gap + 1))));
  return median(slopes);
}
