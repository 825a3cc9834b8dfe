import { Injectable } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import { Config } from '../../config/config.js';

/**
 * Connections that the delivery of events may hold at a time: half of them, of which some are kept for outcomes. Of one
 * connection, as the embedded database has, no more than two pieces of work wait their turn. However many receivers are
 * served, requests are not behind them all (a bulkhead).
 */
@Injectable()
export class DatabaseShare {
  private readonly looking: LimitFunction;
  private readonly recording: LimitFunction;

  constructor({ embedded, databasePool }: Config) {
    const share = embedded ? 1 : Math.max(2, Math.floor(databasePool / 2));
    const recording = Math.ceil(share / 3);
    this.looking = pLimit(Math.max(1, share - recording));
    this.recording = pLimit(recording);
  }

  /** Work that waits for the database and for nothing else. What is inside of it asks for no share of its own. */
  use<T>(work: () => Promise<T>): Promise<T> {
    return this.looking(work);
  }

  /** What has been sent does not wait behind what is to be sent: its lease would run out. */
  record<T>(work: () => Promise<T>): Promise<T> {
    return this.recording(work);
  }
}
