import { LRUCache } from 'lru-cache';
import { type CounterValues } from '../../kernel/change-log/owner-counters.js';

/**
 * Counters by id. Those that OwnerCounters returns are shared with other requests: never changed, only copied
 * from.
 */
export type CountersById = ReadonlyMap<string, CounterValues>;

/** The bound for all entries of one cache together. */
const MOST_BYTES = 32 * 1024 * 1024;

interface CachedEntry {
  stamp: CounterValues;
}

/**
 * A cache of facts about callers, valid while their policy counter does not move. Every request reads the
 * counter (OwnerCounters), so an entry can never outlive the change that ended it, in any process; entries are
 * dropped only for space. Absence is not cached: no counter could end it.
 */
export class CredentialCache<T extends CachedEntry & object> {
  private readonly entries: LRUCache<string, T>;

  /** @param bounds the most entries, and the bytes of one */
  constructor(
    private readonly load: (name: string) => Promise<T | null>,
    { max, bytesOf }: { max: number; bytesOf: (entry: T) => number },
  ) {
    this.entries = new LRUCache({ max, maxSize: MOST_BYTES, sizeCalculation: bytesOf });
  }

  /** The cached entry, or else one read now: perhaps stale, and used only to learn which counter to read. */
  async recall(name: string): Promise<T | null> {
    return this.entries.get(name) ?? (await this.reload(name));
  }

  /** @param current the counter now, read after the request came; undefined if the counter does not exist */
  async fresh(name: string, entry: T, current: CounterValues | undefined): Promise<T | null> {
    return entry.stamp.policy === (current?.policy ?? 0) ? entry : this.reload(name);
  }

  /** The entry as it is stored now. */
  async reload(name: string): Promise<T | null> {
    const entry = await this.load(name);
    if (entry) this.entries.set(name, entry);
    else this.entries.delete(name);
    return entry;
  }
}

/**
 * The counters of one request: the requested ones, with the policy that the entry was read with. An entry
 * read just now may be newer than the counter that made it necessary.
 */
export function countersOf(
  ids: readonly string[],
  current: CountersById,
  [id, { policy, changes }]: [string, CounterValues],
): Map<string, CounterValues> {
  const stamps = new Map(
    ids.flatMap((one) => (current.has(one) ? [[one, current.get(one) as CounterValues] as const] : [])),
  );
  return stamps.set(id, { policy, changes: Math.max(changes, current.get(id)?.changes ?? 0) });
}
