import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/index.js';
import { PrivacyModule } from '../../privacy/index.js';
import { CommonModule } from '../common/index.js';
import { ListsModule } from '../lists/index.js';
import { NodesModule } from '../nodes/index.js';
import { VectorShelves } from '../../libs/vector-index/vector-shelves.js';
import { EmbeddingConsent } from './application/embedding-consent.service.js';
import { EmbeddingFollower } from './application/embedding-follower.js';
import { EmbeddingMetrics } from './application/embedding-metrics.js';
import { EmbeddingRequests } from './application/embedding-requests.service.js';
import { EmbeddingRun } from './application/embedding-run.service.js';
import { EmbeddingSettings } from './application/embedding-settings.service.js';
import { EmbeddingTurns } from './application/embedding-turns.service.js';
import { EmbeddingWorker } from './application/embedding-worker.js';
import { EmbeddingsService } from './application/embeddings.service.js';
import { Highlights } from './application/highlights.service.js';
import { QueryVectors } from './application/query-vectors.service.js';
import { SearchService } from './application/search.service.js';
import { EmbeddingSettingsController } from './http/embedding-settings.controller.js';
import { EmbeddingsController } from './http/embeddings.controller.js';
import { SimilarNodes } from './application/similar-nodes.service.js';
import { SimilarNodesController } from './http/similar-nodes.controller.js';
import { SimilarTitlesQueries } from './infrastructure/similar-titles.queries.js';
import { SearchHitsPresenter } from './http/search-hits.presenter.js';
import { SearchController } from './http/search.controller.js';
import { EmbeddingCounts } from './infrastructure/embedding-counts.queries.js';
import { EmbeddingQueue } from './infrastructure/embedding-queue.repository.js';
import { EmbeddingsClient } from './infrastructure/embeddings-client.js';
import { EmbeddingsRepository } from './infrastructure/embeddings.repository.js';
import { ReadableVectorsQueries } from './infrastructure/readable-vectors.queries.js';
import { SearchTerms } from './infrastructure/search-terms.queries.js';
import { Search } from './infrastructure/search.queries.js';
import { NearWordsQueries } from './infrastructure/near-words.queries.js';
import { TagWordsQueries } from './infrastructure/tag-words.queries.js';
import { VectorHitsQueries } from './infrastructure/vector-hits.queries.js';
import { WordHitsQueries } from './infrastructure/word-hits.queries.js';
import { ServiceVectors } from './infrastructure/service-vectors.repository.js';
import { VectorSearch } from './infrastructure/vector-search.queries.js';

/** Embeddings and search (rules 4.17 and 4.18). */
@Module({
  imports: [IdentityModule, PrivacyModule, CommonModule, ListsModule, NodesModule],
  controllers: [SearchController, SimilarNodesController, EmbeddingsController, EmbeddingSettingsController],
  providers: [
    EmbeddingsService,
    EmbeddingsRepository,
    EmbeddingSettings,
    EmbeddingConsent,
    EmbeddingQueue,
    EmbeddingCounts,
    EmbeddingRun,
    EmbeddingFollower,
    EmbeddingMetrics,
    EmbeddingsClient,
    EmbeddingRequests,
    EmbeddingTurns,
    EmbeddingWorker,
    ServiceVectors,
    QueryVectors,
    ReadableVectorsQueries,
    VectorSearch,
    VectorShelves,
    SearchTerms,
    WordHitsQueries,
    VectorHitsQueries,
    NearWordsQueries,
    TagWordsQueries,
    Search,
    SearchService,
    Highlights,
    SearchHitsPresenter,
    SimilarTitlesQueries,
    SimilarNodes,
  ],
  exports: [EmbeddingRun, SimilarNodes],
})
export class SearchModule {}
