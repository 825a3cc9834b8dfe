export { isComparable } from './infrastructure/embedding-filter.js';
export { type EmbeddingProgress, EmbeddingRun } from './application/embedding-run.service.js';
export { SIMILAR_REASONS, SimilarNodes } from './application/similar-nodes.service.js';
export { SearchModule } from './search.module.js';
