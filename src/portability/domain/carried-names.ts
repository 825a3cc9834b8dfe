import { isId } from '../../kernel/ids.js';

/** Stands in archives for the account they are of: whoever imports one, takes its place. */
const OWNER = '00000000-0000-4000-8000-000000000000';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export interface CarriedName {
  /** What it is called here. */
  name: string;
  /** What it is called in archives. */
  carried_as: string;
}

/**
 * The names that differ between an account and its archives: its own id, and the ids and URIs of schemas that were
 * taken here when they were imported. They are exchanged wherever they stand in a row, in snapshots and rules too, so
 * that the way out is the exact inverse of the way in.
 */
export class CarriedNames {
  private readonly ids = new Map<string, string>();
  /** As JSON texts. */
  private readonly uris = new Map<string, string>();
  private readonly longest: number;

  private constructor(pairs: Iterable<[from: string, to: string]>) {
    for (const [from, to] of pairs) {
      if (isId(from)) this.ids.set(from, to);
      else this.uris.set(JSON.stringify(from), JSON.stringify(to));
    }
    this.longest = Math.max(0, ...[...this.uris.keys()].map(({ length }) => length));
  }

  static out(ownerId: string, names: readonly CarriedName[]): CarriedNames {
    return new CarriedNames([
      [ownerId, OWNER],
      ...names.map(({ name, carried_as }): [string, string] => [name, carried_as]),
    ]);
  }

  static in(ownerId: string, names: readonly CarriedName[]): CarriedNames {
    return new CarriedNames([
      [OWNER, ownerId],
      ...names.map(({ name, carried_as }): [string, string] => [carried_as, name]),
    ]);
  }

  /** The JSON text of a row, with the other side's names in it. */
  exchange(line: string): string {
    const text = line.replace(UUID, (id) => this.ids.get(id) ?? id);
    return this.uris.size === 0 ? text : this.withUris(text);
  }

  /** One pass, however many names there are and however long the texts. */
  private withUris(text: string): string {
    let done = '';
    let from = 0;
    for (let start = text.indexOf('"'); start !== -1;) {
      const end = endOfText(text, start);
      const other = end - start > this.longest ? undefined : this.uris.get(text.slice(start, end));
      if (other !== undefined) {
        done += text.slice(from, start) + other;
        from = end;
      }
      start = text.indexOf('"', end);
    }
    return done + text.slice(from);
  }
}

/** Behind the quotation mark that ends a JSON text; of text that is no JSON, the end. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}
