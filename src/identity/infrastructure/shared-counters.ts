import { Injectable } from '@nestjs/common';
import { Redis } from '../../kernel/redis/redis.js';
import { type Window } from '../domain/rate-limits.js';
import { MemoryCounters, RedisCounters, type Taken, type WindowCounters } from './window-counters.js';

/**
 * The counters of all processes in Redis; each process's own where there is none, and while it is away: a lost Redis
 * neither stops the service nor opens it wide (health and log say that it is lost).
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
    return this.shared.take(windows, now).catch(() => this.own.take(windows, now));
  }
}
