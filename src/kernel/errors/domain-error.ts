import { ERROR_STATUS, type ErrorCode } from './catalogue.js';

/** One wrong field of a request, as `details` of VALIDATION_ERROR lists them. */
export interface FieldError {
  field: string;
  message: string;
}

/**
 * The one error that reaches a caller. `message` is for the caller and holds no internals; `details` goes into
 * the envelope as it is.
 */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: unknown,
  ) {
    super(message);
    this.name = 'DomainError';
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }

  static validation(field: string, message: string): DomainError {
    return DomainError.validations([{ field, message }]);
  }

  static validations(details: FieldError[]): DomainError {
    return new DomainError(
      'VALIDATION_ERROR',
      details.map((d) => `${d.field}: ${d.message}`).join('; '),
      details,
    );
  }
}
