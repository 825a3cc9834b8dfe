import { setImmediate as turn } from 'node:timers/promises';
import { type VectorShelf } from './vector-shelf.js';

/**
 * Vectors to compare: rows of the shelf in the order of their nodes' ids, those of one node next to each
 * other.
 */
export interface ReadableVectors {
  shelf: VectorShelf;
  rows: Uint32Array;
  /** True if a node has several vectors. */
  hasSeveral: boolean;
}

export interface Nearest {
  hits: { nodeId: string; score: number }[];
  total: number;
}

/** About a millisecond of multiplications, after which other requests run. */
const NUMBERS_A_TURN = 4_000_000;

/**
 * Counts all nodes with at least that score, and finds the best of them; equal scores by id. The best
 * vector of a node counts. Null: the vectors have left memory meanwhile.
 */
export async function nearest(
  { shelf, rows, hasSeveral }: ReadableVectors,
  query: Float32Array,
  { minScore, limit }: { minScore: number; limit: number },
): Promise<Nearest | null> {
  const best = new Best(limit);
  const rowsATurn = Math.max(1, Math.floor(NUMBERS_A_TURN / shelf.dimensions));
  let total = 0;
  shelf.compareWith(query);
  for (let at = 0, turnAt = rowsATurn; at < rows.length; at++) {
    if (at >= turnAt) {
      await turn();
      if (shelf.isGone) return null;
      shelf.compareWith(query);
      turnAt = at + rowsATurn;
    }
    const row = rows[at] as number;
    let score = shelf.cosine(row);
    if (hasSeveral) {
      const nodeId = shelf.nodeId(row);
      while (at + 1 < rows.length && shelf.nodeId(rows[at + 1] as number) === nodeId)
        score = Math.max(score, shelf.cosine(rows[++at] as number));
    }
    if (score < minScore) continue;
    total++;
    best.add(row, score);
  }
  return { hits: best.found.map(({ row, score }) => ({ nodeId: shelf.nodeId(row), score })), total };
}

/** The best entries up to a number, best first; equal ones in order of arrival. */
class Best {
  readonly found: { row: number; score: number }[] = [];

  constructor(private readonly limit: number) {}

  add(row: number, score: number): void {
    const { found, limit } = this;
    if (found.length === limit) {
      if (score <= (found[limit - 1] as { score: number }).score) return;
      found.pop();
    }
    let place = found.length;
    while (place > 0 && (found[place - 1] as { score: number }).score < score) place--;
    found.splice(place, 0, { row, score });
  }
}
