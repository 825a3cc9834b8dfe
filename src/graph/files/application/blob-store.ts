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
 * The storage of files' bytes. A key is a UUID made for one blob and never used again, so two writers never
 * collide and no name from outside becomes part of a path. A stored blob is whole and durable, or absent.
 */
export interface BlobStore {
  /** Resolves when all of the content is durable; leaves nothing when the content fails or ends early. */
  write(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  /** Rejects with BlobMissing before the first byte. Readers destroy the stream when they need no more. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Bytes, null when there is no such blob. */
  size(key: string): Promise<number | null>;
  /** Removes a blob; an absent one counts as removed. */
  remove(key: string): Promise<void>;
  /** Every whole blob. */
  list(): AsyncIterable<StoredBlob>;
  /** Removes writes that began before that time and never finished; returns their number. */
  removeUnfinished(before: Date): Promise<number>;
  /** Rejects when nothing can be stored or read now. Cheap. */
  check(): Promise<void>;
}

/** The injection token of the configured adapter. */
export const BLOB_STORE = Symbol('blob store');

/** An error for bytes that a row refers to and the store does not have: damage, never the caller's fault. */
export class BlobMissing extends Error {
  constructor(key: string) {
    super(`the store has no blob ${key}`);
  }
}
