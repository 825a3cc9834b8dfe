import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { openTransaction } from '../database/transaction.js';
import { type Sql, sql } from '../database/sql.js';

/** The counters of an owner or app: last change number and policy version. */
export interface CounterValues {
  changes: number;
  policy: number;
}

type CountersById = Map<string, CounterValues>;

/** Counters that hold while nothing is committed; null for an id without counters. */
interface CachedCounters {
  position: string;
  stamps: Map<string, CounterValues | null>;
}

interface Waiting {
  ids: readonly string[];
  resolve: (stamps: CountersById) => void;
  reject: (error: unknown) => void;
}

const MAX_KNOWN = 10_000;

/**
 * Reads counters for all concurrent requests with one statement. A request never gets the result of a statement that
 * began before the request arrived: it waits for the next one. So it sees everything committed before it began, in
 * every process, and the cost is shared. The embedded database reports each commit, so that counters read since the
 * last one need not be read again.
 */
@Injectable()
export class OwnerCounters {
  private waiting: Waiting[] = [];
  private running = false;
  private known: CachedCounters | null = null;

  constructor(private readonly database: Database) {}

  /** Counters by id; ids without a row are missing from the answer. */
  current(ids: readonly string[]): Promise<CountersById> {
    // A caller that holds a connection must not wait for another one; this one sees committed rows just as well.
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
        // Read before the statement: any commit from now on changes the position.
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

  private stillKnown(ids: readonly string[]): CountersById | null {
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

  private keep(position: string, ids: readonly string[], stamps: CountersById): void {
    if (this.known?.position !== position || this.known.stamps.size > MAX_KNOWN)
      this.known = { position, stamps: new Map() };
    for (const id of ids) this.known.stamps.set(id, stamps.get(id) ?? null);
  }

  private async load(
    ids: string[],
    read: (statement: Sql) => Promise<(CounterValues & { id: string })[]>,
  ): Promise<CountersById> {
    const rows = await read(sql`SELECT id, changes, policy FROM sequences WHERE id = ANY(${ids}::uuid[])`);
    return new Map(rows.map(({ id, changes, policy }) => [id, { changes, policy }]));
  }
}
