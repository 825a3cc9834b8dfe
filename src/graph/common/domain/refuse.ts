import { DomainError, type FieldError } from '../../../kernel/errors/domain-error.js';

/** @throws VALIDATION_ERROR with all of these errors; nothing without any */
export function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw DomainError.validations(errors);
}
