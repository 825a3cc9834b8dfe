import { type Sql, sql } from '../../../kernel/database/sql.js';
import { compileVisibility, type SharedAccess, type VisibilityColumns } from '../../../privacy/index.js';
import { among } from './node-filter.js';
import { MANY } from './shared-item-index.js';
import { grantsByShape } from './shared-nodes.js';

/** The parts of a search for one kind of thing: rows of a sharer's graph, found by the sharer's id. */
export interface Searched {
  columns: Sql;
  /** FROM and WHERE of the search; `owner` is the sharer. */
  from: (owner: Sql) => Sql;
  /** FROM and WHERE of the search by single nodes, given as rows of `given (owner_id, id)`. */
  fromNodes: Sql;
  /** The columns of the nodes that must be received; `fromNodes` begins at the first. */
  nodes: readonly VisibilityColumns[];
  /** A condition on the texts of nodes, which is looked at for received ones only. */
  texts?: Sql | null;
  /** The end of the search of one sharer: an order and a bound, or nothing. Absent: {@link MANY} and one more. */
  end?: Sql;
  /** The end of the search by single nodes, where it is another: one statement then searches those of all sharers. */
  endOfNodes?: Sql;
}

/**
 * Everything that these sharers share, each by their own rule: a sharer's rows are compared with that
 * sharer's shares, not with those of a thousand. Without an `end` at most {@link MANY} and one more of each sharer, so that
 * larger ones are recognised.
 */
export function searchSharers(accesses: readonly SharedAccess[], searched: Searched): Sql[] {
  const { spread, single, others } = sorted(accesses);
  return [
    ...(spread.length > 0 ? [ofSpread(spread, searched)] : []),
    ...(single.length > 0 ? [ofSingle(single, searched)] : []),
    ...others.map((access) => ofOther(access, searched)),
  ];
}

interface Sharer {
  ownerId: string;
  isWhole: boolean;
  tagIds: readonly string[];
  nodeIds: readonly string[];
}

/**
 * Sorts sharers by how they are searched: by their graphs, by single nodes only, or by a rule of another
 * form.
 */
function sorted(accesses: readonly SharedAccess[]) {
  const [spread, single, others]: [Sharer[], Sharer[], SharedAccess[]] = [[], [], []];
  for (const access of accesses) {
    const { whole, tagIds, nodeIds, others: odd } = grantsByShape([access]);
    const sharer = { ownerId: access.ownerId, isWhole: whole.length > 0, tagIds, nodeIds };
    if (odd.length > 0) others.push(access);
    else if (sharer.isWhole || tagIds.length > 0) spread.push(sharer);
    else if (nodeIds.length > 0) single.push(sharer);
  }
  return { spread, single, others };
}

const OWNER = sql.raw('sharer.owner_id');
const received = ({ id, tagIds }: VisibilityColumns): Sql =>
  sql`(sharer.whole OR ${tagIds} && sharer.tag_ids OR ${id} = ANY(sharer.node_ids))`;

const BOUND = sql`LIMIT ${MANY + 1}`;

/** The condition of received rows, with that on their texts. */
const withTexts = (received: readonly Sql[], { texts = null }: Searched): Sql =>
  sql.and([...received, texts !== null && among(sql.and(received), texts)]);

function ofSpread(sharers: readonly Sharer[], searched: Searched): Sql {
  const { columns, from, nodes, end = BOUND } = searched;
  return sql`(SELECT each.* FROM ${table(sharers)} CROSS JOIN LATERAL (
    SELECT ${columns} ${from(OWNER)} AND ${withTexts(nodes.map(received), searched)} ${end}) AS each)`;
}

/** Without a limit, because shares never name enough single nodes to need one. */
function ofSingle(sharers: readonly Sharer[], searched: Searched): Sql {
  const { columns, fromNodes, nodes, endOfNodes: end = searched.end ?? sql.empty } = searched;
  const owners = sharers.flatMap(({ ownerId, nodeIds }) => nodeIds.map(() => ownerId));
  const ids = sharers.flatMap(({ nodeIds }) => nodeIds);
  // The first one is the given node.
  const others = nodes
    .slice(1)
    .map(
      ({ id }) => sql`(given.owner_id, ${id}) IN (SELECT * FROM unnest(${owners}::uuid[], ${ids}::uuid[]))`,
    );
  return sql`(SELECT ${columns} FROM unnest(${owners}::uuid[], ${ids}::uuid[]) AS given (owner_id, id) ${fromNodes} AND ${withTexts(others, searched)} ${end})`;
}

function ofOther({ ownerId, granted }: SharedAccess, searched: Searched): Sql {
  const { columns, from, nodes, end = BOUND } = searched;
  const passes = nodes.map((one) => compileVisibility(granted, one));
  return sql`(SELECT ${columns} ${from(sql`${ownerId}`)} AND ${withTexts(passes, searched)} ${end})`;
}

function table(sharers: readonly Sharer[]): Sql {
  const literal = (ids: readonly string[]): string => `{${ids.join()}}`;
  return sql`(SELECT owner_id, whole, tag_ids::uuid[] AS tag_ids, node_ids::uuid[] AS node_ids FROM unnest(
      ${sharers.map(({ ownerId }) => ownerId)}::uuid[], ${sharers.map(({ isWhole }) => isWhole)}::boolean[],
      ${sharers.map(({ tagIds }) => literal(tagIds))}::text[], ${sharers.map(({ nodeIds }) => literal(nodeIds))}::text[]
    ) AS g (owner_id, whole, tag_ids, node_ids)) AS sharer`;
}
