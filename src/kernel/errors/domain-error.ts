import { ERROR_STATUS, type ErrorCode } from './catalogue.js';

/** One invalid field of a request, an entry in `details` of VALIDATION_ERROR. */
export interface FieldError {
  field: string;
  message: string;
}

/**
 * The only error that reaches a caller. `message` is for the caller and reveals no internals; `details` goes into the
 * envelope unchanged.
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
   * The error for ids of nothing that the caller can see; `fields` are the fields of the body that held them. Unknown,
   * foreign and invisible ids must all use it, so that the answers are equal byte for byte (rule 3.18).
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

/**
 * True for a fault of one part of a request, which is reported and undoes no other part. A lack of time or room (503)
 * says nothing about the part: it ends the whole request, which can be sent again.
 */
export const isFaultOfPart = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.status < 500;
