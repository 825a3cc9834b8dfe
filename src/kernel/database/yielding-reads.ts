import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { rowsOf, type Statement } from './cached-row-description.js';
import { UsedTime } from './used-time.js';

/** The time for which a read may block the only connection while others wait. */
const SLICE_MS = 150;
/** The longest slice of a read that gave way before: slices double up to this. */
const MOST_MS = 600;
/** Callers who used less than this lately get longer slices. */
const SPARING_MS = 1_500;
/**
 * A read that gave way restarts after a pause this long in which nobody waited: the statements of one request follow
 * each other.
 */
const QUIET_MS = 20;

/** The statement of the only connection: the read's, while the read holds that connection. */
interface OwnStatement {
  /** Milliseconds for which it has run; 0 while it waits for maintenance, or without one. */
  readonly runningMs: number;
  /** Ends it with an error. */
  cancel(): void;
}

/** One attempt to run a statement. */
interface Attempt {
  readonly sliceMs: number;
  gaveWay: boolean;
  /** The time with the connection; set at the end of the attempt. */
  tookMs: number;
}

const attemptOf = (sliceMs: number): Attempt => ({ sliceMs, gaveWay: false, tookMs: 0 });

/** The result of a statement for a part of a caller's keys. */
export interface Piece<Row> {
  /** Null: the statement gave way to others, and the next piece must be smaller. */
  rows: Row[] | null;
  tookMs: number;
}

/**
 * Runs the reads of requests on the embedded database, which has one connection. A long read is cancelled as soon as
 * another caller waits for the connection, and restarts when none does; while none waits it may take as long as any
 * read. On a database that is never quiet it restarts after some time, with a slice twice as long, if its caller has
 * used little of the database lately: a busy account cannot starve another user's reads, and its own reads delay others
 * by one slice at most.
 */
export class YieldingReads {
  private timer: NodeJS.Timeout | null = null;
  private reading: Attempt | null = null;

  /** @param limitMs the time of a read, including its waits */
  constructor(
    private readonly pool: pg.Pool,
    private readonly statement: OwnStatement,
    private readonly limitMs: number,
    private readonly used = new UsedTime(),
  ) {}

  /** @throws the error of a server for a statement that took too long (57014) */
  async read<Row extends object>(caller: string, statement: Statement): Promise<Row[]> {
    const until = performance.now() + this.limitMs;
    for (let sliceMs = SLICE_MS; ;) {
      const attempt = attemptOf(sliceMs);
      try {
        return await this.attempt<Row>(caller, statement, attempt);
      } catch (error) {
        if (!attempt.gaveWay) throw error;
        const isSparing = sliceMs < MOST_MS && this.used.by(caller) < SPARING_MS;
        const longerMs = isSparing ? 2 * sliceMs : Infinity;
        const isAgain = await this.isItsTurn(until, longerMs);
        if (!isAgain) throw error;
        if (isSparing) sliceMs = longerMs;
      }
    }
  }

  /**
   * A read that can be split further: it is not restarted.
   * @param isSmallest the piece has one row and cannot be split: it runs to its end
   */
  async readPiece<Row extends object>(
    caller: string,
    statement: Statement,
    isSmallest: boolean,
  ): Promise<Piece<Row>> {
    const attempt = attemptOf(isSmallest ? this.limitMs : SLICE_MS);
    try {
      const rows = await this.attempt<Row>(caller, statement, attempt);
      return { rows, tookMs: attempt.tookMs };
    } catch (error) {
      if (!attempt.gaveWay || isSmallest) throw error;
      return { rows: null, tookMs: attempt.tookMs };
    }
  }

  private async attempt<Row extends object>(
    caller: string,
    statement: Statement,
    attempt: Attempt,
  ): Promise<Row[]> {
    const client = await this.pool.connect();
    const begun = performance.now();
    this.reading = attempt;
    this.timer ??= setTimeout(() => this.check(), SLICE_MS).unref();
    try {
      return await rowsOf<Row>(client, statement);
    } finally {
      if (this.reading === attempt) this.reading = null;
      attempt.tookMs = performance.now() - begun;
      this.used.add(caller, attempt.tookMs);
      client.release();
    }
  }

  /** Checks the running read; one timer serves many short reads. */
  private check(): void {
    this.timer = null;
    if (this.reading === null) return;
    const over = this.statement.runningMs - this.reading.sliceMs;
    if (over >= 0 && this.pool.waitingCount > 0) {
      this.reading.gaveWay = true;
      this.statement.cancel();
    }
    // The next read may have a shorter slice than this one.
    this.timer = setTimeout(() => this.check(), over < 0 ? Math.min(-over, SLICE_MS) : QUIET_MS).unref();
  }

  /**
   * True when nobody waited for a moment, or others had their turn for `othersMs`; false when neither happened in time.
   */
  private async isItsTurn(until: number, othersMs: number): Promise<boolean> {
    const begun = performance.now();
    let since = begun;
    for (let now = begun; now < until; now = performance.now()) {
      if (now - since >= QUIET_MS || now - begun >= othersMs) return true;
      await pause(QUIET_MS / 4);
      if (this.pool.waitingCount > 0 || this.pool.idleCount === 0) since = performance.now();
    }
    return false;
  }
}
