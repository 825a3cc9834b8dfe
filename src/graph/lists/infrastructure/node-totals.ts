import { Injectable } from '@nestjs/common';
import { type Access } from '../../../privacy/index.js';
import { SnapshotCache } from './snapshot-cache.js';

/** A number of nodes, and the owner's change counter in the snapshot in which they were counted. */
export interface Counted {
  total: number;
  changes: number;
}

/** The number of totals that are cached for all callers together; about 250 bytes each. */
const KEPT = 20_000;

/**
 * A cache of exact totals, valid until the owner's graph changes, and the start of the next total. A count
 * is the most expensive part of a list, and most lists are read many times between two changes. The key
 * holds every input: the guard's decision (`access.key`), the filters, and the change counter, which moves
 * with every committed change of a node.
 */
@Injectable()
export class NodeTotals {
  private readonly counts = new SnapshotCache<Counted>({ max: KEPT });

  /**
   * @param count counts and reads the counter in one snapshot; it may start from the last total, of another
   * counter value
   */
  async total(
    access: Pick<Access, 'ownerId' | 'key' | 'changes'>,
    filter: string,
    count: (last: Counted | undefined) => Promise<Counted>,
  ): Promise<number> {
    const question = `${access.ownerId} ${access.key} ${filter}`;
    return (await this.counts.of(question, access.changes, count)).total;
  }
}
