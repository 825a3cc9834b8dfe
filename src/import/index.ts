export { readJsonResume } from './json-resume.js';
export { type ImportProgress, type ImportReport } from './import-report.js';
export { Importer } from './importer.js';
export { type ImportedGraph, type ImportedNode, UnreadableSource } from './imported-graph.js';
export { ImportModule } from './import.module.js';
export { readMarkdownVault, type VaultGraph } from './markdown-vault.js';
export { reasonOf } from './reason.js';
