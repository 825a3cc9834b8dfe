import { requestContext } from './request-context.js';

/** Work for several callers at once. */
interface UnderWay<T> {
  result: Promise<T>;
  waiting: number;
  abandoned: AbortController;
}

/**
 * Shares work among callers: those that ask the same question while it is being answered get the same answer. The work
 * is aborted when the last of them has gone.
 */
export class SharedWork<T> {
  private readonly underWay = new Map<string, UnderWay<T>>();

  share(key: string, gone: AbortSignal, work: (abandoned: AbortSignal) => Promise<T>): Promise<T> {
    const shared = this.underWay.get(key) ?? this.begin(key, work);
    shared.waiting++;
    const leave = (): void => {
      if (--shared.waiting > 0) return;
      shared.abandoned.abort();
      this.end(key, shared);
    };
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
    return shared.result.finally(() => gone.removeEventListener('abort', leave));
  }

  private begin(key: string, work: (abandoned: AbortSignal) => Promise<T>): UnderWay<T> {
    const abandoned = new AbortController();
    // The caller who began it may leave while others wait.
    const context = { ...requestContext.current(), isLeft: () => abandoned.signal.aborted };
    const result = requestContext.run(context, () => work(abandoned.signal));
    const shared = { result, waiting: 0, abandoned };
    this.underWay.set(key, shared);
    const ended = (): void => this.end(key, shared);
    shared.result.then(ended, ended);
    return shared;
  }

  /** Later callers start again: an abandoned answer is incomplete. */
  private end(key: string, shared: UnderWay<T>): void {
    if (this.underWay.get(key) === shared) this.underWay.delete(key);
  }
}
