export { BLOB_STORE, type BlobStore } from './application/blob-store.js';
export { BlobRemovals } from './application/blob-removals.js';
export { GRACE_MS as BLOB_GRACE_MS } from './application/blob-sweep.js';
export { BlobIntake, type StagedBlob } from './application/blob-intake.js';
export { FileImports } from './application/file-imports.service.js';
export { type EdgeArrival, GraphImports } from './application/graph-imports.service.js';
export { type NodeUse, permitted } from './application/node-permissions.js';
export { type NodeBody } from './application/node-writes.js';
export { NodesBulkDeleteService } from './application/nodes-bulk-delete.service.js';
export { type Judging, NodesService, type Precondition } from './application/nodes.service.js';
export { JsonSchemas } from './application/json-schemas.service.js';
export { type SchemaChecks } from './application/node-schemas.js';
export { OwnerEdits, type TagChange } from './application/owner-edits.service.js';
export {
  edgeAsWritten,
  type NewRelationshipBody,
  type RelationshipBody,
  RelationshipsService,
} from './application/relationships.service.js';
export { TagsService } from './application/tags.service.js';
export { Node } from './domain/node.js';
export {
  GRAPH_VIEWS,
  type GraphView,
  type JsonObject,
  MEANING_LEVELS,
  type MeaningLevel,
  type NodeRecord,
  type NodeSnapshot,
} from './domain/node-record.js';
export {
  factsOf,
  prepareShown,
  shownOf,
  shownValue,
  slicesOfShowing,
  slicesWithoutEnd,
  type WireNode,
  wireOf,
} from './domain/node-view.js';
export { GraphModule } from './graph.module.js';
export { NodePages } from './http/node-pages.js';
export { ChangeNodeBody, CreateNodeBody, WrittenNodeBody } from './http/nodes.dto.js';
export { NodeDto, NodesDto, PastNodeDto } from './http/nodes-answers.dto.js';
export { CreatedTagDto, CreateTagBody, TagDto } from './http/tags.dto.js';
export { TagPresenter } from './http/tags.presenter.js';
export { NodeTagNames } from './infrastructure/node-tag-names.queries.js';
export { NodesRepository } from './infrastructure/nodes.repository.js';
export { ReachedNodes } from './infrastructure/reached-nodes.queries.js';
export { TagsQueries } from './infrastructure/tags.queries.js';
export { NodePresenter } from './http/node.presenter.js';
export { nodeNotFound, relationshipNotFound, schemaAbsent, tagNotFound } from './domain/absences.js';
export { discovers, lookAlikesIn, tagMeant } from './domain/known-tags.js';
export { isSchemaUri } from './domain/schema.js';
export { MAX_FILE_BYTES } from './domain/file-limits.js';
export { isMediaType } from './domain/file-kind.js';
export {
  newNodeErrors,
  NODE_BODY_FIELDS,
  NODE_FIELDS,
  NODE_LIMITS,
  nodeFieldErrors,
} from './domain/node-fields.js';
export { RELATIONSHIP_FIELDS, relationshipFieldErrors } from './domain/relationship-fields.js';
export { mergedEdges, MOST_MOVED_EDGES } from './domain/merged-edges.js';
export { type EdgeWithEnds, isReadable, shownEdge } from './domain/relationship-view.js';
export { type Relationship } from './domain/relationship.js';
export { asWritten, writtenErrors } from './application/written-back.js';
export { fieldsOf } from './application/node-writes.js';
export { RelationshipPresenter } from './http/relationships.presenter.js';
export { type NodePage, NodesQueries } from './infrastructure/nodes.queries.js';
export { type CountedSteps, ShownVersions } from './infrastructure/shown-versions.js';
export { isComparable } from './infrastructure/embedding-filter.js';
export { graphEntities } from './infrastructure/entities.js';
export { type MarkedNode } from './infrastructure/graph-imports.queries.js';
export { KeptAnswers } from './infrastructure/kept-answers.js';
export { type Counted, NodeTotals } from './infrastructure/node-totals.js';
