import { type Readable } from 'node:stream';

/** Part of a blob: first and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredBlob {
  key: string;
  modified: Date;
}

/**
 * Where the bytes of files are. A key is a UUID made for one blob and never used again, so two writers never meet and
 * no name from outside gets near a path. What is stored is whole and durable, or not there at all.
 */
export interface BlobStore {
  /** Resolves when all of the content is safe; leaves nothing when the content fails or ends early. */
  write(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  /** Rejects with BlobMissing before the first byte. The reader destroys the stream when he needs no more. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Bytes, null when there is no such blob. */
  size(key: string): Promise<number | null>;
  /** A blob that is not there counts as removed. */
  remove(key: string): Promise<void>;
  /** Every whole blob. */
  list(): AsyncIterable<StoredBlob>;
  /** Takes away what was begun before that time and never finished; says how much. */
  removeUnfinished(before: Date): Promise<number>;
  /** Rejects when nothing can be stored or read now. Cheap. */
  check(): Promise<void>;
}

/** Under this name the adapter of the configuration is provided. */
export const BLOB_STORE = Symbol('blob store');

/** A row says that there are bytes and the store has none: damage, never the caller's fault. */
export class BlobMissing extends Error {
  constructor(key: string) {
    super(`the store has no blob ${key}`);
  }
}
