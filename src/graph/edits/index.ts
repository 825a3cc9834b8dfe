export { type EdgeArrival, GraphImports } from './application/graph-imports.service.js';
export { OwnerEdits, type TagChange } from './application/owner-edits.service.js';
export { EditsModule } from './edits.module.js';
export { type MarkedNode } from './infrastructure/graph-imports.queries.js';
