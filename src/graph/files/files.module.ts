import { Module } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { SpoolRoom } from '../../kernel/spool/spool-room.js';
import { IdentityModule } from '../../identity/index.js';
import { PrivacyModule } from '../../privacy/index.js';
import { CommonModule } from '../common/index.js';
import { ListsModule } from '../lists/index.js';
import { TagsModule } from '../tags/index.js';
import { NodesModule } from '../nodes/index.js';
import { BlobIntake } from './application/blob-intake.js';
import { BLOB_STORE } from './application/blob-store.js';
import { BlobSweep } from './application/blob-sweep.js';
import { FileImports } from './application/file-imports.service.js';
import { FilesService } from './application/files.service.js';
import { FileArrivals } from './http/file-arrivals.js';
import { FileContents } from './http/file-contents.js';
import { FileDownloadsController } from './http/file-downloads.controller.js';
import { FileLinks } from './http/file-links.js';
import { FileUploadInterceptor } from './http/file-upload.interceptor.js';
import { FileUploads } from './http/file-uploads.js';
import { FilesLocator } from './http/files.locator.js';
import { FilePresenter } from './http/files.presenter.js';
import { NodeFilesController } from './http/node-files.controller.js';
import { RawFilesController } from './http/raw-files.controller.js';
import { TagContentsController } from './http/tag-contents.controller.js';
import { openBlobStore } from './infrastructure/blob-store.factory.js';
import { FilesRepository } from './infrastructure/files.repository.js';

/** Files: nodes with bytes (rules 6). */
@Module({
  imports: [IdentityModule, PrivacyModule, CommonModule, ListsModule, TagsModule, NodesModule],
  controllers: [NodeFilesController, TagContentsController, FileDownloadsController, RawFilesController],
  providers: [
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [Config, SpoolRoom] },
    BlobIntake,
    BlobSweep,
    FilesRepository,
    FilesService,
    FileImports,
    FilesLocator,
    FilePresenter,
    FileUploads,
    FileUploadInterceptor,
    FileArrivals,
    FileContents,
    FileLinks,
  ],
  exports: [BLOB_STORE, BlobIntake, FileImports],
})
export class FilesModule {}
