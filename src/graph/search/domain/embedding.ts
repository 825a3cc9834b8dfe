import { DomainError } from '../../../kernel/errors/domain-error.js';
import { MAX_DIMENSIONS } from '../../../libs/vector-index/vector-memory.js';

/** The limits of rule 4.13. */
export const EMBEDDING_LIMITS = { dimensions: MAX_DIMENSIONS, model: 200, batch: 100 } as const;

/** A vector of length one. Only the direction of an embedding counts: similarity is cosine (rule 4.17). */
export type UnitVector = readonly number[];

/** A node's vector for one model and one length. */
export interface Embedding {
  nodeId: string;
  /** '' when the caller named no model. */
  model: string;
  unit: UnitVector;
}

/**
 * Scales a vector to length one. It is divided by its greatest number first, because squares of doubles
 * could overflow, or underflow to zero.
 * @throws VALIDATION_ERROR for a vector without a direction
 */
export function unitVector(numbers: readonly number[], field = 'embedding'): UnitVector {
  let greatest = 0;
  for (const number of numbers) greatest = Math.max(greatest, Math.abs(number));
  if (greatest === 0) throw DomainError.validation(field, 'must not be all zeros');
  const scaled = numbers.map((number) => number / greatest);
  let squares = 0;
  for (const number of scaled) squares += number * number;
  const length = Math.sqrt(squares);
  return scaled.map((number) => number / length);
}
