import { Injectable } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import { Config } from '../../config/config.js';

/**
 * Limits the connections that delivery may hold at a time (a bulkhead): half of the pool, some of them reserved for
 * outcomes. With the embedded database's single connection at most two pieces of work are queued. Requests never wait
 * behind all receivers.
 */
@Injectable()
export class DatabaseBulkhead {
  private readonly looking: LimitFunction;
  private readonly recording: LimitFunction;

  constructor({ embedded, databasePool }: Config) {
    const share = embedded ? 1 : Math.max(2, Math.floor(databasePool / 2));
    const recording = Math.ceil(share / 3);
    this.looking = pLimit(Math.max(1, share - recording));
    this.recording = pLimit(recording);
  }

  /** Runs work that waits for the database and nothing else. Work inside it must not call this again. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.looking(work);
  }

  /** Records an outcome. It never waits behind new messages, because its lease would expire. */
  record<T>(work: () => Promise<T>): Promise<T> {
    return this.recording(work);
  }
}
