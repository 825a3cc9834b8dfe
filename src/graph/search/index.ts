export { isComparable } from './infrastructure/embedding-filter.js';
export { SearchModule } from './search.module.js';
