import { type Change } from '../../../kernel/change-log/change.js';
import { type Node } from '../../nodes/index.js';

/**
 * A change of an entity of its own, so that readers of nodes' changes do not take it for a version; it does
 * not contain the vector.
 */
export const changeOfEmbedding = (
  { ownerId, id, version, facts }: Node,
  { model, dimensions }: { model: string; dimensions: number },
): Change => ({
  ownerId,
  entity: 'embedding',
  entityId: id,
  action: 'updated',
  version,
  snapshot: { node_id: id, model: model || null, dimensions },
  facts,
});
