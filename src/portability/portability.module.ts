import { Module } from '@nestjs/common';
import { GraphModule } from '../graph/index.js';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { ArchiveCopies } from './application/archive-copies.js';
import { ArchiveUploads } from './application/archive-uploads.service.js';
import { ErasureService } from './application/erasure.service.js';
import { ExportService } from './application/export.service.js';
import { IdBudget } from './application/id-budget.js';
import { ImportService } from './application/import.service.js';
import { ArchiveUploadInterceptor } from './http/archive-upload.interceptor.js';
import { HeldGraphs } from './application/held-graphs.js';
import { UnfinishedImports } from './application/unfinished-imports.js';
import { UnseenSchemas } from './application/unseen-schemas.js';
import { PortabilityController } from './http/portability.controller.js';
import { ArchiveRowsQueries } from './infrastructure/archive-rows.queries.js';
import { ErasureQueries } from './infrastructure/erasure.queries.js';
import { RestoredChecks } from './infrastructure/restored-checks.queries.js';
import { RestoredRowsQueries } from './infrastructure/restored-rows.queries.js';

/** Export, import and erasure (ADR 17). */
@Module({
  imports: [IdentityModule, PrivacyModule, GraphModule],
  controllers: [PortabilityController],
  providers: [
    ExportService,
    ArchiveCopies,
    ArchiveUploads,
    IdBudget,
    UnseenSchemas,
    ArchiveUploadInterceptor,
    ImportService,
    HeldGraphs,
    UnfinishedImports,
    ErasureService,
    ArchiveRowsQueries,
    RestoredRowsQueries,
    RestoredChecks,
    ErasureQueries,
  ],
})
export class PortabilityModule {}
