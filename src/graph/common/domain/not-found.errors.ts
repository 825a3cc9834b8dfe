import { DomainError } from '../../../kernel/errors/domain-error.js';

/*
 * Errors for nodes and tags. Absent and hidden things answer alike, byte for byte, wherever they are named
 * (rule 3.18), so the texts are written here only. When the ids came in a body, `fields` names the fields.
 */

export const nodeNotFound = (fields?: string[]): DomainError =>
  DomainError.absent('NODE_NOT_FOUND', 'Node not found', fields);

export const tagNotFound = (fields?: string[]): DomainError =>
  DomainError.absent('NOT_FOUND', 'Tag not found', fields);

export const relationshipNotFound = (): DomainError =>
  DomainError.absent('NOT_FOUND', 'Relationship not found');

export const schemaAbsent = (): DomainError => DomainError.absent('NOT_FOUND', 'Schema not found');
