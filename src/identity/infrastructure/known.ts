import { LRUCache } from 'lru-cache';
import { type Stamp } from '../../kernel/changes/sequences.js';

/** Counters by id. Those that Sequences hands out are shared with other requests: never changed, only copied from. */
export type Stamps = ReadonlyMap<string, Stamp>;

interface Stamped {
  stamp: Stamp;
}

/**
 * What was read about callers, kept as long as its policy counter stands. The counter is read for every request
 * (Sequences), so an entry can never outlive the change that ended it, in whichever process it was made; entries
 * leave only for room. What was not found is not kept: there is no counter that could end it.
 */
export class Known<T extends Stamped & object> {
  private readonly entries: LRUCache<string, T>;

  constructor(
    private readonly load: (name: string) => Promise<T | null>,
    max: number,
  ) {
    this.entries = new LRUCache({ max });
  }

  /** What is kept, or else read now: perhaps stale, and good only to learn whose counter to ask for. */
  async recall(name: string): Promise<T | null> {
    return this.entries.get(name) ?? (await this.reload(name));
  }

  /** @param current the counter as it stands now, read after the request came; undefined: there is none */
  async fresh(name: string, entry: T, current: Stamp | undefined): Promise<T | null> {
    return entry.stamp.policy === (current?.policy ?? 0) ? entry : this.reload(name);
  }

  private async reload(name: string): Promise<T | null> {
    const entry = await this.load(name);
    if (entry) this.entries.set(name, entry);
    else this.entries.delete(name);
    return entry;
  }
}

/**
 * The counters of one request: those asked for, with the policy that the entry was read with. An entry read just now
 * may be newer than the counter that called for it.
 */
export function stampsOf(
  ids: readonly string[],
  current: Stamps,
  [id, { policy, changes }]: [string, Stamp],
): Map<string, Stamp> {
  const stamps = new Map(
    ids.flatMap((one) => (current.has(one) ? [[one, current.get(one) as Stamp] as const] : [])),
  );
  return stamps.set(id, { policy, changes: Math.max(changes, current.get(id)?.changes ?? 0) });
}
