import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { IdempotentRequests } from './http/idempotent-requests.js';
import { Clock } from './clock.js';
import { Database } from './database/database.js';
import { sql } from './database/sql.js';
import { UnitOfWork } from './change-log/unit-of-work.js';

const HOUR_MS = 60 * 60 * 1000;
/** Less than an hour: timers are inexact, and the process that swept last hour may sweep again. */
const TURN_MS = 45 * 60 * 1000;

/** Periodic and final work: expired rows are swept every hour, and the database is closed last. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('housekeeping');
  private readonly sweeps = new Map<string, () => Promise<unknown>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    idempotency: IdempotentRequests,
  ) {
    this.register('idempotency keys', () => idempotency.sweep());
  }

  /**
   * Registers hourly work; contexts register theirs when they start. A failure is logged and does not stop other
   * sweeps.
   */
  register(name: string, work: () => Promise<unknown>): void {
    if (this.sweeps.has(name)) throw new Error(`there is a sweep of ${name} already`);
    this.sweeps.set(name, work);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.takeTurns(), HOUR_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.database.close();
  }

  /** Runs the sweeps one after the other: none is urgent, and the embedded database has one connection. */
  async sweep(): Promise<void> {
    for (const [name, work] of this.sweeps) await this.run(name, work);
  }

  /** Runs the hour's sweeps, each in only one of all processes, because some of them read whole tables. */
  async takeTurns(): Promise<void> {
    for (const [name, work] of this.sweeps) {
      await this.run(name, async () => {
        if (await this.isMine(name)) await work();
      });
    }
  }

  private async run(name: string, work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => this.logger.error({ err: error, sweep: name }, 'sweep failed'));
  }

  private async isMine(name: string): Promise<boolean> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - TURN_MS);
    const taken = await this.units.run(() =>
      this.database.write(
        sql`INSERT INTO sweeps AS s (name, taken_at) VALUES (${name}, ${now})
          ON CONFLICT (name) DO UPDATE SET taken_at = EXCLUDED.taken_at WHERE s.taken_at <= ${before} RETURNING name`,
        'sweep-turn',
      ),
    );
    return taken.length === 1;
  }
}
