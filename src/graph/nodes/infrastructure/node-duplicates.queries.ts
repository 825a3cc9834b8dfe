import { Injectable } from '@nestjs/common';
import { type ExpectedCounter } from '../../../kernel/change-log/change-buffer.js';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';
import {
  type NodeFields,
  type NodeRecord,
  prepareShown,
  shownOf,
  type WireNode,
} from '../../common/index.js';
import { inMaskedPlace, readableNodes } from '../../lists/index.js';
import { MaskedNodeSearch } from './masked-node-search.js';

/** The duplicate key: fields that make two nodes of one owner duplicates (specification, Batch rules 1). */
export type DuplicateFields = Pick<NodeFields, 'graph_view' | 'title' | 'value'>;

/** A duplicate of the item at that position. */
interface Found {
  position: number;
  id: string;
}

/** Ids of duplicates by duplicate key. */
export type Duplicates = Map<string, string>;

/** Duplicates as they were found without a lock. */
export interface Glance {
  duplicates: Duplicates;
  /** Null when there cannot be any duplicates. */
  expected: ExpectedCounter | null;
}

/** Equal for duplicates only. */
export const duplicateKey = ({ graph_view, title, value }: DuplicateFields): string =>
  value === null ? `${graph_view}:${title}` : `${graph_view}=${title.length}:${title}${value}`;

/** The same for a stored node, from its shown fields; null when the caller is not shown title and value. */
export async function shownLikenessKey(access: Access, record: NodeRecord): Promise<string | null> {
  await prepareShown([record], () => access);
  return keyOfShown(record, shownOf(access, record));
}

/** Finds existing duplicates of a batch's items among the nodes that the caller can read (rule 4.9). */
@Injectable()
export class NodeDuplicates {
  constructor(
    private readonly database: Database,
    private readonly asShown: MaskedNodeSearch,
  ) {}

  /** Makes other batches of this owner wait until the unit of work ends. */
  async lock(ownerId: string): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${lockName(ownerId)}, 0))`,
      'batches-lock',
    );
  }

  /**
   * The same as `find` without a lock, and the state of the graph in which the result is valid (see
   * ChangeLog.requireUnchanged). Null when one statement is not enough.
   */
  async glance(access: Access, wanted: readonly DuplicateFields[]): Promise<Glance | null> {
    const { exposure, ownerId } = access;
    if (exposure.detail !== 'full') return { duplicates: new Map(), expected: null };
    if (needsMaskedSearch(access)) return null;
    const rows = await this.database.read<{ changes: number; position: number | null; id: string }>(
      sql`SELECT s.changes, found.position, found.id FROM sequences AS s LEFT JOIN (${found(access, wanted)}) AS found ON TRUE
        WHERE s.id = ${ownerId}`,
      'nodes-duplicates-glance',
    );
    const [first] = rows;
    if (first === undefined) return null;
    const duplicates = rows.filter((row): row is Found & { changes: number } => row.position !== null);
    const expected = { ownerId, changes: first.changes, lock: lockName(ownerId) };
    return { duplicates: byDuplicateKey(duplicates, wanted), expected };
  }

  /**
   * The id of the oldest readable duplicate, by duplicate key. Shown values are compared: otherwise a guess
   * reported as a duplicate would confirm a hidden value (rule 3.16).
   */
  async find(access: Access, wanted: readonly DuplicateFields[]): Promise<Duplicates> {
    if (wanted.length === 0 || access.exposure.detail !== 'full') return new Map();
    if (needsMaskedSearch(access)) return this.findAsShown(access, wanted);
    const duplicates = await this.database.read<Found>(found(access, wanted), 'nodes-duplicates');
    return byDuplicateKey(duplicates, wanted);
  }

  /**
   * The same ahead of a unit of work, where it is long work on masked texts, whose results are then ready in the unit;
   * null where it is not.
   * @throws TOO_MUCH_UNDER_WAY when other masked searches of the caller do not end in time (rule 3.15e)
   */
  async ahead(access: Access, wanted: readonly DuplicateFields[]): Promise<Duplicates | null> {
    if (!needsMaskedSearch(access)) return null;
    return inMaskedPlace(() => this.findAsShown(access, wanted));
  }

  private async findAsShown(access: Access, wanted: readonly DuplicateFields[]): Promise<Duplicates> {
    const keys = new Set(wanted.map(duplicateKey));
    const oldest = new Map<string, NodeRecord>();
    const readable = { condition: readableNodes(access, {}), accessTo: () => access };
    for await (const { record, shown } of this.asShown.readable(readable)) {
      const key = keyOfShown(record, shown);
      if (key === null || !keys.has(key)) continue;
      const other = oldest.get(key);
      if (other === undefined || isOlder(record, other)) oldest.set(key, record);
    }
    return new Map([...oldest].map(([key, { id }]) => [key, id]));
  }
}

/** True if titles or values are compared as the caller is shown them. */
const needsMaskedSearch = ({ exposure }: Access): boolean =>
  exposure.detail === 'full' && (exposure.transforms('title') || exposure.transforms('value'));

const lockName = (ownerId: string): string => `batches:${ownerId}`;

const byDuplicateKey = (duplicates: readonly Found[], wanted: readonly DuplicateFields[]): Duplicates =>
  new Map(duplicates.map(({ position, id }) => [duplicateKey(wanted[position] as DuplicateFields), id]));

/**
 * LATERAL with LIMIT: one row of the index `nodes_duplicate_digest` for each item; a plain join reads all of the
 * owner's nodes. Equal items are looked up once: duplicates that the caller cannot read are passed over once only.
 */
function found(access: Access, wanted: readonly DuplicateFields[]): Sql {
  const distinct = new Map(
    wanted.map((fields, position) => [duplicateKey(fields), { position, ...fields }] as const),
  );
  const sought = JSON.stringify([...distinct.values()]);
  return sql`SELECT r.position, same.id
    FROM jsonb_to_recordset(${sought}::jsonb) AS r (position integer, graph_view text, title text, value text)
    CROSS JOIN LATERAL (
      SELECT n.id FROM nodes AS n
      WHERE ${readableNodes(access, {})} AND ${digest('n')} = ${digest('r')}
        AND n.graph_view = r.graph_view AND n.title = r.title AND n.value IS NOT DISTINCT FROM r.value
      ORDER BY n.created_at, n.id LIMIT 1
    ) AS same`;
}

/** The expression of the index `nodes_duplicate_digest`: equal for duplicates, for other nodes by collision only. */
const digest = (row: 'n' | 'r'): Sql => {
  const [view, title, value] = ['graph_view', 'title', 'value'].map((column) => sql.raw(`${row}.${column}`));
  return sql`md5(${view} || md5(${title}) || coalesce('=' || ${value}, ''))::uuid`;
};

function keyOfShown({ graph_view }: NodeRecord, shown: WireNode): string | null {
  const { title, value } = shown as Partial<Pick<NodeRecord, 'value'>> & { title?: string | null };
  // A title that a profile shows as null equals no item's title.
  return typeof title !== 'string' || value === undefined ? null : duplicateKey({ graph_view, title, value });
}

const isOlder = (a: NodeRecord, b: NodeRecord): boolean =>
  a.created_at.getTime() < b.created_at.getTime() ||
  (a.created_at.getTime() === b.created_at.getTime() && a.id < b.id);
