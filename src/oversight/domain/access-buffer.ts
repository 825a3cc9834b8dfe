import { type Accessed, type AccessEntry } from './access-entry.js';
import { HourlyLimits } from './hourly-limits.js';
import { PendingEntries } from './pending-entries.js';

/** The most that is held while the database is unavailable, in node ids: about 20 MB. */
const MAX_WEIGHT = 100_000;

/**
 * Entries that are not written yet, weighed by owner. When they are too heavy for the memory of the service, the owner
 * with most is the one whose entries lose their ids, and then entries: nobody's are lost for what others read.
 */
export class AccessBuffer {
  private pending = new Map<string, PendingEntries>();
  private weight = 0;
  private dropped = 0;
  private readonly limits = new HourlyLimits();

  constructor(
    private readonly newId: () => string,
    private readonly maxWeight = MAX_WEIGHT,
  ) {}

  get isEmpty(): boolean {
    return this.pending.size === 0;
  }

  /** True when the entries should be written without waiting for the next time. */
  get isHalfFull(): boolean {
    return this.weight * 2 >= this.maxWeight;
  }

  /** @param isPart true for further nodes of a request that is already counted, such as a page of a stream */
  add(
    accessed: Accessed,
    nodeIds: ReadonlySet<string>,
    { at, isPart = false }: { at: Date; isPart?: boolean },
  ): void {
    this.change(accessed, (pending) => {
      if (accessed.action === 'refused' || this.limits.isReached(accessed, at))
        pending.addCounts(accessed, nodeIds.size, { at, isPart });
      else this.limits.count(accessed, pending.add(accessed, nodeIds, { at, isPart }));
    });
  }

  /** Removes all entries, and returns them with the number of requests dropped since the last time. */
  take(): { entries: AccessEntry[]; dropped: number } {
    const taken = {
      entries: [...this.pending.values()].flatMap((pending) => pending.take()),
      dropped: this.dropped,
    };
    this.pending = new Map();
    this.weight = 0;
    this.dropped = 0;
    return taken;
  }

  /** Returns entries that could not be written; they come again with the next ones. */
  giveBack(entries: readonly AccessEntry[]): void {
    for (const entry of entries) this.change(entry, (pending) => pending.giveBack(entry));
  }

  private change(accessed: Accessed, change: (pending: PendingEntries) => void): void {
    const key = payerOf(accessed);
    let pending = this.pending.get(key);
    if (pending === undefined) this.pending.set(key, (pending = new PendingEntries(this.newId)));
    const before = pending.weight;
    change(pending);
    this.weight += pending.weight - before;
    while (this.weight > this.maxWeight) this.relieve();
  }

  private relieve(): void {
    const [key, heaviest] = [...this.pending].reduce((a, b) => (b[1].weight > a[1].weight ? b : a));
    const before = heaviest.weight;
    this.dropped += heaviest.lighten();
    this.weight += heaviest.weight - before;
    if (heaviest.weight === 0) this.pending.delete(key);
  }
}

/** Refusals weigh for the app: it names whom it likes, people who do not exist among them. */
const payerOf = ({ action, appId, ownerId }: Accessed): string =>
  action === 'refused' ? `refused ${appId}` : ownerId;
