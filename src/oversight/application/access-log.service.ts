import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Counter } from 'prom-client';
import { Clock } from '../../kernel/clock.js';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { newId } from '../../kernel/ids.js';
import { Metrics } from '../../kernel/observability/metrics.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { detached } from '../../kernel/call-local.js';
import { requestContext } from '../../kernel/request-context.js';
import { LastUses } from '../../privacy/index.js';
import { AccessBuffer } from '../domain/access-buffer.js';
import { type Accessed } from '../domain/access-entry.js';
import { hourOf } from '../domain/hourly-limits.js';
import {
  type AccessLogFilter,
  type AccessLogPage,
  AccessLogQueries,
} from '../infrastructure/access-log.queries.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The time for which entries are held in memory, and so the most that a crash can lose. */
const WRITE_EVERY_MS = 2_000;
const KEPT_DAYS = 90;
const NO_NODES: ReadonlySet<string> = new Set();

/**
 * Logs which app or other person read or changed what. Entries are added behind the answers and written every two
 * seconds, earlier when many wait, and at the very end: no request waits for them, and a crash loses only the last
 * seconds.
 */
@Injectable()
export class AccessLog implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('access log');
  private readonly buffer = new AccessBuffer(newId);
  private readonly droppedTotal: Counter;
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private isWriting = false;
  private isFailing = false;
  /** True if entries had to stay: then only the timer begins the next write. */
  private isHeldUp = false;
  private isLast = false;

  constructor(
    private readonly queries: AccessLogQueries,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly housekeeping: Housekeeping,
    private readonly uses: LastUses,
    metrics: Metrics,
  ) {
    this.droppedTotal = new Counter({
      name: 'access_log_dropped_total',
      help: 'Accesses that were not logged, because too many waited to be written',
      registers: [metrics.registry],
    });
  }

  onModuleInit(): void {
    // Without a flush: an answer that a transaction is still open for must not wait for others' entries.
    this.uses.register((ownerId, spans) => this.queries.lastUses(ownerId, spans));
    this.housekeeping.register('access log', () =>
      this.units.run(() => this.queries.sweep(new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS))),
    );
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      if (!this.isWriting) void this.flush();
    }, WRITE_EVERY_MS).unref();
  }

  /** Runs after the last answer, before the database is closed. */
  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.isLast = true;
    await this.flush();
  }

  add(accessed: Accessed, nodeIds: ReadonlySet<string> = NO_NODES, options: { isPart?: boolean } = {}): void {
    const now = this.clock.now();
    // Other people are logged as who read what, not as when they were there.
    const isOthersRead = accessed.readerId !== null && accessed.action === 'read';
    this.buffer.add(accessed, nodeIds, { ...options, at: isOthersRead ? hourOf(now) : now });
    if (this.buffer.isHalfFull && !this.isWriting && !this.isHeldUp) void this.flush();
  }

  /** The owner's entries, newest first, including those that this process has not written yet. */
  async list(ownerId: string, filter: AccessLogFilter): Promise<AccessLogPage> {
    await this.flush();
    return this.queries.list(ownerId, filter);
  }

  /** Resolves when earlier entries are written, or have failed and wait for the next time. */
  flush(): Promise<void> {
    return (this.writing = this.writing.then(() => this.write()));
  }

  private async write(): Promise<void> {
    if (this.buffer.isEmpty) return;
    const { entries, dropped } = this.buffer.take();
    if (dropped > 0) {
      this.droppedTotal.inc(dropped);
      this.logger.warn({ dropped }, 'accesses were not logged: too many waited to be written');
    }
    this.isWriting = true;
    try {
      // In a transaction of its own, whatever waits for it: a roll-back would take everybody's entries with it.
      const rest = await detached(() =>
        requestContext.outside(() => this.units.run(() => this.queries.add(entries, this.isLast))),
      );
      this.buffer.giveBack(rest);
      this.isHeldUp = rest.length > 0;
      this.isFailing = false;
    } catch (error) {
      this.buffer.giveBack(entries);
      if (!this.isFailing)
        this.logger.warn({ err: error }, 'the access log could not be written; its entries are retried');
      this.isFailing = true;
      this.isHeldUp = true;
    } finally {
      this.isWriting = false;
    }
  }
}
