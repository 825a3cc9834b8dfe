export { EdgeMoves } from './application/edge-moves.service.js';
export { changeOfEdge } from './application/relationship-writes.js';
export {
  unmaskEdgeWrite,
  type NewRelationshipBody,
  type RelationshipBody,
  type RelationshipEdit,
  RelationshipsService,
} from './application/relationships.service.js';
export { TrialEdges } from './application/trial-edges.js';
export { type LoggedEdge, presentStandingOfEdge, standingOfEdge, withEnds } from './domain/logged-edge.js';
export { type MergedEdge, mergedEdges, MOST_MOVED_EDGES, type MovableEdge } from './domain/merged-edges.js';
export { RELATIONSHIP_FIELDS, relationshipFieldErrors } from './domain/relationship-fields.js';
export { type EdgeWithEnds, isReadable, shownEdge } from './domain/relationship-view.js';
export {
  changeRelationship,
  type Ends,
  newRelationship,
  type Relationship,
  restoredRelationship,
} from './domain/relationship.js';
export { RelationshipDto } from './http/relationships.dto.js';
export { RelationshipPresenter } from './http/relationships.presenter.js';
export { LoggedEdges } from './infrastructure/logged-edges.queries.js';
export { relationshipMapping } from './infrastructure/relationships.mapping.js';
export { RelationshipsQueries } from './infrastructure/relationships.queries.js';
export { RelationshipsRepository } from './infrastructure/relationships.repository.js';
export { RelationshipsModule } from './relationships.module.js';
