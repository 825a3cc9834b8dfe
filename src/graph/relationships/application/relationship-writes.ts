import { type ChangedFields } from '../../../kernel/change-log/changed-fields.js';
import { type Change } from '../../../kernel/change-log/change.js';
import { type Relationship, relationshipRecord } from '../domain/relationship.js';

/**
 * The change log's row for a step of an edge. It has no facts of its own: its ends decide who may read it.
 */
export function changeOfEdge(
  edge: Relationship,
  action: 'created' | 'updated' | 'deleted' | 'restored',
  changedFields: ChangedFields | null = null,
): Change {
  return {
    ownerId: edge.owner_id,
    entity: 'relationship',
    entityId: edge.id,
    action,
    version: edge.version,
    changedFields,
    snapshot: relationshipRecord(edge),
  };
}
