import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, type NodeFacts } from '../../../privacy/index.js';
import { type NodeRecord } from '../../common/index.js';
import {
  type Counted,
  nodeBytes,
  nodeColumns,
  type NodeFilter,
  nodesWithinBytes,
  NodeTotals,
  readableNodes,
  shownTime,
  STORED_TIME,
} from '../../lists/index.js';
import { type NodeListing, type NodePage } from './node-listing.js';
import { isPlain, NewNodes, passes } from './new-nodes.queries.js';
import { MaskedNodeSearch } from './masked-node-search.js';
import { ShownVersions } from './shown-versions.js';

/** First pages of these sizes are planned once per connection, so the number is written in the text. */
const USUAL_LIMITS: ReadonlySet<number> = new Set([10, 20, 25, 50, 100]);

interface FirstNodes {
  records: Map<string, NodeRecord>;
  /** The number of ids looked at. */
  lookedAt: number;
}

const changesOf = ({ ownerId }: Access): Sql =>
  sql`coalesce((SELECT changes FROM sequences WHERE id = ${ownerId}), 0)`;

const numberOf = (access: Access, filter: NodeFilter): Sql =>
  sql`(SELECT count(*) FROM nodes AS n WHERE ${readableNodes(access, filter)})`;

/** Reads many nodes: those that the caller may not read are absent. */
@Injectable()
export class NodesQueries {
  constructor(
    private readonly database: Database,
    private readonly totals: NodeTotals,
    private readonly asShown: MaskedNodeSearch,
    private readonly newNodes: NewNodes,
    private readonly versions: ShownVersions,
  ) {}

  /**
   * Two statements for any number of nodes: the page, and the total unless it is cached. For a caller who
   * is not shown all of each node, changes since their last request cost one more.
   */
  async list(access: Access, listing: NodeListing): Promise<NodePage> {
    if (this.asShown.needsMaskedEvaluation(access, listing)) return this.asShown.list(access, listing);
    const [records, total] = await Promise.all([
      this.page(access, listing),
      this.count(access, listing.filter),
    ]);
    return { records, total };
  }

  async count(access: Access, filter: NodeFilter): Promise<number> {
    if (this.asShown.needsMaskedEvaluation(access, { filter })) return this.asShown.count(access, filter);
    return this.totals.total(access, JSON.stringify(filter), (last) =>
      last === undefined ? this.countAll(access, filter) : this.countNew(access, filter, last),
    );
  }

  private async countAll(access: Access, filter: NodeFilter): Promise<Counted> {
    const [counted] = await this.database.read<Counted>(
      sql`SELECT ${changesOf(access)} AS changes, ${numberOf(access, filter)} AS total`,
      'nodes-count',
    );
    return counted as Counted;
  }

  /**
   * The last total plus the nodes created since. If any other change can have moved a node in or out, all
   * are counted. Counting a large graph again for each new node takes a hundred times as long.
   */
  private async countNew(access: Access, filter: NodeFilter, last: Counted): Promise<Counted> {
    const news = await this.newNodes.since(access, last.changes);
    if (news === null) return this.countAll(access, filter);
    const { changes, nodes } = news;
    // The total may have been counted after this request's guard read the counter.
    if (changes <= last.changes) return last;
    if (isPlain(filter)) {
      return { changes, total: last.total + nodes.filter((node) => passes(access, filter, node)).length };
    }
    const ids = nodes.map(({ id }) => id);
    const [counted] = await this.database.read<Counted>(
      sql`SELECT count(*) AS total FROM nodes AS n
        WHERE ${readableNodes(access, filter)} AND n.id = ANY(${ids}::uuid[])`,
      'nodes-count-new',
    );
    return { changes, total: last.total + (counted as Counted).total };
  }

