import { Injectable } from '@nestjs/common';
import { type Access } from '../../privacy/index.js';
import { KeptAnswers } from './kept-answers.js';

/** A number of nodes, and where the owner's change counter stood in the snapshot in which they were counted. */
export interface Counted {
  total: number;
  changes: number;
}

const KEPT = 20_000;

/**
 * Exact totals, kept as long as the owner's graph stands still, and what the next one begins with. A count is the
 * dearest part of a list, and most lists are read many times between two changes. The key holds every input: the
 * decision of the guard (`access.key`), the filters, and the change counter, which moves with every committed change of
 * a node.
 */
@Injectable()
export class NodeTotals {
  private readonly counts = new KeptAnswers<Counted>({ max: KEPT });

  /** @param count counts and reads the counter in one snapshot; it may begin with the last total, of another counter */
  async total(
    access: Pick<Access, 'ownerId' | 'key' | 'changes'>,
    filter: string,
    count: (last: Counted | undefined) => Promise<Counted>,
  ): Promise<number> {
    const key = `${access.ownerId} ${access.key} ${filter}`;
    return (await this.counts.of(key, access.changes, count)).total;
  }
}
