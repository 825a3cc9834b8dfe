import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { rowsOf, type Statement } from './described-once.js';
import { isCancelled } from './violations.js';

/** The time for which a read may keep others from the only connection. */
const SLICE_MS = 150;
/** One that had to give way begins anew when nobody has waited for so long: a request's statements follow each other. */
const QUIET_MS = 20;

/** The statement of the only connection: the read's, as long as the read holds that connection. */
interface OwnStatement {
  /** Milliseconds for which it has run; 0 while it waits for maintenance, or when there is none. */
  readonly runningMs: number;
  /** Ends it with an error. */
  cancel(): void;
}

/**
 * The reads of requests on the embedded database, which has one connection. A read that takes long is cancelled as soon as
 * somebody else waits for the connection, and begins anew when nobody does; with nobody waiting it may take as long as
 * any read. So one that can be answered at all is answered on a quiet database, and never stops a busy one.
 */
export class GivingWay {
  private timer: NodeJS.Timeout | null = null;
  private reading: object | null = null;

  /** @param limitMs for a read, with its waiting in between */
  constructor(
    private readonly pool: pg.Pool,
    private readonly statement: OwnStatement,
    private readonly limitMs: number,
  ) {}

  /** @throws what a server throws of a statement that took too long */
  async read<Row extends object>(statement: Statement): Promise<Row[]> {
    const until = performance.now() + this.limitMs;
    for (;;) {
      try {
        return await this.attempt<Row>(statement);
      } catch (error) {
        if (!isCancelled(error) || !(await this.quiet(until))) throw error;
      }
    }
  }

  private async attempt<Row extends object>(statement: Statement): Promise<Row[]> {
    const client = await this.pool.connect();
    const own = (this.reading = {});
    this.timer ??= setTimeout(() => this.look(), SLICE_MS).unref();
    try {
      return await rowsOf<Row>(client, statement);
    } finally {
      if (this.reading === own) this.reading = null;
      client.release();
    }
  }

  /** One timer for many short reads. */
  private look(): void {
    this.timer = null;
    if (this.reading === null) return;
    const over = this.statement.runningMs - SLICE_MS;
    if (over >= 0 && this.pool.waitingCount > 0) this.statement.cancel();
    this.timer = setTimeout(() => this.look(), over < 0 ? -over : QUIET_MS).unref();
  }

  /** True when nobody has waited for a moment; false when that did not come in time. */
  private async quiet(until: number): Promise<boolean> {
    let since = performance.now();
    while (performance.now() < until) {
      await pause(QUIET_MS / 4);
      if (this.pool.waitingCount > 0 || this.pool.idleCount === 0) since = performance.now();
      if (performance.now() - since >= QUIET_MS) return true;
    }
    return false;
  }
}
