import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/index.js';
import { PrivacyModule } from '../../privacy/index.js';
import { CommonModule } from '../common/index.js';
import { ListsModule } from '../lists/index.js';
import { TagsModule } from '../tags/index.js';
import { SchemasModule } from '../schemas/index.js';
import { NodeCreationService } from './application/node-creation.service.js';
import { NodeSchemas } from './application/node-schemas.js';
import { NodeTagging } from './application/node-tagging.js';
import { NodesBatchService } from './application/nodes-batch.service.js';
import { NodesBulkDeleteService } from './application/nodes-bulk-delete.service.js';
import { NodesService } from './application/nodes.service.js';
import { NodeFacetsController } from './http/node-facets.controller.js';
import { NodeLookupsController } from './http/node-lookups.controller.js';
import { NodePages } from './http/node-pages.js';
import { NodeTagsController } from './http/node-tags.controller.js';
import { NodePresenter } from './http/node.presenter.js';
import { NodesBulkController } from './http/nodes-bulk.controller.js';
import { NodesController } from './http/nodes.controller.js';
import { NodesLocator } from './http/nodes.locator.js';
import { ReplayedNodes } from './http/replayed-nodes.js';
import { FileContentsQueries } from './infrastructure/file-contents.queries.js';
import { NewNodes } from './infrastructure/new-nodes.queries.js';
import { PreparedWords } from './infrastructure/prepared-words.js';
import { NodeDuplicates } from './infrastructure/node-duplicates.queries.js';
import { NodeFacets } from './infrastructure/node-facets.queries.js';
import { NodeStepsQueries } from './infrastructure/node-steps.queries.js';
import { MaskedNodeSearch } from './infrastructure/masked-node-search.js';
import { NodesQueries } from './infrastructure/nodes.queries.js';
import { NodesRepository } from './infrastructure/nodes.repository.js';
import { AccessibleNodes } from './infrastructure/accessible-nodes.queries.js';
import { ShownVersions } from './infrastructure/shown-versions.js';

/** Nodes (rules 4.1 to 4.13). */
@Module({
  imports: [IdentityModule, PrivacyModule, CommonModule, ListsModule, TagsModule, SchemasModule],
  controllers: [
    NodesBulkController,
    NodeLookupsController,
    NodeFacetsController,
    NodesController,
    NodeTagsController,
  ],
  providers: [
    NodesService,
    NodeCreationService,
    NodesBatchService,
    NodesBulkDeleteService,
    NodeTagging,
    NodesRepository,
    NodesQueries,
    MaskedNodeSearch,
    NodeStepsQueries,
    ShownVersions,
    AccessibleNodes,
    NodeFacets,
    NewNodes,
    NodeDuplicates,
    PreparedWords,
    NodesLocator,
    NodePages,
    NodePresenter,
    ReplayedNodes,
    NodeSchemas,
    FileContentsQueries,
  ],
  exports: [
    PreparedWords,
    NodesService,
    NodeCreationService,
    NodesBulkDeleteService,
    NodeTagging,
    NodesRepository,
    NodesQueries,
    MaskedNodeSearch,
    ShownVersions,
    AccessibleNodes,
    NodesLocator,
    NodePages,
    NodePresenter,
    ReplayedNodes,
    NodeSchemas,
    FileContentsQueries,
  ],
})
export class NodesModule {}
