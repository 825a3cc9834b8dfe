import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Aggregates only: routes as patterns, never an id, never a text (rule 11.8). */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly requestDuration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  /** One for each kind of request, with its labels bound: binding them costs more than counting. */
  private readonly durations = new Map<string, { observe(seconds: number): void }>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  served(
    { method, route, status }: { method: string; route: string; status: number },
    seconds: number,
  ): void {
    const kind = `${method} ${status} ${route}`;
    let duration = this.durations.get(kind);
    if (duration === undefined) {
      duration = this.requestDuration.labels({ method, route, status });
      this.durations.set(kind, duration);
    }
    duration.observe(seconds);
  }
}
