export { type NodeUse, permitted } from './application/node-permissions.js';
export { NodeSchemas, type SchemaChecks } from './application/node-schemas.js';
export { lastTagRemoval, NodeTagging } from './application/node-tagging.js';
export { changeOf, fieldsOf, firstRevision, NOBODY, type NodeBody } from './application/node-writes.js';
export { NodesBulkDeleteService } from './application/nodes-bulk-delete.service.js';
export { type Judging, NodesService, type Precondition } from './application/nodes.service.js';
export { asWritten, fileAsWritten, writtenErrors } from './application/written-back.js';
export {
  newNodeErrors,
  NODE_BODY_FIELDS,
  NODE_LIMITS,
  nodeFieldErrors,
  STORED_LIMITS,
} from './domain/node-fields.js';
export { Node, type NodeDraft, type NodeRevision, refuseTooManyTags, sameMembers } from './domain/node.js';
export { NodePages } from './http/node-pages.js';
export { NodePresenter } from './http/node.presenter.js';
export { ListedNodeDto, NodeDto, NodesDto, PastNodeDto } from './http/nodes-answers.dto.js';
export { ChangeNodeBody, CreateNodeBody, WrittenNodeBody } from './http/nodes.dto.js';
export { NodesLocator } from './http/nodes.locator.js';
export { type Replayed, ReplayedNodes, sourceOfWritten } from './http/replayed-nodes.js';
export { type FileContent, FilesRepository } from './infrastructure/files.repository.js';
export { NodesAsShown } from './infrastructure/nodes-as-shown.js';
export { type NodeListing, type NodePage, NodesQueries } from './infrastructure/nodes.queries.js';
export { NodesRepository } from './infrastructure/nodes.repository.js';
export { ReachedNodes, type ReadableNode } from './infrastructure/reached-nodes.queries.js';
export { type CountedSteps, ShownVersions } from './infrastructure/shown-versions.js';
export { NodesModule } from './nodes.module.js';
