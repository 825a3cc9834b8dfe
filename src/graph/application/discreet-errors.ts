import { DomainError } from '../../kernel/errors/domain-error.js';
import { isObject } from '../../kernel/json-values.js';
import { type Access } from '../../privacy/index.js';
import { identityShapeErrors } from '../domain/identity-shapes.js';
import { mergePatch } from '../domain/json-values.js';
import { type IdentityType } from '../domain/node-record.js';

/** What a change sends of the metadata, and the type that the node would have. */
export interface Change {
  metadata: unknown;
  merge: boolean;
  nodeType: string;
}

/**
 * Errors about the shape of metadata name its fields. To a caller who is not shown all of it they name only what he
 * sent himself; if that is right, the type does not fit to the rest, and this is all that he is told (decisions 3.16).
 */
export function discreetly<T>({ exposure }: Access, change: Change, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const tells = error instanceof DomainError && error.code === 'VALIDATION_ERROR';
    if (!tells || !exposure.touches('metadata')) throw error;
    const own = ownErrors(change);
    if (own.length > 0) throw DomainError.validations(own);
    throw DomainError.validation('node_type', 'does not fit the metadata of this node');
  }
}

function ownErrors({ metadata, merge, nodeType }: Change) {
  if (!isObject(metadata)) return [];
  const sent = merge ? (mergePatch({}, metadata) as Record<string, unknown>) : metadata;
  return identityShapeErrors(nodeType as IdentityType, sent);
}