  /** The facts of the given nodes that the caller may read, by id. */
  async readableFacts(access: Access, ids: readonly string[]): Promise<Map<string, NodeFacts>> {
    const facts = await this.database.read<NodeFacts>(
      sql`SELECT n.id, n.tag_ids AS "tagIds", n.schema_id AS "schemaId", n.node_type AS "nodeType",
          n.created_at AS "createdAt" FROM nodes AS n WHERE ${readableNodes(access, {})} AND n.id = ANY(${ids}::uuid[])`,
      'nodes-readable-facts',
    );
    return new Map(facts.map((node) => [node.id, node]));
  }

  /** The given nodes that the caller may read, in the order of the ids, until they fill a part of a page. */
  firstReadable(access: Access, ids: readonly string[], filter: NodeFilter = {}): Promise<FirstNodes> {
    return this.firstOf(ids, readableNodes(access, filter));
  }

  /** The same for a condition over `nodes AS n`. */
  async firstOf(ids: readonly string[], condition: Sql): Promise<FirstNodes> {
    const rows = await this.database.read<NodeRecord & { place: number; readable: number }>(
      withinPageBytes({
        from: sql`unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (id, place)
          JOIN nodes AS n ON ${condition} AND n.id = asked.id`,
        columns: sql`${nodeColumns('n')}, asked.place, count(*) OVER () AS readable`,
        order: sql`asked.place`,
        // Two nodes that belong together must both be present.
        atLeast: 2,
        bytes: nodeBytes('n'),
        names: sql`${nodeColumns('page')}, page.place, page.readable`,
      }),
      'nodes-first-readable',
    );
    const isCut = rows.length < (rows[0]?.readable ?? 0);
    const last = Math.max(...rows.map(({ place }) => place));
    const records = rows.map(({ place, readable, ...record }) => [record.id, record] as const);
    return { records: new Map(records), lookedAt: isCut ? last : ids.length };
  }

  private async page(access: Access, listing: NodeListing): Promise<NodeRecord[]> {
    if (listing.sort !== 'updated_at') return this.pageBy(access, listing, STORED_TIME);
    const page = await this.versions.ordered(access, async (behind) => ({
      records: await this.pageBy(access, listing, shownTime(behind)),
    }));
    return page.records;
  }

  /** The page is found in the list index alone; only its own rows are fetched. */
  private pageBy(
    access: Access,
    { filter, sort, order, limit, offset }: NodeListing,
    updatedAt: Sql,
  ): Promise<NodeRecord[]> {
    const by = ordering(access, { sort, order, updatedAt });
    const condition = readableNodes(access, filter);
    // A filter can have an index of its own, which the planner chooses only when it knows the value.
    const isWhole = Object.values(filter).every((value) => value === undefined || value === false);
    const isByTime = updatedAt === STORED_TIME && sort === 'updated_at';
    const isUsual = isWhole && isByTime && offset === 0 && USUAL_LIMITS.has(limit);
    const rows = isUsual
      ? sql`${sql.plannedOnce(condition)} ORDER BY ${by} LIMIT ${sql.raw(String(limit))}`
      : sql`${condition} ORDER BY ${by} LIMIT ${limit} OFFSET ${offset}`;
    const found = sql`(SELECT n.owner_id, n.id FROM nodes AS n WHERE ${rows}) AS found
      JOIN nodes AS n ON n.owner_id = found.owner_id AND n.id = found.id`;
    return this.database.read<NodeRecord>(nodesWithinBytes(found, by), 'nodes-page');
  }
}

/** Titles in the order of their code points, the same on every database; at detail minimal all are equal (rule 3.16). */
function ordering(
  access: Access,
  { sort, order, updatedAt }: Pick<NodeListing, 'sort' | 'order'> & { updatedAt: Sql },
): Sql {
  const direction = sql.raw(order === 'asc' ? 'ASC' : 'DESC');
  const byId = sql`n.id ${direction}`;
  if (sort === 'title' && access.exposure.detail === 'minimal') return byId;
  const keys = {
    title: sql.raw('n.title COLLATE "C"'),
    created_at: sql.raw('n.created_at'),
    updated_at: updatedAt,
  };
  const key = keys[sort];
  return sql`${key} ${direction}, ${byId}`;
}
