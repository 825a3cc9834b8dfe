import { type Accessed, type AccessEntry, MAX_NODE_IDS } from './access-entry.js';
import { hourOf, type Stored } from './hourly-limits.js';

/** The weight of an entry itself, in node ids. */
const ENTRY_WEIGHT = 8;

interface Open extends AccessEntry {
  ids: Set<string>;
}

/** Entries that wait to be written, of one owner (or the refusals of one app). */
export class PendingEntries {
  private open = new Map<string, Open>();
  private closed: AccessEntry[] = [];
  private ids = 0;
  /** False while an entry may have ids or a time of its own. */
  private isCounted = true;

  constructor(private readonly newId: () => string) {}

  get weight(): number {
    return this.ids + (this.open.size + this.closed.length) * ENTRY_WEIGHT;
  }

  /** Adds an access with its nodes, and returns what it adds. Equal accesses become one entry. */
  add(accessed: Accessed, nodeIds: ReadonlySet<string>, how: { at: Date; isPart: boolean }): Stored {
    const [ids, entries] = [this.ids, this.open.size + this.closed.length];
    const entry = this.entryFor(accessed, nodeIds.size, how.at);
    entry.at = how.at;
    if (!how.isPart) entry.requests++;
    const before = entry.ids.size;
    let beyond = 0;
    for (const id of nodeIds) {
      if (entry.ids.size < MAX_NODE_IDS) entry.ids.add(id);
      else if (!entry.ids.has(id)) beyond++;
    }
    entry.nodeCount += entry.ids.size - before + beyond;
    this.ids += entry.ids.size - before;
    this.isCounted = false;
    return { ids: this.ids - ids, entries: this.open.size + this.closed.length - entries };
  }

  /** Adds an access to the numbers of its hour; nodes of several requests are counted several times. */
  addCounts(accessed: Accessed, nodeCount: number, { at, isPart }: { at: Date; isPart: boolean }): void {
    this.mergeIntoHour({ ...this.newEntry(accessed, at), nodeCount, requests: isPart ? 0 : 1 });
  }

  /** Adds an entry that could not be written. */
  giveBack(entry: AccessEntry): void {
    if (entry.isByHour) {
      this.mergeIntoHour(entry);
      return;
    }
    this.closed.push(entry);
    this.ids += entry.nodeIds.length;
    this.isCounted = false;
  }

  take(): AccessEntry[] {
    const taken = [...this.closed, ...Array.from(this.open.values(), closed)];
    this.open = new Map();
    this.closed = [];
    this.ids = 0;
    this.isCounted = true;
    return taken;
  }

  /**
   * Leaves out all ids, which turns the entries into numbers of their hour. Where that is done already, drops the
   * oldest entry. Returns the number of requests dropped.
   */
  lighten(): number {
    if (!this.isCounted) {
      for (const entry of this.take()) this.mergeIntoHour(entry);
      return 0;
    }
    for (const [key, { requests }] of this.open) {
      this.open.delete(key);
      return requests;
    }
    return 0;
  }

  private mergeIntoHour(entry: AccessEntry): void {
    const since = hourOf(entry.since);
    const key = `${keyOf(entry)}\0${since.getTime()}`;
    const known = this.open.get(key);
    if (known === undefined) {
      this.open.set(key, { ...entry, since, nodeIds: [], isByHour: true, ids: new Set() });
      return;
    }
    known.at = entry.at > known.at ? entry.at : known.at;
    known.requests += entry.requests;
    known.nodeCount += entry.nodeCount;
  }

  private entryFor(accessed: Accessed, nodes: number, at: Date): Open {
    const key = keyOf(accessed);
    const known = this.open.get(key);
    if (known && known.ids.size + nodes <= MAX_NODE_IDS) return known;
    if (known) this.closed.push(closed(known));
    const entry: Open = { ...this.newEntry(accessed, at), ids: new Set() };
    this.open.set(key, entry);
    return entry;
  }

  private newEntry(accessed: Accessed, at: Date): AccessEntry {
    const none = { requests: 0, nodeCount: 0, nodeIds: [], isByHour: false };
    return { ...accessed, ...none, id: this.newId(), since: at, at };
  }
}

const keyOf = ({ ownerId, byType, appId, readerId, action, status, ...how }: Accessed): string =>
  [ownerId, byType, appId, readerId, action, status, how.endpoint, how.appName]
    .concat(how.sessionId, how.via, how.tool)
    .join('\0');

const closed = ({ ids, ...entry }: Open): AccessEntry => ({
  ...entry,
  requests: Math.max(entry.requests, 1),
  nodeIds: [...ids],
});
