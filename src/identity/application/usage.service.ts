import {
  type OnApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { requestContext } from '../../kernel/request-context.js';
import { type UsageRow, UsageQueries, type UsageSummary } from '../infrastructure/usage.queries.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The interval of writes: a crash can lose the counts of this time. */
const WRITE_EVERY_MS = 5_000;
const KEPT_DAYS = 90;

/** An answered request of an app. */
export interface Served {
  appId: string;
  /** Method and route, such as `GET /nodes/:node_id`. */
  endpoint: string;
  status: number;
  milliseconds: number;
}

/**
 * Counts the use of apps: in memory after each answer, added to the hour's row every few seconds. No request
 * waits for it; a crash loses the last seconds' counts and nothing else.
 */
@Injectable()
export class Usage implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('usage');
  private counted = new Map<string, UsageRow>();
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly queries: UsageQueries,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('usage', () =>
      this.units.run(() => this.queries.sweep(this.daysAgo(KEPT_DAYS))),
    );
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write().catch(this.report), WRITE_EVERY_MS).unref();
  }

  /** Runs after the last answer and before the database is closed. */
  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.write().catch(this.report);
  }

  count({ appId, endpoint, status, milliseconds }: Served): void {
    const now = this.clock.now().getTime();
    const hour = new Date(now - (now % HOUR_MS)).toISOString();
    const status_class = Math.floor(status / 100);
    const key = `${appId} ${hour} ${status_class} ${endpoint}`;
    const row = this.counted.get(key);
    if (row) {
      row.requests += 1;
      row.milliseconds += milliseconds;
    } else this.counted.set(key, { app_id: appId, hour, endpoint, status_class, requests: 1, milliseconds });
  }

  /** The use of an app in the last days, including this process's requests that are not written yet. */
  async summary(appId: string, days: number): Promise<UsageSummary> {
    await this.write();
    return this.queries.summary(appId, this.daysAgo(days));
  }

  /** Writes run one after the other: counts that could not be written are back before the next write. */
  private write(): Promise<void> {
    return (this.writing = this.writing.catch(() => undefined).then(() => this.writeCounted()));
  }

  /** Counts that cannot be written stay and are written with the next ones. */
  private async writeCounted(): Promise<void> {
    if (this.counted.size === 0) return;
    const counted = this.counted;
    this.counted = new Map();
    try {
      await requestContext.outside(() => this.units.run(() => this.queries.add([...counted.values()])));
    } catch (error) {
      for (const [key, row] of counted) {
        const newer = this.counted.get(key);
        if (newer) {
          newer.requests += row.requests;
          newer.milliseconds += row.milliseconds;
        } else this.counted.set(key, row);
      }
      throw error;
    }
  }

  private daysAgo(days: number): Date {
    return new Date(this.clock.now().getTime() - days * DAY_MS);
  }

  private readonly report = (error: unknown): void =>
    this.logger.warn({ err: error }, 'usage could not be written; it is kept for later');
}
