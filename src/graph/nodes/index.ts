export { NodeCreationService } from './application/node-creation.service.js';
export { type NodeUse, permitted } from './application/node-permissions.js';
export { NodeSchemas, type SchemaChecks } from './application/node-schemas.js';
export { lastTagRemoval, NodeTagging } from './application/node-tagging.js';
export { changeOf, fieldsOf, firstRevision, NOBODY, type NodeBody } from './application/node-writes.js';
export { NodesBulkDeleteService } from './application/nodes-bulk-delete.service.js';
export { type Judging, type NodeEdit, NodesService, type Precondition } from './application/nodes.service.js';
export { unmaskWrite, unmaskFileWrite, type Written, writtenErrors } from './application/masked-writes.js';
export {
  newNodeErrors,
  NODE_BODY_FIELDS,
  NODE_LIMITS,
  nodeFieldErrors,
  STORED_LIMITS,
} from './domain/node-fields.js';
export { refuseTooManyTags } from './domain/node-rules.js';
export { Node, type NodeDraft, type NodeRevision, sameMembers } from './domain/node.js';
export { countFilterOf } from './http/nodes-question.js';
export { NodePages } from './http/node-pages.js';
export { NodePresenter } from './http/node.presenter.js';
export { NodesById } from './http/nodes-by-id.js';
export { ListedNodeDto, NodeDto, NodesDto, PastNodeDto } from './http/nodes-answers.dto.js';
export {
  ChangeNodeBody,
  NewNodeBody,
  ListedNodeFieldsQuery,
  NodeFieldsQuery,
  TagNodesQuery,
  WrittenNodeBody,
} from './http/nodes.dto.js';
export { NodesLocator } from './http/nodes.locator.js';
export { type Replayed, ReplayedNodes, sourceOfWritten } from './http/replayed-nodes.js';
export { type FileContent, FileContentsQueries } from './infrastructure/file-contents.queries.js';
export { MaskedNodeSearch, type ShownSource } from './infrastructure/masked-node-search.js';
export { PreparedWords } from './infrastructure/prepared-words.js';
export { NodesQueries } from './infrastructure/nodes.queries.js';
export { type AccessibleListing } from './infrastructure/accessible-nodes.js';
export { type NodeListing, type NodePage } from './infrastructure/node-listing.js';
export { NodesRepository } from './infrastructure/nodes.repository.js';
export {
  type OwnedFacts,
  AccessibleNodes,
  type NamedNode,
  type ReadableNode,
} from './infrastructure/accessible-nodes.queries.js';
export { type CountedSteps, ShownVersions } from './infrastructure/shown-versions.js';
export { NodesModule } from './nodes.module.js';
