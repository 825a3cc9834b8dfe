/** Stands in archives for the account they are of: whoever imports one, takes its place. */
export const OWNER = '00000000-0000-4000-8000-000000000000';

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
  private readonly uris: [from: string, to: string][] = [];

  private constructor(pairs: Iterable<[from: string, to: string]>) {
    for (const [from, to] of pairs) {
      if (/^[0-9a-f-]{36}$/.test(from)) this.ids.set(from, to);
      else this.uris.push([JSON.stringify(from), JSON.stringify(to)]);
    }
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
    return this.uris.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  }
}
