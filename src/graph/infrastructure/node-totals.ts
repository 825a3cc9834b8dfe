import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { openTransaction } from '../../kernel/persistence/database.js';
import { type Access } from '../../privacy/index.js';

/** A number of nodes, and where the owner's change counter stood in the snapshot in which they were counted. */
export interface Counted {
  total: number;
  changes: number;
}

const KEPT = 20_000;

/**
 * Exact totals, kept as long as the owner's graph stands still. A count is the dearest part of a list, and most
 * lists are read many times between two changes. The key holds every input: the decision of the guard
 * (`access.key`), the filters, and the change counter, which moves with every committed change of a node.
 */
@Injectable()
export class NodeTotals {
  private readonly known = new LRUCache<string, Counted>({ max: KEPT });
  private readonly counting = new Map<string, Promise<Counted>>();

  /** @param count counts and reads the counter in one snapshot */
  async total(
    access: Pick<Access, 'ownerId' | 'key' | 'changes'>,
    filter: string,
    count: () => Promise<Counted>,
  ): Promise<number> {
    // Inside a unit of work the count sees rows that are not committed, which nobody else may be told.
    if (openTransaction.getStore() !== null) return (await count()).total;
    const key = `${access.ownerId} ${access.key} ${filter}`;
    const known = this.known.get(key);
    if (known && known.changes === access.changes) return known.total;
    return (await this.countOnce(key, access.changes, count)).total;
  }

  /** Callers who want the same count at the same time share it, unless it began before their own guard looked. */
  private async countOnce(key: string, changes: number, count: () => Promise<Counted>): Promise<Counted> {
    const running = this.counting.get(key);
    if (running) {
      const counted = await running.catch(() => null);
      if (counted && counted.changes >= changes) return counted;
    }
    const counting = count();
    this.counting.set(key, counting);
    try {
      const counted = await counting;
      this.known.set(key, counted);
      return counted;
    } finally {
      if (this.counting.get(key) === counting) this.counting.delete(key);
    }
  }
}
