import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { rowsOf, type Statement } from './described-once.js';
import { UsedTime } from './used-time.js';

/** The time for which a read may keep others from the only connection. */
const SLICE_MS = 150;
/** The longest slice of a read that gave way before: twice as long each time, up to this. */
const MOST_MS = 600;
/** Longer slices are for people who had less of the database lately. */
const SPARING_MS = 1_500;
/** A read that had to give way begins anew when nobody has waited for so long: a request's statements follow each other. */
const QUIET_MS = 20;

/** The statement of the only connection: the read's, as long as the read holds that connection. */
interface OwnStatement {
  /** Milliseconds for which it has run; 0 while it waits for maintenance, or when there is none. */
  readonly runningMs: number;
  /** Ends it with an error. */
  cancel(): void;
}

/** One try of a statement. */
interface Attempt {
  readonly sliceMs: number;
  gaveWay: boolean;
  /** With the connection, once it is over. */
  tookMs: number;
}

const attemptOf = (sliceMs: number): Attempt => ({ sliceMs, gaveWay: false, tookMs: 0 });

/** A statement about a part of what a caller reads. */
export interface Piece<Row> {
  /** Null: it gave way to others, and is to be asked for less. */
  rows: Row[] | null;
  tookMs: number;
}

/**
 * The reads of requests on the embedded database, which has one connection. A read that takes long is cancelled as soon as
 * somebody else waits for the connection, and begins anew when nobody does; with nobody waiting it may take as long as
 * any read. On a database that is never quiet it begins anew after some time, with a slice twice as long, if its reader has
 * used little of the database lately: a busy account cannot starve another person's reads, and its own keep others waiting
 * for one slice at most.
 */
export class GivingWay {
  private timer: NodeJS.Timeout | null = null;
  private reading: Attempt | null = null;

  /** @param limitMs for a read, with its waiting in between */
  constructor(
    private readonly pool: pg.Pool,
    private readonly statement: OwnStatement,
    private readonly limitMs: number,
    private readonly used = new UsedTime(),
  ) {}

  /** @throws what a server throws of a statement that took too long */
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
   * A read that can be asked for less: it is not begun anew.
   * @param isSmallest it is about one row, than which there is nothing less: it runs to its end
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
    this.timer ??= setTimeout(() => this.look(), SLICE_MS).unref();
    try {
      return await rowsOf<Row>(client, statement);
    } finally {
      if (this.reading === attempt) this.reading = null;
      attempt.tookMs = performance.now() - begun;
      this.used.add(caller, attempt.tookMs);
      client.release();
    }
  }

  /** One timer for many short reads. */
  private look(): void {
    this.timer = null;
    if (this.reading === null) return;
    const over = this.statement.runningMs - this.reading.sliceMs;
    if (over >= 0 && this.pool.waitingCount > 0) {
      this.reading.gaveWay = true;
      this.statement.cancel();
    }
    // The next read may have a shorter slice than this one.
    this.timer = setTimeout(() => this.look(), over < 0 ? Math.min(-over, SLICE_MS) : QUIET_MS).unref();
  }

  /** True when nobody has waited for a moment, or others had their turn for so long; false when neither came in time. */
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
