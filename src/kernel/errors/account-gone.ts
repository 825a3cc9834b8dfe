import { DomainError } from './domain-error.js';

/** The error for an account that was erased while the request was in progress. */
export const accountGone = (code: 'NOT_FOUND' | 'UNAUTHORIZED' = 'NOT_FOUND'): DomainError =>
  new DomainError(code, 'The account no longer exists');
