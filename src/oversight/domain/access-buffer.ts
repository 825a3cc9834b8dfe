import { type Accessed, type AccessEntry, MAX_NODE_IDS } from './access-entry.js';

/** The weight of an entry itself, in node ids. */
const ENTRY_WEIGHT = 8;
/** The most that is held while the database is unavailable: about 20 MB. */
const MAX_WEIGHT = 100_000;

interface Open extends AccessEntry {
  ids: Set<string>;
}

/**
 * Entries that are not written yet. Equal accesses become one entry until the next batch is taken. Entries beyond the
 * limit are counted and dropped: the log must not exhaust the memory of the service.
 */
export class AccessBuffer {
  private open = new Map<string, Open>();
  private waiting: AccessEntry[] = [];
  private weight = 0;
  private dropped = 0;

  constructor(
    private readonly newId: () => string,
    private readonly maxWeight = MAX_WEIGHT,
  ) {}

  get isEmpty(): boolean {
    return this.open.size === 0 && this.waiting.length === 0;
  }

  /** @param isPart true for further nodes of a request that is already counted, such as a page of a stream */
  add(
    accessed: Accessed,
    nodeIds: ReadonlySet<string>,
    { at, isPart = false }: { at: Date; isPart?: boolean },
  ): void {
    if (this.weight >= this.maxWeight) {
      this.dropped++;
      return;
    }
    const entry = this.entryFor(accessed, nodeIds.size, at);
    entry.at = at;
    if (!isPart) entry.requests++;
    const before = entry.ids.size;
    let beyond = 0;
    for (const id of nodeIds) {
      if (entry.ids.size < MAX_NODE_IDS) entry.ids.add(id);
      else if (!entry.ids.has(id)) beyond++;
    }
    entry.nodeCount += entry.ids.size - before + beyond;
    this.weight += entry.ids.size - before;
  }

  /** Removes all entries, and returns them with the number of those dropped since the last time. */
  take(): { entries: AccessEntry[]; dropped: number } {
    const taken = { entries: [...this.waiting, ...closed(this.open.values())], dropped: this.dropped };
    this.waiting = [];
    this.open = new Map();
    this.weight = 0;
    this.dropped = 0;
    return taken;
  }

  /** Returns entries that could not be written; they come again with the next ones. */
  giveBack(entries: readonly AccessEntry[]): void {
    this.waiting = [...entries, ...this.waiting];
    for (const { nodeIds } of entries) this.weight += nodeIds.length + ENTRY_WEIGHT;
  }

  private entryFor(accessed: Accessed, nodes: number, at: Date): Open {
    const { ownerId, byType, appId, appName, readerId, action, endpoint, status } = accessed;
    const parts = [ownerId, byType, appId, readerId, action, status, endpoint, appName];
    const key = parts.join('\0');
    const known = this.open.get(key);
    if (known && known.ids.size + nodes <= MAX_NODE_IDS) return known;
    if (known) this.waiting.push(...closed([known]));
    const entry: Open = {
      ...accessed,
      id: this.newId(),
      since: at,
      at,
      requests: 0,
      nodeCount: 0,
      nodeIds: [],
      ids: new Set(),
    };
    this.open.set(key, entry);
    this.weight += ENTRY_WEIGHT;
    return entry;
  }
}

const closed = (entries: Iterable<Open>): AccessEntry[] =>
  Array.from(entries, ({ ids, ...entry }) => ({
    ...entry,
    requests: Math.max(entry.requests, 1),
    nodeIds: [...ids],
  }));
