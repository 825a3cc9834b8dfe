import { Injectable } from '@nestjs/common';
import { Redis } from '../../kernel/redis/redis.js';
import { type Window } from '../domain/rate-limits.js';
import { MemoryCounters, RedisCounters, type Taken, type WindowCounters } from './window-counters.js';

/** The longest wait for the counters, which holds up a request. */
const PATIENCE_MS = 1_000;

/**
 * The counters of all processes in Redis; each process's own without Redis, and while it is unavailable: a
 * lost Redis neither stops the service nor lifts the limits (health and log report the loss).
 */
@Injectable()
export class SharedCounters implements WindowCounters {
  private readonly own = new MemoryCounters();
  private readonly shared: RedisCounters | null;

  constructor(private readonly redis: Redis) {
    this.shared = redis.client === null ? null : new RedisCounters(redis.client);
  }

  take(windows: readonly Window[], now: Date): Promise<Taken> {
    if (this.shared === null || this.redis.ready === null) return this.own.take(windows, now);
    return answerOf(this.shared.take(windows, now)).catch(() => this.own.take(windows, now));
  }
}

/**
 * Gives up after PATIENCE_MS, but not while an unread answer is waiting: a process that had no time to read
 * it has not lost Redis, and counting by itself would let more through at the moment of the highest load.
 */
function answerOf(asked: Promise<Taken>): Promise<Taken> {
  return new Promise((resolve, reject) => {
    // Immediates run after sockets were read.
    const giveUp = (): unknown => setImmediate(() => reject(new Error('Redis did not answer in time')));
    const timer = setTimeout(giveUp, PATIENCE_MS);
    asked.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
