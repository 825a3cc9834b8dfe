import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { IdempotencyInterceptor } from './http/idempotency.interceptor.js';
import { Database } from './persistence/database.js';

const HOUR_MS = 60 * 60 * 1000;

/** What must happen now and then, and at the very end: what is over is swept, the database is closed last. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('housekeeping');
  private readonly sweeps = new Map<string, () => Promise<unknown>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    idempotency: IdempotencyInterceptor,
  ) {
    this.register('idempotency keys', () => idempotency.sweep());
  }

  /** Work for every hour; contexts register theirs when they start. Its failure is logged and stops no other. */
  register(name: string, work: () => Promise<unknown>): void {
    if (this.sweeps.has(name)) throw new Error(`there is a sweep of ${name} already`);
    this.sweeps.set(name, work);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), HOUR_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.database.close();
  }

  /** One after the other: nothing of it is urgent, and the embedded database has one connection. */
  async sweep(): Promise<void> {
    for (const [name, work] of this.sweeps) {
      await work().catch((error: unknown) => this.logger.error({ err: error, sweep: name }, 'sweep failed'));
    }
  }
}
