import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Housekeeping } from '../../../kernel/housekeeping.js';
import { Readiness } from '../../../kernel/observability/readiness.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { FilesRepository } from '../infrastructure/files.repository.js';
import { BlobRemovals } from './blob-removals.js';
import { BLOB_STORE, type BlobStore, type StoredBlob } from './blob-store.js';

/** Longer than any upload may take: a blob this old without a row will never get one. */
export const GRACE_MS = 2 * 60 * 60 * 1000;
const BATCH = 500;

/**
 * Removes bytes that no file refers to: those of uploads that were interrupted, and of replaced content. A
 * blob of a deleted node stays, because the node can be restored.
 */
@Injectable()
export class BlobSweep implements OnModuleInit {
  private readonly logger = new Logger('files');

  constructor(
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly files: FilesRepository,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly housekeeping: Housekeeping,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('blobs of files', () => this.run());
    this.readiness.register('the store of files', () => this.store.check());
  }

  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - GRACE_MS);
    const removals = new BlobRemovals(this.store, (error) =>
      this.logger.warn({ err: error }, 'bytes that nothing refers to are left to the next sweep'),
    );
    await this.forgetUnused(before, removals);
    let batch: StoredBlob[] = [];
    for await (const blob of this.store.list()) {
      if (blob.modified < before) batch.push(blob);
      if (batch.length === BATCH) {
        await this.removeUnknown(batch, removals);
        batch = [];
      }
    }
    await this.removeUnknown(batch, removals);
    await this.store.removeUnfinished(before);
  }

  /**
   * The row is deleted first: if the process ends in between, the next sweep finds the bytes without a row.
   */
  private async forgetUnused(before: Date, removals: BlobRemovals): Promise<void> {
    for (;;) {
      const keys = await this.units.run(() => this.files.forgetUnused(before, BATCH));
      for (const key of keys) await removals.remove(key);
      if (keys.length < BATCH) return;
    }
  }

  private async removeUnknown(blobs: readonly StoredBlob[], removals: BlobRemovals): Promise<void> {
    if (blobs.length === 0) return;
    const known = await this.files.known(blobs.map(({ key }) => key));
    for (const { key } of blobs) if (!known.has(key)) await removals.remove(key);
  }
}
