import { type BlobStore } from './blob-store.js';

/** A store that hangs takes seconds for each answer, and there can be thousands of blobs. */
const FAILURES_IN_A_ROW = 3;

/** Takes blobs away one after the other, until it is clear that the store does not answer. What stays is the sweep's business. */
export class BlobRemovals {
  private failures = 0;

  constructor(
    private readonly store: BlobStore,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  get isGivenUp(): boolean {
    return this.failures >= FAILURES_IN_A_ROW;
  }

  /** @returns whether the blob is gone; false at once when the store was given up */
  async remove(key: string): Promise<boolean> {
    if (this.isGivenUp) return false;
    try {
      await this.store.remove(key);
      this.failures = 0;
      return true;
    } catch (error) {
      this.failures++;
      this.onFailure(error);
      return false;
    }
  }
}
