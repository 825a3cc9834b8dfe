import { Inject, Injectable, Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { newId } from '../../../kernel/ids.js';
import { BlobRemovals } from './blob-removals.js';
import { BLOB_STORE, type BlobStore } from './blob-store.js';

/** Bytes in the store that no row refers to yet. */
export interface StagedBlob {
  key: string;
  /** Hexadecimal. */
  sha256: string;
  size: number;
  /** The first bytes, by which formats are recognised. */
  head: Buffer;
}

/** The number of bytes that format recognition needs. */
const HEAD_BYTES = 4100;

/**
 * Takes bytes in as they arrive: counts and hashes them, and never has more than a chunk or a part of an
 * upload in memory.
 */
@Injectable()
export class BlobIntake {
  private readonly logger = new Logger('files');

  constructor(@Inject(BLOB_STORE) private readonly store: BlobStore) {}

  /**
   * @throws FILE_TOO_LARGE at the first byte over the limit, TOO_MUCH_UNDER_WAY, SERVICE_UNAVAILABLE; nothing is left
   * behind then
   */
  async take(content: AsyncIterable<Buffer>, maxBytes: number): Promise<StagedBlob> {
    const measure = new Measure(maxBytes);
    const key = newId();
    try {
      await this.store.write(key, measure.through(content));
    } catch (error) {
      if (measure.failure !== null) throw measure.failure;
      // There is no room for it now.
      if (error instanceof DomainError) throw error;
      throw this.unavailable(error);
    }
    return { key, ...measure.result() };
  }

  /** Removes bytes that nothing will ever refer to. If that fails, the sweep removes them. */
  discard(blob: StagedBlob): Promise<void> {
    return this.discardAll([blob]);
  }

  async discardAll(blobs: Iterable<StagedBlob>): Promise<void> {
    const removals = new BlobRemovals(this.store, (error) =>
      this.logger.warn({ err: error }, 'blob not removed'),
    );
    for (const { key } of blobs) await removals.remove(key);
  }

  private unavailable(error: unknown): DomainError {
    this.logger.error({ err: error }, 'the store of files takes nothing');
    return new DomainError('SERVICE_UNAVAILABLE', 'File storage is temporarily unavailable; try again later');
  }
}

class Measure {
  /** A fault of the content itself, not of the store. */
  failure: Error | null = null;
  private readonly hash = createHash('sha256');
  private readonly head: Buffer[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  async *through(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of content) {
        if (this.size < HEAD_BYTES) this.head.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - this.size)));
        this.size += chunk.length;
        if (this.size > this.maxBytes) throw tooLarge(this.maxBytes);
        this.hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      this.failure = error as Error;
      throw error;
    }
  }

  result(): Omit<StagedBlob, 'key'> {
    return { sha256: this.hash.digest('hex'), size: this.size, head: Buffer.concat(this.head) };
  }
}

const tooLarge = (max_bytes: number): DomainError =>
  new DomainError('FILE_TOO_LARGE', `The file is larger than the ${max_bytes} bytes of your plan`, {
    max_bytes,
  });
