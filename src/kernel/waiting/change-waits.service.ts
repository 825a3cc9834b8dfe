import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { OwnerCounters, type CounterValues } from '../change-log/owner-counters.js';

/** The counters that a request was answered by: the owner's and the app's. */
export type CountersById = ReadonlyMap<string, CounterValues>;

/** 'over': nothing moved in time; 'closed': the service shuts down, or the client is gone. */
export type Outcome = 'moved' | 'over' | 'closed';

interface Waiter {
  ids: readonly string[];
  since: CountersById;
  end: (outcome: Outcome) => void;
}

const POLL_MS = 100;

/**
 * Waits for changes without holding a connection: all waiters of a process share one statement that reads the counters
 * of all of them, ten times a second while anybody waits. Counters are read from the database, so that commits of other
 * processes are noticed as well.
 */
@Injectable()
export class ChangeWaits implements OnModuleDestroy {
  private readonly logger = new Logger('waits');
  private readonly waiters = new Set<Waiter>();
  private isClosed = false;
  private isPolling = false;

  constructor(private readonly counters: OwnerCounters) {}

  /**
   * Resolves as soon as one of the counters has another value.
   * @param gone aborted when nobody waits for the answer any longer
   */
  wait(
    ids: readonly string[],
    since: CountersById,
    { ms, gone }: { ms: number; gone: AbortSignal },
  ): Promise<Outcome> {
    if (this.isClosed || gone.aborted) return Promise.resolve('closed');
    return new Promise((resolve) => {
      const left = () => waiter.end('closed');
      const timer = setTimeout(() => waiter.end('over'), ms);
      const waiter: Waiter = {
        ids,
        since,
        end: (outcome) => {
          clearTimeout(timer);
          gone.removeEventListener('abort', left);
          this.waiters.delete(waiter);
          resolve(outcome);
        },
      };
      gone.addEventListener('abort', left);
      this.waiters.add(waiter);
      if (!this.isPolling) void this.poll();
    });
  }

  /** Runs before the server waits for its last answers, which these waits would delay. */
  onModuleDestroy(): void {
    this.isClosed = true;
    for (const waiter of [...this.waiters]) waiter.end('closed');
  }

  private async poll(): Promise<void> {
    this.isPolling = true;
    while (this.waiters.size > 0) {
      try {
        const ids = new Set([...this.waiters].flatMap((waiter) => waiter.ids));
        const stamps = await this.counters.current([...ids]);
        for (const waiter of [...this.waiters]) if (hasMoved(waiter, stamps)) waiter.end('moved');
      } catch (error) {
        // Waiters then ask again, and get the error themselves.
        this.logger.error({ err: error }, 'the counters cannot be read');
      }
      await sleep(POLL_MS, undefined, { ref: false });
    }
    this.isPolling = false;
  }
}

const hasMoved = ({ ids, since }: Waiter, stamps: CountersById): boolean =>
  ids.some((id) => {
    const [before, now] = [since.get(id), stamps.get(id)];
    return before?.changes !== now?.changes || before?.policy !== now?.policy;
  });
