export { type Searched, searchGivers } from './infrastructure/givers.js';
export { KeptAnswers } from './infrastructure/kept-answers.js';
export {
  type LivePart,
  type MergedList,
  MergedLists,
  type ReceivedFrom,
} from './infrastructure/merged-lists.js';
export { newestFirst } from './infrastructure/newest-first.js';
export {
  NODE_COLUMN_NAMES,
  NODE_COLUMNS,
  nodeBytes,
  nodeColumns,
  nodesWithinBytes,
} from './infrastructure/node-columns.js';
export {
  FACT_COLUMNS,
  foldCase,
  type NodeFilter,
  passing,
  readableNodes,
} from './infrastructure/node-filter.js';
export { type Counted, NodeTotals } from './infrastructure/node-totals.js';
export { compareText, type Place } from './infrastructure/places.js';
export {
  type Arm,
  armOfOwn,
  armsOf,
  byExposure,
  nodesAt,
  receivedFromOwners,
  receivedIn,
  rowsAt,
} from './infrastructure/received-nodes.js';
export { shownTime, STORED_TIME } from './infrastructure/shown-time.js';
export { ListsModule } from './lists.module.js';
