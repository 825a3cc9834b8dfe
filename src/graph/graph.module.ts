import { Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { EmbeddingsService } from './application/embeddings.service.js';
import { JsonSchemas } from './application/json-schemas.service.js';
import { NodeSchemas } from './application/node-schemas.js';
import { SchemaImpact } from './application/schema-impact.js';
import { SchemasService } from './application/schemas.service.js';
import { SchemaPages } from './http/schema-pages.js';
import { SchemasController } from './http/schemas.controller.js';
import { SchemaLocator } from './http/schemas.locator.js';
import { JsonSchemaWorkers } from '../libs/json-schema/workers.js';
import { SchemasQueries } from './infrastructure/schemas.queries.js';
import { SchemasRepository } from './infrastructure/schemas.repository.js';
import { BlobIntake } from './application/blob-intake.js';
import { BLOB_STORE } from './application/blob-store.js';
import { BlobSweep } from './application/blob-sweep.js';
import { FileImports } from './application/file-imports.service.js';
import { FilesService } from './application/files.service.js';
import { GraphImports } from './application/graph-imports.service.js';
import { NodeTagging } from './application/node-tagging.js';
import { NodesBatchService } from './application/nodes-batch.service.js';
import { EdgeMoves } from './application/edge-moves.service.js';
import { NodesBulkDeleteService } from './application/nodes-bulk-delete.service.js';
import { NodesService } from './application/nodes.service.js';
import { OwnerEdits } from './application/owner-edits.service.js';
import { RelationshipsService } from './application/relationships.service.js';
import { TagRefusals } from './application/tag-refusals.service.js';
import { TagsService } from './application/tags.service.js';
import { EmbeddingsController } from './http/embeddings.controller.js';
import { EntityTags } from './http/entity-tags.js';
import { FileArrivals } from './http/file-arrivals.js';
import { FileContents } from './http/file-contents.js';
import { FileDownloadsController } from './http/file-downloads.controller.js';
import { FileLinks } from './http/file-links.js';
import { FileUploadInterceptor } from './http/file-upload.interceptor.js';
import { FileUploads } from './http/file-uploads.js';
import { FilesLocator } from './http/files.locator.js';
import { FilePresenter } from './http/files.presenter.js';
import { NodeFilesController } from './http/node-files.controller.js';
import { NodePages } from './http/node-pages.js';
import { NodeRelationshipsController } from './http/node-relationships.controller.js';
import { NodeTagsController } from './http/node-tags.controller.js';
import { NodePresenter } from './http/node.presenter.js';
import { NodesBulkController } from './http/nodes-bulk.controller.js';
import { NodesController } from './http/nodes.controller.js';
import { NodesLocator } from './http/nodes.locator.js';
import { RawFilesController } from './http/raw-files.controller.js';
import { RelationshipsController } from './http/relationships.controller.js';
import { RelationshipLocator } from './http/relationships.locator.js';
import { RelationshipPresenter } from './http/relationships.presenter.js';
import { RelationshipPages } from './http/relationship-pages.js';
import { ReplayedNodes } from './http/replayed-nodes.js';
import { SearchHitsPresenter } from './http/search-hits.presenter.js';
import { SearchController } from './http/search.controller.js';
import { TagContentsController } from './http/tag-contents.controller.js';
import { TagsController } from './http/tags.controller.js';
import { TagLocator } from './http/tags.locator.js';
import { TagPresenter } from './http/tags.presenter.js';
import { ThirdPartyTagsController } from './http/third-party-tags.controller.js';
import { EmbeddingsRepository } from './infrastructure/embeddings.repository.js';
import { openBlobStore } from './infrastructure/blob-store.factory.js';
import { FilesRepository } from './infrastructure/files.repository.js';
import { GraphImportsQueries } from './infrastructure/graph-imports.queries.js';
import { NodeDuplicates } from './infrastructure/node-duplicates.queries.js';
import { NodeTagNames } from './infrastructure/node-tag-names.queries.js';
import { NewNodes } from './infrastructure/new-nodes.queries.js';
import { NodeTotals } from './infrastructure/node-totals.js';
import { KeptPlaces } from './infrastructure/kept-places.js';
import { MergedNodes } from './infrastructure/merged-nodes.queries.js';
import { MergedRelationships } from './infrastructure/merged-relationships.queries.js';
import { MergedTags } from './infrastructure/merged-tags.queries.js';
import { NodesAsShown } from './infrastructure/nodes-as-shown.js';
import { NodeStepsQueries } from './infrastructure/node-steps.queries.js';
import { NodesQueries } from './infrastructure/nodes.queries.js';
import { NodesRepository } from './infrastructure/nodes.repository.js';
import { ReachedNodes } from './infrastructure/reached-nodes.queries.js';
import { RelationshipsAsShown } from './infrastructure/relationships-as-shown.js';
import { RelationshipsQueries } from './infrastructure/relationships.queries.js';
import { RelationshipsRepository } from './infrastructure/relationships.repository.js';
import { Search } from './infrastructure/search.queries.js';
import { ShownVersions } from './infrastructure/shown-versions.js';
import { TagsQueries } from './infrastructure/tags.queries.js';
import { TagsRepository } from './infrastructure/tags.repository.js';
import { ReadableVectorsQueries } from './infrastructure/readable-vectors.queries.js';
import { VectorSearch } from './infrastructure/vector-search.queries.js';
import { VectorShelves } from '../libs/vector-index/vector-shelves.js';

/** The graph: nodes, relationships, tags (rules 4), schemas (rules 5), files (rules 6). */
@Module({
  imports: [IdentityModule, PrivacyModule],
  // Fixed paths come before `nodes/:node_id`, which would take their words for ids.
  controllers: [
    NodesBulkController,
    SearchController,
    EmbeddingsController,
    NodesController,
    NodeFilesController,
    NodeTagsController,
    NodeRelationshipsController,
    RelationshipsController,
    ThirdPartyTagsController,
    TagsController,
    TagContentsController,
    SchemasController,
    FileDownloadsController,
    RawFilesController,
  ],
  providers: [
    NodesService,
    NodesBatchService,
    NodesBulkDeleteService,
    NodeTagging,
    NodesRepository,
    NodesQueries,
    KeptPlaces,
    MergedNodes,
    MergedRelationships,
    MergedTags,
    NodesAsShown,
    NodeStepsQueries,
    ShownVersions,
    ReachedNodes,
    NewNodes,
    NodeTotals,
    NodeTagNames,
    NodeDuplicates,
    NodesLocator,
    NodePages,
    NodePresenter,
    ReplayedNodes,
    EntityTags,
    TagsService,
    TagRefusals,
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
    RelationshipPages,
    GraphImports,
    GraphImportsQueries,
    EmbeddingsService,
    EmbeddingsRepository,
    ReadableVectorsQueries,
    VectorSearch,
    VectorShelves,
    Search,
    SearchHitsPresenter,
    SchemasService,
    SchemasRepository,
    SchemasQueries,
    SchemaLocator,
    SchemaPages,
    SchemaImpact,
    JsonSchemas,
    JsonSchemaWorkers,
    NodeSchemas,
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [Config] },
    BlobIntake,
    BlobSweep,
    FilesService,
    FileImports,
    FilesRepository,
    FilesLocator,
    FilePresenter,
    FileUploads,
    FileUploadInterceptor,
    FileArrivals,
    FileContents,
    FileLinks,
    EdgeMoves,
    OwnerEdits,
  ],
  exports: [
    NodesService,
    NodesBatchService,
    NodesBulkDeleteService,
    NodesQueries,
    NodeTotals,
    ReachedNodes,
    NodePages,
    NodePresenter,
    ShownVersions,
    NodeTagNames,
    TagsQueries,
    TagPresenter,
    NodesRepository,
    TagsService,
    RelationshipsService,
    GraphImports,
    FileImports,
    BLOB_STORE,
    BlobIntake,
    JsonSchemas,
    OwnerEdits,
    RelationshipPresenter,
    RelationshipPages,
  ],
})
export class GraphModule {}
