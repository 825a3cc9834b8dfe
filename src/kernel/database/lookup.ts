import { rest } from '../slices.js';
import { type Sql, sql } from './sql.js';

/**
 * A table in one parameter of a statement, whose rows are found by a key. The planner knows nothing of the rows in a
 * parameter and joins them with each row of the other side; a key of a `jsonb` object is searched for in the object, in
 * any plan.
 */
export class Lookup {
  static readonly empty = new Lookup('{}');

  private constructor(private readonly json: string) {}

  /** Others are served while it is made. Of equal keys the last one counts. */
  static async of(entries: Iterable<readonly [key: string, value: string | number]>): Promise<Lookup> {
    const texts: string[] = [];
    for (const [key, value] of entries) {
      texts.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
      const pause = rest();
      if (pause !== undefined) await pause;
    }
    return texts.length === 0 ? Lookup.empty : new Lookup(`{${texts.join()}}`);
  }

  get isEmpty(): boolean {
    return this === Lookup.empty;
  }

  /** The number of characters that it takes. */
  get size(): number {
    return this.json.length;
  }

  /** The value at a key as text; null for none. */
  at(key: Sql): Sql {
    return sql`(${this.json}::jsonb ->> ${key})`;
  }
}
