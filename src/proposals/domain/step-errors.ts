import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Step } from './proposal-content.js';

/** An error of a step, with the field names of the proposal. */
export function errorAt({ path }: Step, error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') return error;
  if (!Array.isArray(error.details)) return error;
  const details = error.details as { field: string; message: string }[];
  return DomainError.validations(
    details.map(({ field, message }) => ({ field: `${path}.${field}`, message })),
  );
}
