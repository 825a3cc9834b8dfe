import { DomainError } from './errors/domain-error.js';

/** So long one piece of work keeps the process from serving others. */
const SLICE_MS = 5;

const waiting: (() => void)[] = [];

/** One waiting slice for each round of the event loop, however many requests have work to do. */
function nextRound(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(serveOne);
  });
}

function serveOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serveOne);
}

/** Long work of one request, done in slices between which others are served. */
export class Slices {
  private began = performance.now();
  private spent = 0;

  /** @param mostMs of its own work, not of waiting */
  constructor(private readonly mostMs: number) {}

  /**
   * Does the work step by step.
   * @throws SERVICE_UNAVAILABLE when it has taken longer than it may
   */
  async run<T>(work: Iterator<unknown, T>): Promise<T> {
    this.began = performance.now();
    for (;;) {
      const step = work.next();
      const worked = performance.now() - this.began;
      if (step.done === true) {
        this.spent += worked;
        return step.value;
      }
      if (worked < SLICE_MS) continue;
      this.spent += worked;
      if (this.spent > this.mostMs) throw tooLong();
      await nextRound();
      this.began = performance.now();
    }
  }
}

const tooLong = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'The transformations of the profile take too long for so much text; ask for less at a time',
  );
