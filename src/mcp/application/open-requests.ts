import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

interface Message {
  id?: unknown;
  method?: unknown;
}

/** The longest time for which the end of the input waits for answers. */
const PATIENCE_MS = 30_000;

/** The requests of a connection that have no answer yet: an input that ends waits for them. */
export class OpenRequests {
  private readonly ids = new Set<unknown>();
  private noneLeft: (() => void) | null = null;

  /** @param endless true for a method whose answer comes only with the end of the connection */
  constructor(private readonly endless: (method: unknown) => boolean) {}

  begun({ id, method }: Message): void {
    if (id !== undefined && method !== undefined && !this.endless(method)) this.ids.add(id);
  }

  answered({ id, method }: Message): void {
    if (method !== undefined || !this.ids.delete(id) || this.ids.size > 0) return;
    this.noneLeft?.();
  }

  /** The same input, whose end comes when all requests before it have their answers. */
  before(input: Readable): Readable {
    const through = new PassThrough();
    input.pipe(through, { end: false });
    const end = (): void => void through.end();
    once(input, 'end')
      .then(() => this.allAnswered())
      .then(end, end);
    return through;
  }

  private async allAnswered(): Promise<void> {
    // The last messages may still be on their way through.
    await wait(0);
    if (this.ids.size === 0) return;
    const over = new AbortController();
    const none = new Promise<void>((left) => (this.noneLeft = left));
    await Promise.race([none, wait(PATIENCE_MS, undefined, { signal: over.signal })]);
    over.abort();
  }
}
