import { Injectable } from '@nestjs/common';
import { type Expected } from '../../kernel/changes/change-buffer.js';
import { Database } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { type Access } from '../../privacy/index.js';
import { type NodeFields, type NodeRecord } from '../domain/node-record.js';
import { shownOf, type WireNode } from '../domain/node-view.js';
import { readableNodes } from './node-filter.js';
import { NodesAsShown } from './nodes-as-shown.js';

/** What makes two nodes of one owner duplicates (specification, Batch rules 1). */
export type Likeness = Pick<NodeFields, 'graph_view' | 'title' | 'value'>;

/** A duplicate of the wanted one at that place. */
interface Found {
  position: number;
  id: string;
}

/** Duplicates by likeness key. */
interface Glance {
  duplicates: Map<string, string>;
  /** Null: there can be none. */
  expected: Expected | null;
}

/** Equal for duplicates, and for nothing else. */
export const likenessKey = ({ graph_view, title, value }: Likeness): string =>
  value === null ? `${graph_view}:${title}` : `${graph_view}=${title.length}:${title}${value}`;

/** The same of a stored node, by what the caller is shown of it; null when he is not shown title and value. */
export function shownLikenessKey(access: Access, record: NodeRecord): string | null {
  return keyOfShown(record, shownOf(access, record));
}

/** Finds the nodes that a batch would make a second time, among those the caller can read (rule 4.9). */
@Injectable()
export class NodeDuplicates {
  constructor(
    private readonly database: Database,
    private readonly asShown: NodesAsShown,
  ) {}

  /** Until the unit of work ends no other batch of this owner looks for duplicates. */
  async lock(ownerId: string): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${lockName(ownerId)}, 0))`,
      'batches-lock',
    );
  }

  /**
   * The same as `find` for one who holds no lock, and how the graph has to be for it to hold still (see
   * ChangeLog.expect). Null where it takes more than one look.
   */
  async glance(access: Access, wanted: readonly Likeness[]): Promise<Glance | null> {
    const { exposure, ownerId } = access;
    if (exposure.detail !== 'full') return { duplicates: new Map(), expected: null };
    if (exposure.transforms('title') || exposure.transforms('value')) return null;
    const rows = await this.database.readCommitted<{ changes: number; position: number | null; id: string }>(
      sql`SELECT s.changes, found.position, found.id FROM sequences AS s LEFT JOIN (${found(access, wanted)}) AS found ON TRUE
        WHERE s.id = ${ownerId}`,
      'nodes-duplicates-glance',
    );
    const [first] = rows;
    if (first === undefined) return null;
    const duplicates = rows.filter((row): row is Found & { changes: number } => row.position !== null);
    const expected = { ownerId, changes: first.changes, lock: lockName(ownerId) };
    return { duplicates: byLikeness(duplicates, wanted), expected };
  }

  /**
   * Id of the oldest readable duplicate, by likeness key. Compared is what the caller is shown: otherwise a guess
   * that is called a duplicate would tell him what a profile hides (rule 3.16).
   */
  async find(access: Access, wanted: readonly Likeness[]): Promise<Map<string, string>> {
    const { exposure } = access;
    if (wanted.length === 0 || exposure.detail !== 'full') return new Map();
    if (exposure.transforms('title') || exposure.transforms('value')) return this.findAsShown(access, wanted);
    const duplicates = await this.database.read<Found>(found(access, wanted), 'nodes-duplicates');
    return byLikeness(duplicates, wanted);
  }

  private async findAsShown(access: Access, wanted: readonly Likeness[]): Promise<Map<string, string>> {
    const keys = new Set(wanted.map(likenessKey));
    const oldest = new Map<string, NodeRecord>();
    for await (const { record, shown } of this.asShown.readable(access, {})) {
      const key = keyOfShown(record, shown);
      if (key === null || !keys.has(key)) continue;
      const other = oldest.get(key);
      if (other === undefined || isOlder(record, other)) oldest.set(key, record);
    }
    return new Map([...oldest].map(([key, { id }]) => [key, id]));
  }
}

const lockName = (ownerId: string): string => `batches:${ownerId}`;

const byLikeness = (duplicates: readonly Found[], wanted: readonly Likeness[]): Map<string, string> =>
  new Map(duplicates.map(({ position, id }) => [likenessKey(wanted[position] as Likeness), id]));

/** LATERAL with LIMIT: one look into the index for each item; a plain join reads all of the owner's nodes. */
function found(access: Access, wanted: readonly Likeness[]): Sql {
  const sought = JSON.stringify(wanted.map((likeness, position) => ({ position, ...likeness })));
  return sql`SELECT r.position, same.id
    FROM jsonb_to_recordset(${sought}::jsonb) AS r (position integer, graph_view text, title text, value text)
    CROSS JOIN LATERAL (
      SELECT n.id FROM nodes AS n
      WHERE ${readableNodes(access, {})} AND n.graph_view = r.graph_view AND md5(n.title) = md5(r.title)
        AND n.title = r.title AND n.value IS NOT DISTINCT FROM r.value
      ORDER BY n.created_at, n.id LIMIT 1
    ) AS same`;
}

function keyOfShown({ graph_view }: NodeRecord, shown: WireNode): string | null {
  const { title, value } = shown as Partial<Pick<NodeRecord, 'value'>> & { title?: string | null };
  // A title that a profile shows as null is like no item's.
  return typeof title !== 'string' || value === undefined ? null : likenessKey({ graph_view, title, value });
}

const isOlder = (a: NodeRecord, b: NodeRecord): boolean =>
  a.created_at.getTime() < b.created_at.getTime() ||
  (a.created_at.getTime() === b.created_at.getTime() && a.id < b.id);
