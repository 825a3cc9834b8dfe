import { derivedId, isId } from '../../kernel/ids.js';
import { isObject } from '../../kernel/json/json-values.js';
import { type OwnedTable } from './owned-table.js';
import { OMITTED } from './restored-tables.js';

const MAX_DERIVED = 10_000;

/**
 * The ids that an archive defines: those of its rows, of all entities in its log, and of the proposals that
 * the log names. All other ids in it name something elsewhere: apps, people, agents, schemas of others.
 */
export class ArchivedIds {
  private readonly known = new Set<string>();
  private readonly named = new Set<string>();

  /** The number of ids in memory. */
  get size(): number {
    return this.known.size + this.named.size;
  }

  /** The ids of schemas that nodes and schemas of the archive have, and that the archive does not define. */
  get otherSchemas(): ReadonlySet<string> {
    return this.named;
  }

  /** Adds the ids of an unchecked row; malformed ids define nothing. */
  addThoseOf(owned: OwnedTable, row: Readonly<Record<string, unknown>>): void {
    this.define(definedBy(owned, row).filter(isId));
    for (const id of schemasIn(row))
      if (isId(id) && !this.has(id.toLowerCase())) this.named.add(id.toLowerCase());
  }

  /** Counts these ids among those that the archive defines. */
  define(ids: Iterable<string>): void {
    for (const id of ids) {
      this.known.add(id.toLowerCase());
      this.named.delete(id.toLowerCase());
    }
  }

  has(id: string): boolean {
    return this.known.has(id);
  }

  [Symbol.iterator](): Iterator<string> {
    return this.known.values();
  }

  /**
   * Maps each defined id to its new id in the account of an owner, and any other id to itself. Derived, so
   * that nothing depends on the contents of other accounts, and from the owner, so that no two accounts hold
   * one id (ADR 33).
   */
  renamedFor(ownerId: string): (id: string) => string {
    const derived = new Map<string, string>();
    return (id) => {
      if (!this.known.has(id)) return id;
      const before = derived.get(id);
      if (before !== undefined) return before;
      if (derived.size >= MAX_DERIVED) derived.clear();
      const renamed = importedId(ownerId, id);
      derived.set(id, renamed);
      return renamed;
    };
  }
}

/** The id in the account of an owner for an id of the archive. @param id in lower case */
export const importedId = (ownerId: string, id: string): string => derivedId(`import ${ownerId} ${id}`);

/** True if rows of this table define ids. */
export const definesIds = ({ table, columns }: OwnedTable): boolean => table === 'changes' || 'id' in columns;

/** The schemas that a node or a schema has, or had in a version. */
function schemasIn({ schema_id, extends: parent, snapshot }: Readonly<Record<string, unknown>>): unknown[] {
  const past = isObject(snapshot) ? [snapshot['schema_id'], snapshot['extends']] : [];
  return [schema_id, parent, ...past];
}

function definedBy({ table }: OwnedTable, row: Readonly<Record<string, unknown>>): unknown[] {
  if (table !== 'changes') return [row['id']];
  return row['entity'] === OMITTED ? [] : [row['entity_id'], row['proposal_id']];
}
