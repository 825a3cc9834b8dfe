import { LRUCache } from 'lru-cache';
import {
  type ExcludedSubscriptions,
  type SubscriptionKey,
} from '../infrastructure/subscriptions.repository.js';

/** The pace of a receiver at its last turn; 'unknown' before the first. */
export type Pace = 'quick' | 'unknown' | 'slow';

/** Subscriptions whose pace is remembered; the ids go into the look for work. */
const MAX_REMEMBERED = 4_096;

/**
 * The places of one worker, with shares that keep slow receivers from taking all of them (rule 9.5): an owner has at
 * most a quarter, slow subscriptions at most a half, and slow and unknown ones together at most three quarters. The
 * rest is for subscriptions that were quick at their last turn.
 */
export class ServingPlaces {
  private readonly paces = new LRUCache<string, Exclude<Pace, 'unknown'>>({ max: MAX_REMEMBERED });
  private readonly served = new Map<string, { ownerId: string; pace: Pace }>();

  constructor(private readonly size: number) {}

  has(key: SubscriptionKey): boolean {
    return this.served.has(key.id);
  }

  /** @returns false if there is no place for this subscription now */
  take({ ownerId, id }: SubscriptionKey): boolean {
    const pace = this.paces.get(id) ?? 'unknown';
    if (!this.hasRoom(pace) || this.fullOwners().includes(ownerId)) return false;
    this.served.set(id, { ownerId, pace });
    return true;
  }

  /** @param pace 'unknown' if the turn did not show it: the last one then stays */
  giveUp({ id }: SubscriptionKey, pace: Pace): void {
    this.served.delete(id);
    if (pace !== 'unknown') this.paces.set(id, pace);
  }

  /** True if the last turn of the subscription waited long for its receiver. */
  isSlow({ id }: SubscriptionKey): boolean {
    return this.paces.get(id) === 'slow';
  }

  /** True if no subscription can get a place. */
  get isFull(): boolean {
    return !this.hasRoom('quick');
  }

  /** True if some subscriptions cannot get a place. Slow ones have the smallest share. */
  get isShort(): boolean {
    return !this.hasRoom('slow') || this.fullOwners().length > 0;
  }

  get excluded(): ExcludedSubscriptions {
    return {
      owners: this.fullOwners(),
      ids: this.hasRoom('slow') ? [] : this.remembered('slow'),
      only: this.hasRoom('unknown') ? null : this.remembered('quick'),
    };
  }

  private hasRoom(pace: Pace): boolean {
    const paces = [...this.served.values()].map((one) => one.pace);
    if (paces.length >= this.size) return false;
    if (pace === 'quick') return true;
    const unproven = paces.filter((one) => one !== 'quick').length;
    if (unproven >= (this.size * 3) / 4) return false;
    return pace === 'unknown' || paces.filter((one) => one === 'slow').length < this.size / 2;
  }

  private fullOwners(): string[] {
    const counts = new Map<string, number>();
    for (const { ownerId } of this.served.values()) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
    return [...counts].flatMap(([ownerId, count]) => (count >= this.size / 4 ? [ownerId] : []));
  }

  private remembered(pace: Pace): string[] {
    return [...this.paces].flatMap(([id, one]) => (one === pace ? [id] : []));
  }
}
