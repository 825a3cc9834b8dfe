import { DomainError, type FieldError } from '../../../kernel/errors/domain-error.js';
import { lengthFault, typeFault } from '../../../privacy/index.js';
import { IDENTITY_TYPES, type IdentityType, type NodeFields } from '../../common/index.js';
import { identityShapeErrors } from './identity-shapes.js';
import { NODE_LIMITS } from './node-fields.js';

/** The fields by which a node has a type and the shape of that type. */
type TypedFields = Pick<NodeFields, 'node_type'> & Partial<Pick<NodeFields, 'meaning_level' | 'metadata'>>;

/**
 * Refuses too many tags, of those that the writer knows (rule 4.13). A node may carry more: tags from
 * others that the writer may not know do not count, or the error would reveal them.
 * @throws VALIDATION_ERROR
 */
export function refuseTooManyTags(count: number): void {
  if (count > NODE_LIMITS.tags) {
    throw DomainError.validation('tags', `must have at most ${NODE_LIMITS.tags} tags`);
  }
}

/** Fields that decide if the metadata has the shape of its type. */
export const SHAPING = ['meaning_level', 'node_type', 'metadata'];

/** Refuses a type that no node can take any longer. A type that was stored earlier stays valid until it is changed (rule 1.17). */
export function refuseType(type: string): void {
  const fault = lengthFault(type, NODE_LIMITS.nodeType) ?? typeFault(type);
  if (fault !== null) throw DomainError.validation('node_type', fault);
}

/** Rules between fields. */
export function refuseViolations(draft: TypedFields): void {
  refuseOtherTypes(draft);
  const errors = shapeErrors(draft);
  if (errors.length > 0) throw DomainError.validations(errors);
}

export function refuseOtherTypes({ meaning_level, node_type }: TypedFields): void {
  if (meaning_level !== 'IDENTITY' || IDENTITY_TYPES.includes(node_type as IdentityType)) return;
  const message = `A node of meaning level IDENTITY needs one of the node types ${IDENTITY_TYPES.join(', ')}`;
  throw new DomainError('INVALID_NODE_TYPE', message);
}

/** The violations of the shape of the identity type; an unknown type is refused separately. */
export const shapeErrors = ({ meaning_level, node_type, metadata = null }: TypedFields): FieldError[] =>
  meaning_level === 'IDENTITY' && IDENTITY_TYPES.includes(node_type as IdentityType)
    ? identityShapeErrors(node_type as IdentityType, metadata)
    : [];
