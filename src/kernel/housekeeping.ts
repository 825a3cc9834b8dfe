import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { IdempotencyInterceptor } from './http/idempotency.interceptor.js';
import { Database } from './persistence/database.js';

const HOUR_MS = 60 * 60 * 1000;

/** What must happen now and then, and at the very end: old answers are swept, the database is closed last. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('housekeeping');
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly idempotency: IdempotencyInterceptor,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), HOUR_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.database.close();
  }

  private async sweep(): Promise<void> {
    await this.idempotency
      .sweep()
      .catch((error: unknown) => this.logger.error({ err: error }, 'sweep failed'));
  }
}
