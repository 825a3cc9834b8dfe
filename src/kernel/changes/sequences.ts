import { Injectable } from '@nestjs/common';
import { Database, openTransaction } from '../persistence/database.js';
import { type Sql, sql } from '../persistence/sql.js';

/** Where an owner's (or app's) counters stand. */
export interface Stamp {
  changes: number;
  policy: number;
}

type Stamps = Map<string, Stamp>;

/** Counters as they stand while nothing is committed; null: the id has none. */
interface Known {
  position: string;
  stamps: Map<string, Stamp | null>;
}

interface Waiting {
  ids: readonly string[];
  resolve: (stamps: Stamps) => void;
  reject: (error: unknown) => void;
}

const MAX_KNOWN = 10_000;

/**
 * Reads counters for all requests that ask at the same time with one statement. A request never gets an answer
 * that was asked for before it came: it waits for the next statement. So what was committed before the request
 * began is seen, in every process, and the price is shared. The embedded database tells when something is committed, so
 * that what was read before that need not be read again.
 */
@Injectable()
export class Sequences {
  private waiting: Waiting[] = [];
  private running = false;
  private known: Known | null = null;

  constructor(private readonly database: Database) {}

  /** Counters by id; ids without a row are missing from the answer. */
  current(ids: readonly string[]): Promise<Stamps> {
    // Who holds a connection must not wait for another one; what is committed is seen over this one just as well.
    if (openTransaction.getStore())
      return this.load([...ids], (statement) => this.database.read(statement, 'sequences'));
    const known = this.stillKnown(ids);
    if (known) return Promise.resolve(known);
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
        // Before the statement: whatever is committed from now on makes it another one.
        const position = this.database.logPosition;
        const stamps = await this.load(ids, (statement) =>
          this.database.readCommitted(statement, 'sequences'),
        );
        if (position !== null) this.keep(position, ids, stamps);
        for (const { resolve } of batch) resolve(stamps);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.running = false;
  }

  private stillKnown(ids: readonly string[]): Stamps | null {
    if (this.known === null || this.known.position !== this.database.logPosition) return null;
    const { stamps } = this.known;
    if (!ids.every((id) => stamps.has(id))) return null;
    return new Map(
      ids.flatMap((id) => {
        const stamp = stamps.get(id);
        return stamp ? [[id, stamp]] : [];
      }),
    );
  }

  private keep(position: string, ids: readonly string[], stamps: Stamps): void {
    if (this.known?.position !== position || this.known.stamps.size > MAX_KNOWN)
      this.known = { position, stamps: new Map() };
    for (const id of ids) this.known.stamps.set(id, stamps.get(id) ?? null);
  }

  private async load(
    ids: string[],
    read: (statement: Sql) => Promise<(Stamp & { id: string })[]>,
  ): Promise<Stamps> {
    const rows = await read(sql`SELECT id, changes, policy FROM sequences WHERE id = ANY(${ids}::uuid[])`);
    return new Map(rows.map(({ id, changes, policy }) => [id, { changes, policy }]));
  }
}
