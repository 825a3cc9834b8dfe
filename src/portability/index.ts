export { ArchiveUploads } from './application/archive-uploads.service.js';
export { ErasureService } from './application/erasure.service.js';
export { ExportService } from './application/export.service.js';
export { ImportService } from './application/import.service.js';
export { UnfinishedImports } from './application/unfinished-imports.js';
export { PortabilityModule } from './portability.module.js';
