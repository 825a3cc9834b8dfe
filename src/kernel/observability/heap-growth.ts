import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

const MIB = 1024 * 1024;
/** A heap doubles up to this size; a larger one grows by `ROOM_BYTES`. */
const DOUBLED_BYTES = 128 * MIB;
const ROOM_BYTES = 40 * MIB;
/** The same as at the start (scripts/bundle/service.cjs). */
const MOST_PERCENT = 100;
/** Less than this would keep the process collecting garbage. */
const LEAST_PERCENT = 15;

/** The growth, in percent of the bytes in use, that a heap may have before its old part is collected again. */
export function growthPercent(usedBytes: number): number {
  const room = Math.max(ROOM_BYTES, DOUBLED_BYTES - usedBytes);
  return Math.min(MOST_PERCENT, Math.max(LEAST_PERCENT, Math.round((100 * room) / usedBytes)));
}

/**
 * Lets a heap double up to 128 MiB, and grow by 40 MiB beyond: a large heap would otherwise hold as much garbage as
 * live data (ADR 43). The bytes in use are known after each collection of the old generation, and take effect from the
 * next one on.
 */
export function limitHeapGrowth(): void {
  let current = MOST_PERCENT;
  const adapt = (): void => {
    const percent = growthPercent(getHeapStatistics().used_heap_size);
    if (percent === current) return;
    current = percent;
    setFlagsFromString(`--heap-growing-percent=${percent}`);
  };
  const isMajor = (entry: object): boolean =>
    (entry as { detail: { kind: number } }).detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isMajor)) adapt();
  }).observe({ entryTypes: ['gc'] });
}
