import { sortInSlices } from '../../../kernel/slices.js';

/** The most memory that the entries of one question take. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The number of entries beyond those wanted that come together before they are sorted and dropped. */
const SPARE = 1_000;

export interface WantedEntries<T> {
  compare: (a: T, b: T) => number;
  /** The number of entries from the first one on. */
  most: number;
  /** The memory that an entry takes. */
  bytesOf: (entry: T) => number;
}

/**
 * The first of any number of entries, in an order in which no two are equal. Holds about twice as many as are wanted, and
 * no more than {@link MOST_BYTES}.
 */
export class FirstEntries<T> {
  /** True if fewer than the wanted entries are here, because more of them would take too much memory. */
  isShort = false;
  private entries: T[] = [];
  private bytes = 0;
  /** The first entry that was dropped: neither it nor any behind it is here. */
  private end: T | null = null;

  constructor(
    private readonly wanted: WantedEntries<T>,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /** The number of entries in memory. */
  get held(): number {
    return this.entries.length;
  }

  /** Adds an entry; returns a promise only where others are served while entries are sorted. */
  add(entry: T): Promise<void> | undefined {
    const { compare, most, bytesOf } = this.wanted;
    if (this.end !== null && compare(entry, this.end) >= 0) return undefined;
    this.entries.push(entry);
    this.bytes += bytesOf(entry);
    const isFull = this.entries.length > 2 * most + SPARE || this.bytes > this.mostBytes;
    return isFull ? this.cut(this.mostBytes / 2) : undefined;
  }

  /** The entries in their order. */
  async sorted(): Promise<readonly T[]> {
    await this.cut(this.mostBytes);
    return this.entries;
  }

  /** Drops what is not wanted, and what lies behind entries of this size; the first entry stays. */
  private async cut(mostBytes: number): Promise<void> {
    const { compare, most, bytesOf } = this.wanted;
    const sorted = await sortInSlices(this.entries, compare);
    let [kept, bytes] = [0, 0];
    while (kept < Math.min(sorted.length, most) && (kept === 0 || bytes < mostBytes))
      bytes += bytesOf(sorted[kept++] as T);
    if (kept < sorted.length) this.end = sorted[kept] as T;
    if (kept < Math.min(sorted.length, most)) this.isShort = true;
    this.entries = sorted.slice(0, kept);
    this.bytes = bytes;
  }
}
