import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { type Access } from '../../privacy/index.js';
import { shownOf, type WireNode } from '../domain/node-view.js';
import { type NodeRecord } from '../domain/node-record.js';
import { foldCase, type NodeFilter, readableNodes } from './node-filter.js';
import { nodeColumns } from './nodes.repository.js';
import { type NodeListing, type NodePage } from './nodes.queries.js';

type Question = Pick<NodeListing, 'filter'> & Partial<NodeListing>;

const SEARCHED = ['title', 'value'] as const;

/** Nodes that a question is about, and the access to the owner of each. */
export interface ShownSource {
  /** A condition over `nodes AS n`, without the question's `search`. */
  condition: Sql;
  accessTo: (record: NodeRecord) => Access;
}

/** Rows fetched at a time: few statements, and between them other requests get their turn. */
const BATCH = 200;

/**
 * Searching and sorting for callers to whom a profile's transformations show other values than are stored: decided on
 * the values as shown, so that no answer tells what was hidden (decisions 3.16). The database does not know those
 * values; every node that passes the other filters is read and shown here. Exact, and slower: only questions about
 * fields that a transformation touches come this way.
 */
@Injectable()
export class NodesAsShown {
  constructor(private readonly database: Database) {}

  /** Whether the answer to this question depends on a field that the caller is shown changed. */
  decides({ exposure }: Access, { filter, sort }: Question): boolean {
    if (exposure.isIdentity) return false;
    const asked = [...(sort === undefined ? [] : [sort]), ...(filter.search === undefined ? [] : SEARCHED)];
    return asked.some((field) => exposure.transforms(field));
  }

  list(access: Access, listing: NodeListing): Promise<NodePage> {
    return this.listOf([sourceOf(access, listing.filter)], listing);
  }

  count(access: Access, filter: NodeFilter): Promise<number> {
    return this.countOf([sourceOf(access, filter)], filter);
  }

  async listOf(
    sources: readonly ShownSource[],
    { filter, sort, order, limit, offset }: NodeListing,
  ): Promise<NodePage> {
    const found: { ownerId: string; id: string; key: string }[] = [];
    for (const source of sources) {
      for await (const { record, shown } of this.shown(source)) {
        if (!matches(filter, shown)) continue;
        found.push({ ownerId: record.owner_id, id: record.id, key: textOf(shown[sort]) });
      }
    }
    const sign = order === 'asc' ? 1 : -1;
    found.sort((a, b) => sign * (compareText(a.key, b.key) || compareText(a.id, b.id)));
    return { records: await this.inOrder(found.slice(offset, offset + limit)), total: found.length };
  }

  async countOf(sources: readonly ShownSource[], filter: NodeFilter): Promise<number> {
    let count = 0;
    for (const source of sources) {
      for await (const { shown } of this.shown(source)) if (matches(filter, shown)) count++;
    }
    return count;
  }

  /** Every readable node that passes the filter (but for `search`), and what the caller is shown of it, in the order of ids. */
  readable(access: Access, filter: NodeFilter): AsyncGenerator<{ record: NodeRecord; shown: WireNode }> {
    return this.shown(sourceOf(access, filter));
  }

  private async *shown({
    condition,
    accessTo,
  }: ShownSource): AsyncGenerator<{ record: NodeRecord; shown: WireNode }> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const records = await this.database.read<NodeRecord>(
        sql`SELECT ${nodeColumns('n')} FROM nodes AS n
          WHERE ${condition} AND n.id > ${after} ORDER BY n.id LIMIT ${BATCH}`,
        'nodes-as-shown',
      );
      for (const record of records) yield { record, shown: shownOf(accessTo(record), record) };
      if (records.length < BATCH) return;
      after = (records[records.length - 1] as NodeRecord).id;
    }
  }

  /** What was deleted or hidden since it was found is left out. */
  private async inOrder(found: readonly { ownerId: string; id: string }[]): Promise<NodeRecord[]> {
    const owners = [...new Set(found.map(({ ownerId }) => ownerId))];
    const ids = found.map(({ id }) => id);
    const records = await this.database.read<NodeRecord>(
      sql`SELECT ${nodeColumns('n')} FROM nodes AS n
        WHERE n.owner_id = ANY(${owners}::uuid[]) AND n.id = ANY(${ids}::uuid[])`,
      'nodes-as-shown-page',
    );
    const byId = new Map(records.map((record) => [record.id, record]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}

const sourceOf = (access: Access, filter: NodeFilter): ShownSource => ({
  condition: readableNodes(access, { ...filter, search: undefined }),
  accessTo: () => access,
});

const matches = ({ search }: NodeFilter, shown: WireNode): boolean =>
  search === undefined || SEARCHED.some((field) => contains(shown[field], search));

const contains = (text: unknown, search: string): boolean =>
  typeof text === 'string' && foldCase(text).includes(foldCase(search));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** By code points, as the database orders titles; ISO timestamps and ids have the same order either way. */
function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
