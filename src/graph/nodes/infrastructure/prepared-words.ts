import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { isCancelled } from '../../../kernel/database/violations.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { Housekeeping } from '../../../kernel/housekeeping.js';
import { newId } from '../../../kernel/ids.js';
import { requestContext } from '../../../kernel/request-context.js';

/** Shorter values are taken apart where they are written (migration `words-ahead`). */
const LONG_BYTES = 8_000;
/** Long values of fewer bytes together take less time than preparing them. */
const WORTH_BYTES = 32 * 1024;

/** Words whose process has ended before their write. */
const LEFT_BEHIND = sql.raw("prepared_at < now() - interval '1 hour'");

/**
 * Takes long values apart into their words before the transaction that writes them: a value takes up to 200 ms, and while a
 * transaction is open the embedded database serves nobody else. The statement that takes one apart is a read, which gives
 * way to others (ADR 89).
 */
@Injectable()
export class PreparedWords implements OnModuleInit {
  private readonly logger = new Logger('prepared words');

  constructor(
    private readonly database: Database,
    private readonly units: UnitOfWork,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('prepared words', () =>
      this.units.autocommit(() => this.database.write(sql`DELETE FROM prepared_words WHERE ${LEFT_BEHIND}`)),
    );
  }

  /**
   * Runs a write of these values of one graph, with their words prepared; within a unit of work, where it is too late for
   * that, as it is.
   */
  async during<T>(
    ownerId: string,
    values: readonly (string | null | undefined)[],
    write: () => Promise<T>,
  ): Promise<T> {
    const long = this.units.isOpen ? [] : longValuesOf(values);
    if (long.length === 0) return write();
    const writeId = newId();
    try {
      await this.prepare(ownerId, writeId, long);
      return await write();
    } finally {
      await this.remove(ownerId, writeId);
    }
  }

  /**
   * Prepares what there is time for: the write takes the other values apart itself. Its own statements confirm the rights of
   * the request; their errors must reach it, because a refusal is not repeated by the write.
   */
  private async prepare(ownerId: string, writeId: string, values: readonly string[]): Promise<void> {
    for (const value of values) {
      const words = await this.wordsInTime(value);
      if (words === null) return;
      await this.alone(sql`INSERT INTO prepared_words (owner_id, digest, write_id, words)
        VALUES (${ownerId}, digest_of(${value}), ${writeId}, ${words}::tsvector)`);
    }
  }

  /** The words as text; null if the database has no time or room to read. */
  private async wordsInTime(value: string): Promise<string | null> {
    try {
      const rows = await this.database.read<{ words: string }>(
        sql`SELECT value_words(${value})::text AS words`,
        'value-words',
      );
      return (rows[0] as { words: string }).words;
    } catch (error) {
      if (isLackOfRoom(error)) return null;
      throw error;
    }
  }

  /**
   * The unit of a whole request is still open after its write. Otherwise the write has ended, whatever becomes of this: it
   * is not waited for, takes nothing from the request's person and decides nothing about its rights, and the hourly
   * housekeeping removes what is left.
   */
  private async remove(ownerId: string, writeId: string): Promise<void> {
    const statement = sql`DELETE FROM prepared_words WHERE owner_id = ${ownerId} AND write_id = ${writeId}`;
    if (this.units.isOpen) {
      await this.database.write(statement, 'prepared-words-done');
      return;
    }
    void requestContext
      .outside(() => this.alone(statement))
      .catch((error: unknown) =>
        this.logger.warn({ err: error, msg: 'prepared words are left for the housekeeping' }),
      );
  }

  /** Runs a statement in a transaction of its own, which does not count as the write of the request. */
  private async alone(statement: Sql): Promise<void> {
    await this.database.writeAlone({ text: statement.text, values: statement.values });
  }
}

const isLackOfRoom = (error: unknown): boolean =>
  isCancelled(error) ||
  (error instanceof DomainError && ['SERVICE_UNAVAILABLE', 'TOO_MUCH_UNDER_WAY'].includes(error.code));

const isLong = (value: string | null | undefined): value is string =>
  typeof value === 'string' && value.length > LONG_BYTES / 4 && Buffer.byteLength(value) > LONG_BYTES;

/** The different values that are worth preparing; none if they are too few. */
export function longValuesOf(values: readonly (string | null | undefined)[]): string[] {
  const long = [...new Set(values.filter(isLong))];
  const bytes = long.reduce((sum, value) => sum + Buffer.byteLength(value), 0);
  return bytes < WORTH_BYTES ? [] : long;
}
