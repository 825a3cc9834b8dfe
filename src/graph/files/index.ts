export { BlobIntake, type StagedBlob } from './application/blob-intake.js';
export { BlobRemovals } from './application/blob-removals.js';
export { BLOB_STORE, type BlobStore } from './application/blob-store.js';
export { GRACE_MS } from './application/blob-sweep.js';
export { FileImports } from './application/file-imports.service.js';
export { isMediaType } from './domain/file-kind.js';
export { MAX_FILE_BYTES } from './domain/file-limits.js';
export { FilesModule } from './files.module.js';
