import { Injectable } from '@nestjs/common';
import { Database, openTransaction } from '../persistence/database.js';
import { type Sql, sql } from '../persistence/sql.js';

/** Where an owner's (or app's) counters stand. */
export interface Stamp {
  changes: number;
  policy: number;
}

interface Waiting {
  ids: readonly string[];
  resolve: (stamps: Map<string, Stamp>) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads counters for all requests that ask at the same time with one statement. A request never gets an answer
 * that was asked for before it came: it waits for the next statement. So what was committed before the request
 * began is seen, in every process, and the price is shared.
 */
@Injectable()
export class Sequences {
  private waiting: Waiting[] = [];
  private running = false;

  constructor(private readonly database: Database) {}

  /** Counters by id; ids without a row are missing from the answer. */
  current(ids: readonly string[]): Promise<Map<string, Stamp>> {
    // Who holds a connection must not wait for another one; what is committed is seen over this one just as well.
    if (openTransaction.getStore())
      return this.load([...ids], (statement) => this.database.read(statement, 'sequences'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ ids, resolve, reject });
      if (!this.running) {
        this.running = true;
        // Requests that arrive in the same turn of the event loop share the first statement, too.
        setImmediate(() => void this.drain());
      }
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        const ids = [...new Set(batch.flatMap((waiting) => waiting.ids))];
        const stamps = await this.load(ids, (statement) =>
          this.database.readCommitted(statement, 'sequences'),
        );
        for (const { resolve } of batch) resolve(stamps);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.running = false;
  }

  private async load(
    ids: string[],
    read: (statement: Sql) => Promise<(Stamp & { id: string })[]>,
  ): Promise<Map<string, Stamp>> {
    const rows = await read(sql`SELECT id, changes, policy FROM sequences WHERE id = ANY(${ids}::uuid[])`);
    return new Map(rows.map(({ id, changes, policy }) => [id, { changes, policy }]));
  }
}
