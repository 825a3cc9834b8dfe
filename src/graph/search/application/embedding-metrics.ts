import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Config } from '../../../config/config.js';
import { Metrics } from '../../../kernel/observability/metrics.js';
import { EmbeddingCounts } from '../infrastructure/embedding-counts.queries.js';

/** Counts of what is sent to the service that computes vectors; registered only where there is one. */
@Injectable()
export class EmbeddingMetrics {
  private readonly texts: Counter<'purpose'>;
  private readonly failures: Counter<'reason'>;
  private readonly saved: Counter;
  private readonly passedOver: Counter;

  constructor(config: Config, metrics: Metrics, counts: EmbeddingCounts) {
    const registers = config.embeddings === null ? [] : [metrics.registry];
    this.texts = new Counter({
      name: 'embeddings_texts_sent_total',
      help: 'Texts sent to the service that computes vectors',
      labelNames: ['purpose'],
      registers,
    });
    this.failures = new Counter({
      name: 'embeddings_requests_failed_total',
      help: 'Requests to the service that computes vectors without an answer that could be used',
      labelNames: ['reason'],
      registers,
    });
    this.saved = new Counter({
      name: 'embeddings_vectors_saved_total',
      help: 'Vectors that were saved',
      registers,
    });
    this.passedOver = new Counter({
      name: 'embeddings_texts_passed_over_total',
      help: 'Texts that the service refused, which have no vector',
      registers,
    });
    new Gauge({
      name: 'embeddings_waiting_graphs',
      help: 'Graphs with texts that wait for their vectors, in all processes',
      registers,
      async collect() {
        // A database that is away must not hide the other metrics.
        await counts.countWaiting().then(
          (count) => this.set(count),
          () => this.reset(),
        );
      },
    });
  }

  sent(purpose: 'node' | 'query', count: number): void {
    this.texts.inc({ purpose }, count);
  }

  failed(reason: string): void {
    this.failures.inc({ reason });
  }

  savedVectors(count: number): void {
    this.saved.inc(count);
  }

  passedOverText(): void {
    this.passedOver.inc();
  }
}
