import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/index.js';
import { PrivacyModule } from '../../privacy/index.js';
import { CommonModule } from '../common/index.js';
import { ListsModule } from '../lists/index.js';
import { NodesModule } from '../nodes/index.js';
import { VectorShelves } from '../../libs/vector-index/vector-shelves.js';
import { EmbeddingsService } from './application/embeddings.service.js';
import { Highlights } from './application/highlights.service.js';
import { SearchService } from './application/search.service.js';
import { EmbeddingsController } from './http/embeddings.controller.js';
import { SearchHitsPresenter } from './http/search-hits.presenter.js';
import { SearchController } from './http/search.controller.js';
import { EmbeddingsRepository } from './infrastructure/embeddings.repository.js';
import { ReadableVectorsQueries } from './infrastructure/readable-vectors.queries.js';
import { SearchTerms } from './infrastructure/search-terms.queries.js';
import { Search } from './infrastructure/search.queries.js';
import { WordHitsQueries } from './infrastructure/word-hits.queries.js';
import { VectorSearch } from './infrastructure/vector-search.queries.js';

/** Embeddings and search (rules 4.17 and 4.18). */
@Module({
  imports: [IdentityModule, PrivacyModule, CommonModule, ListsModule, NodesModule],
  controllers: [SearchController, EmbeddingsController],
  providers: [
    EmbeddingsService,
    EmbeddingsRepository,
    ReadableVectorsQueries,
    VectorSearch,
    VectorShelves,
    SearchTerms,
    WordHitsQueries,
    Search,
    SearchService,
    Highlights,
    SearchHitsPresenter,
  ],
  exports: [],
})
export class SearchModule {}
