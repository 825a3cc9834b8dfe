import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { MEMORY_BYTES, VectorMemory } from './vector-memory.js';
import { VectorShelf } from './vector-shelf.js';

/**
 * Shelves searched within this time are never removed: owners who search in turn do not displace each
 * other.
 */
export const REST_MS = 60_000;
/** The time after the last search for which an owner's vectors stay in memory. */
const IDLE_MS = 10 * REST_MS;

interface Kept {
  shelf: VectorShelf;
  /** The bytes including promised ones that are still being read. */
  bytes: number;
  openedAt: number;
  usedAt: number;
}

/** The vectors of repeated searches, within a limit. */
@Injectable()
export class VectorShelves implements OnApplicationShutdown {
  /** Ordered by last use, the oldest first. */
  private readonly kept = new Map<string, Kept>();
  private memory: VectorMemory | null = null;
  private readonly timer = setInterval(() => this.dropIdle(), REST_MS).unref();

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    for (const key of [...this.kept.keys()]) this.drop(key);
  }

  /**
   * The shelf with that name, unless it was removed; marks it as used. Holders of rows hold the name and
   * not the shelf, so that it can be removed.
   */
  use(ownerId: string, dimensions: number, name: symbol): VectorShelf | null {
    const key = keyOf(ownerId, dimensions);
    const kept = this.kept.get(key);
    if (kept?.shelf.name !== name) return null;
    this.kept.delete(key);
    this.kept.set(key, { ...kept, usedAt: performance.now() });
    return kept.shelf;
  }

  /** The shelf of these vectors, with room for those that are missing; null when there is no room. */
  withRoom(ownerId: string, dimensions: number, vectorIds: readonly number[]): VectorShelf | null {
    const key = keyOf(ownerId, dimensions);
    const now = performance.now();
    const known = this.kept.get(key);
    if (known && this.promise(key, { ...known, usedAt: now }, vectorIds)) return known.shelf;
    // It may be full of rows that nothing refers to any longer. A shelf that was opened recently is in use by
    // others.
    if (known && now - known.openedAt < REST_MS) return null;
    const shelf = new VectorShelf(dimensions, (this.memory ??= new VectorMemory()));
    return this.promise(key, { shelf, bytes: 0, openedAt: now, usedAt: now }, vectorIds) ? shelf : null;
  }

  /** Reserves room for the missing vectors, at the cost of idle shelves. */
  private promise(key: string, kept: Kept, vectorIds: readonly number[]): boolean {
    const missing = vectorIds.filter((id) => kept.shelf.row(id) === undefined).length;
    const bytes = Math.max(kept.bytes, kept.shelf.bytes(missing));
    const others = [...this.kept].filter(([other]) => other !== key);
    let free = MEMORY_BYTES - bytes - others.reduce((sum, [, other]) => sum + other.bytes, 0);
    const leaving: string[] = [];
    for (const [other, { bytes: theirs, usedAt }] of others) {
      if (free >= 0 || kept.usedAt - usedAt < REST_MS) break;
      free += theirs;
      leaving.push(other);
    }
    if (free < 0) return false;
    for (const other of leaving) this.drop(other);
    if (this.kept.get(key)?.shelf === kept.shelf) this.kept.delete(key);
    else this.drop(key);
    this.kept.set(key, { ...kept, bytes });
    return true;
  }

  private dropIdle(): void {
    const now = performance.now();
    for (const [key, { usedAt }] of this.kept) if (now - usedAt > IDLE_MS) this.drop(key);
  }

  private drop(key: string): void {
    this.kept.get(key)?.shelf.remove();
    this.kept.delete(key);
  }
}

const keyOf = (ownerId: string, dimensions: number): string => `${ownerId} ${dimensions}`;
