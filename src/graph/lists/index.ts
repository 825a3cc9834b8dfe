export { type Searched, searchSharers } from './infrastructure/sharers.js';
export { SnapshotCache } from './infrastructure/snapshot-cache.js';
export {
  type LivePart,
  type MergedList,
  MergedLists,
  type ReadRows,
  type SharesOfOwners,
} from './infrastructure/merged-lists.js';
export { type FoundPlace, SharedItemIndex, type SharedItems } from './infrastructure/shared-item-index.js';
export { FIRST_PIECE, graphPiece, type GraphPiece } from './infrastructure/graph-pieces.js';
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
  among,
  foldCase,
  inFactsAndTexts,
  type NodeFilter,
  passing,
  readableNodes,
} from './infrastructure/node-filter.js';
export { type Counted, NodeTotals } from './infrastructure/node-totals.js';
export { FirstEntries } from './infrastructure/first-entries.js';
export { FoundPlaces } from './infrastructure/found-places.js';
export { compareText, type ListPosition } from './infrastructure/list-positions.js';
export { inMaskedPlace } from './infrastructure/masked-places.js';
export {
  type SubQuery,
  ownSubQuery,
  sharedSubQueries,
  groupByExposure,
  grantsByShape,
  nodesAt,
  sharesOfOwners,
  receivedIn,
  rowsAt,
  GIVEN_NODE,
} from './infrastructure/shared-nodes.js';
export { candidatesAmong, isAmong, isReceived } from './infrastructure/received-among.js';
export { passesProperties, propertiesPass } from './infrastructure/property-matches.js';
export { shownTime, STORED_TIME } from './infrastructure/shown-time.js';
export { NODE_WORDS, onNodeWithTag } from './infrastructure/tagged-nodes.js';
export { ListsModule } from './lists.module.js';
