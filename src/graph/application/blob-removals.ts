import { type BlobStore } from './blob-store.js';

/** So long a store that says nothing may keep somebody waiting, who may have thousands of blobs. */
const PATIENCE_MS = 20_000;
/** A failure that comes sooner is an answer: of this blob, and not of the store. */
const ANSWER_MS = 1_000;

/**
 * Takes blobs away one after the other, until a store that does not answer has cost too much time. One that refuses some
 * does not keep the others. What stays is the sweep's business.
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

  /** @returns whether the blob is gone; false at once when the store was given up */
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
