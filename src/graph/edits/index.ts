export { type EdgeArrival, GraphImports } from './application/graph-imports.service.js';
export { type TagChange } from './application/edit-decisions.js';
export { OwnerEdits } from './application/owner-edits.service.js';
export { EditsModule } from './edits.module.js';
export { type MarkedNode } from './infrastructure/graph-imports.queries.js';
