import { DomainError } from '../../kernel/errors/domain-error.js';

/*
 * What is absent and what may not be seen answer alike, byte for byte, wherever they are asked for (rule 3.18), so
 * the words are written here only. Where the ids came in a body, `fields` says in which fields.
 */

export const nodeNotFound = (fields?: string[]): DomainError =>
  DomainError.absent('NODE_NOT_FOUND', 'Node not found', fields);

export const tagNotFound = (fields?: string[]): DomainError =>
  DomainError.absent('NOT_FOUND', 'Tag not found', fields);

export const relationshipNotFound = (): DomainError =>
  DomainError.absent('NOT_FOUND', 'Relationship not found');

export const schemaAbsent = (): DomainError => DomainError.absent('NOT_FOUND', 'Schema not found');
