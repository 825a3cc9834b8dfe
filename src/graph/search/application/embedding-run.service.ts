import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Clock } from '../../../kernel/clock.js';
import { EmbeddingCounts } from '../infrastructure/embedding-counts.queries.js';
import { EmbeddingQueue } from '../infrastructure/embedding-queue.repository.js';
import { EmbeddingsClient } from '../infrastructure/embeddings-client.js';
import { EmbeddingTurns } from './embedding-turns.service.js';

/** The state of a run for one owner. */
export interface EmbeddingProgress {
  /** Nodes with a vector of the service, and all living nodes. */
  done: number;
  total: number;
  /** The time until which the service for vectors is left alone after a failure; null: it is not. */
  waitsUntil: Date | null;
}

/** The longest time between two calls of `show`, which may end a run. */
const LONGEST_WAIT_MS = 500;

/** The work of the worker in the foreground, for the operator's command: it ends when nothing is left to do. */
@Injectable()
export class EmbeddingRun {
  constructor(
    private readonly queue: EmbeddingQueue,
    private readonly counts: EmbeddingCounts,
    private readonly turns: EmbeddingTurns,
    private readonly client: EmbeddingsClient,
    private readonly clock: Clock,
  ) {}

  /** False: the operator has set no service for vectors. */
  get hasService(): boolean {
    return this.client.settings !== null;
  }

  /** Owners who have switched it on, or off while vectors are still being removed. */
  owners(): Promise<string[]> {
    return this.counts.owners();
  }

  /**
   * Stops nowhere but between two requests: what is done stays done, and the next run continues behind it.
   * @param show called before each turn; throws to end the run
   * @returns the number of vectors; null: the owner has not switched it on
   */
  async of(ownerId: string, show: (progress: EmbeddingProgress) => void): Promise<number | null> {
    const total = await this.counts.countNodes(ownerId);
    for (;;) {
      const setting = await this.queue.find(ownerId);
      if (setting === null) return null;
      const done = await this.counts.countVectors(ownerId);
      const now = this.clock.now();
      const waitsUntil = setting.dueAt !== null && setting.dueAt > now ? setting.dueAt : null;
      show({ done, total, waitsUntil });
      if (setting.isComplete) return done;
      if (waitsUntil !== null) await delay(Math.min(LONGEST_WAIT_MS, waitsUntil.getTime() - now.getTime()));
      // Another process may be at work for this owner.
      else if (!(await this.turns.take(ownerId))) await delay(LONGEST_WAIT_MS);
    }
  }
}
