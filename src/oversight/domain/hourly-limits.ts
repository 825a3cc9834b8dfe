import { type Accessed } from './access-entry.js';

/** The most ids, and entries, that are stored of one actor's accesses to one graph in an hour. */
const HOURLY_IDS = 10_000;
/** More than one for each write of an hour, so that an app that polls one endpoint is listed with its times. */
const HOURLY_ENTRIES = 2_000;
/** Owners with an actor that are remembered: about 20 MB. Beyond these the hour begins again for all of them. */
const MAX_KNOWN = 100_000;
const HOUR_MS = 60 * 60 * 1000;

/** The beginning of the hour. */
export const hourOf = (time: Date): Date => new Date(time.getTime() - (time.getTime() % HOUR_MS));

/** Numbers of what was stored of one actor and owner. */
export interface Stored {
  ids: number;
  entries: number;
}

/**
 * Counts what the log stores for each owner and actor (an app of the owner's, or another person) in the present hour,
 * because it counts for no quota. The request that reaches a limit is stored whole (rule 12.2b).
 */
export class HourlyLimits {
  private hour = 0;
  private stored = new Map<string, Stored>();

  isReached(accessed: Accessed, at: Date): boolean {
    const hour = Math.floor(at.getTime() / HOUR_MS);
    if (hour !== this.hour) this.stored.clear();
    this.hour = hour;
    const stored = this.stored.get(keyOf(accessed));
    return stored !== undefined && (stored.ids >= HOURLY_IDS || stored.entries >= HOURLY_ENTRIES);
  }

  count(accessed: Accessed, { ids, entries }: Stored): void {
    const key = keyOf(accessed);
    const stored = this.stored.get(key);
    if (stored) {
      stored.ids += ids;
      stored.entries += entries;
      return;
    }
    if (this.stored.size >= MAX_KNOWN) this.stored.clear();
    this.stored.set(key, { ids, entries });
  }
}

const keyOf = ({ ownerId, appId, readerId }: Accessed): string => `${ownerId}\0${appId ?? readerId}`;
