import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { GraphImports } from './application/graph-imports.service.js';
import { NodeTagging } from './application/node-tagging.js';
import { NodesBatchService } from './application/nodes-batch.service.js';
import { NodesBulkDeleteService } from './application/nodes-bulk-delete.service.js';
import { NodesService } from './application/nodes.service.js';
import { RelationshipsService } from './application/relationships.service.js';
import { TagsService } from './application/tags.service.js';
import { EntityTags } from './http/entity-tags.js';
import { NodePages } from './http/node-pages.js';
import { NodeRelationshipsController } from './http/node-relationships.controller.js';
import { NodeTagsController } from './http/node-tags.controller.js';
import { NodePresenter } from './http/node.presenter.js';
import { NodesBulkController } from './http/nodes-bulk.controller.js';
import { NodesController } from './http/nodes.controller.js';
import { NodesLocator } from './http/nodes.locator.js';
import { RelationshipsController } from './http/relationships.controller.js';
import { RelationshipLocator } from './http/relationships.locator.js';
import { RelationshipPresenter } from './http/relationships.presenter.js';
import { TagsController } from './http/tags.controller.js';
import { TagLocator } from './http/tags.locator.js';
import { TagPresenter } from './http/tags.presenter.js';
import { ThirdPartyTagsController } from './http/third-party-tags.controller.js';
import { GraphImportsQueries } from './infrastructure/graph-imports.queries.js';
import { NodeDuplicates } from './infrastructure/node-duplicates.queries.js';
import { NodeTagNames } from './infrastructure/node-tag-names.queries.js';
import { NodeTotals } from './infrastructure/node-totals.js';
import { NodesAsShown } from './infrastructure/nodes-as-shown.js';
import { NodesQueries } from './infrastructure/nodes.queries.js';
import { NodesRepository } from './infrastructure/nodes.repository.js';
import { ReachedNodes } from './infrastructure/reached-nodes.queries.js';
import { RelationshipsAsShown } from './infrastructure/relationships-as-shown.js';
import { RelationshipsQueries } from './infrastructure/relationships.queries.js';
import { RelationshipsRepository } from './infrastructure/relationships.repository.js';
import { TagsQueries } from './infrastructure/tags.queries.js';
import { TagsRepository } from './infrastructure/tags.repository.js';

/** The graph itself: nodes, relationships, tags (decisions 4). */
@Module({
  imports: [IdentityModule, PrivacyModule],
  // Fixed paths before `nodes/:node_id`, which would take their words for ids.
  controllers: [
    NodesBulkController,
    NodesController,
    NodeTagsController,
    NodeRelationshipsController,
    RelationshipsController,
    ThirdPartyTagsController,
    TagsController,
  ],
  providers: [
    NodesService,
    NodesBatchService,
    NodesBulkDeleteService,
    NodeTagging,
    NodesRepository,
    NodesQueries,
    NodesAsShown,
    ReachedNodes,
    NodeTotals,
    NodeTagNames,
    NodeDuplicates,
    NodesLocator,
    NodePages,
    NodePresenter,
    EntityTags,
    TagsService,
    TagsRepository,
    TagsQueries,
    TagLocator,
    TagPresenter,
    RelationshipsService,
    RelationshipsRepository,
    RelationshipsQueries,
    RelationshipsAsShown,
    RelationshipLocator,
    RelationshipPresenter,
    GraphImports,
    GraphImportsQueries,
  ],
  exports: [
    NodesService,
    NodesBatchService,
    NodesQueries,
    ReachedNodes,
    NodePages,
    NodePresenter,
    NodeTagNames,
    TagsQueries,
    TagPresenter,
    NodesRepository,
    TagsService,
    RelationshipsService,
    GraphImports,
  ],
})
export class GraphModule {}
