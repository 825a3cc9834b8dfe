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

  /**
   * For ids that lead to nothing the caller can see; `fields` are those of a body in which they came. Unknown, foreign
   * and invisible ones must all come here, so that the answer is the same, byte for byte (decisions 3.18).
   */
  static absent(
    code: 'NOT_FOUND' | 'NODE_NOT_FOUND' | 'SCHEMA_NOT_FOUND',
    message: string,
    fields?: string[],
  ): DomainError {
    return new DomainError(
      code,
      message,
      fields?.map((field): FieldError => ({
        field,
        message: 'was not found; an id is expected here, not a name',
      })),
    );
  }

  static validations(details: FieldError[]): DomainError {
    return new DomainError(
      'VALIDATION_ERROR',
      details.map((d) => `${d.field}: ${d.message}`).join('; '),
      details,
    );
  }
}
