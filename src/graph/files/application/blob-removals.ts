import { type BlobStore } from './blob-store.js';

/**
 * The total time that a store which does not answer may take, because a person may have thousands of blobs.
 */
const PATIENCE_MS = 20_000;
/** A failure within this time is an answer about this blob, not a failure of the store. */
const ANSWER_MS = 1_000;

/**
 * Removes blobs one after the other, until a store that does not answer has cost too much time. One that
 * refuses some blobs does not stop the others. The sweep removes the rest.
 */
export class BlobRemovals {
  private lostMs = 0;

  constructor(
    private readonly store: BlobStore,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  get isGivenUp(): boolean {
    return this.lostMs >= PATIENCE_MS;
  }

  /** @returns true if the blob is gone; false at once after the store was given up */
  async remove(key: string): Promise<boolean> {
    if (this.isGivenUp) return false;
    const begun = performance.now();
    try {
      await this.store.remove(key);
      return true;
    } catch (error) {
      const took = performance.now() - begun;
      if (took >= ANSWER_MS) this.lostMs += took;
      this.onFailure(error);
      return false;
    }
  }
}
