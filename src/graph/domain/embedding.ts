import { DomainError } from '../../kernel/errors/domain-error.js';

/** Rule 4.13. */
export const EMBEDDING_LIMITS = { dimensions: 4096, model: 200, batch: 100 } as const;

/** A vector of length one. All that counts of an embedding is its direction: similarity is cosine (rule 4.17). */
export type UnitVector = readonly number[];

/** A node's vector for one model and one length. */
export interface Embedding {
  nodeId: string;
  /** '' where the caller named none. */
  model: string;
  unit: UnitVector;
}

/**
 * Divided by the greatest number first: squares of what a double holds would neither fit into one nor, small as they
 * may be, stay above zero.
 * @throws VALIDATION_ERROR when there is no direction
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
