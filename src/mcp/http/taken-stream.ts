import { type Response } from 'express';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Sends a stream to a client as fast as the client takes it, and knows when all that is ready has been taken. */
export class TakenStream {
  /** Set while the client has not taken what was written. */
  private full: Promise<unknown> | null = null;

  constructor(
    private readonly response: Response,
    private readonly over: AbortSignal,
  ) {}

  /** Resolves at the end of the stream. @throws AbortError */
  async send(body: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of body) {
      if (this.response.write(chunk)) continue;
      this.full = once(this.response, 'drain', { signal: this.over });
      await this.full;
      this.full = null;
    }
  }

  /** Resolves when the client has taken all that the stream had ready, or has gone. */
  async taken(): Promise<void> {
    // All ready chunks are read in one turn, until the client is slower than that.
    await nextTurn();
    while (this.full !== null && !this.over.aborted) {
      await this.full.catch(() => undefined);
      await nextTurn();
    }
  }
}
