export { readJsonResume } from './json-resume.js';
export { AmbiguousSource } from './import-choice.js';
export { type ImportProgress, type ImportReport } from './import-report.js';
export { ImportUndo } from './import-undo.js';
export { Importer } from './importer.js';
export {
  type ImportedGraph,
  type ImportedNode,
  type ImportWarning,
  UnreadableSource,
} from './imported-graph.js';
export { ImportModule } from './import.module.js';
export { ImportUndone } from './imports.queries.js';
export { type ChosenImport, Imports } from './imports.service.js';
export { readMarkdownVault, type VaultGraph } from './markdown-vault.js';
export { reasonOf } from './reason.js';
