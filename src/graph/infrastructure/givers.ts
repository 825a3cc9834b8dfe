import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { compileVisibility, type ReceivedAccess, type VisibilityColumns } from '../../privacy/index.js';
import { MANY } from './kept-places.js';
import { grouped } from './received-nodes.js';

/** What one kind of thing is searched by: rows of a giver's graph, found by the giver's id. */
export interface Searched {
  columns: Sql;
  /** With its FROM and WHERE; `owner` is whose. */
  from: (owner: Sql) => Sql;
  /** With its FROM and WHERE, from single nodes given as rows of `given (owner_id, id)`. */
  fromNodes: Sql;
  /** The columns of the nodes that must be received; the first is where `fromNodes` begins. */
  nodes: readonly VisibilityColumns[];
}

/**
 * Everything of these givers, each with the own rule: a giver's rows are compared with what that giver shares, not with
 * what a thousand do. At most {@link MANY} and one of each, so that who gives more is known.
 */
export function searchGivers(accesses: readonly ReceivedAccess[], searched: Searched): Sql[] {
  const { spread, single, others } = sorted(accesses);
  return [
    ...(spread.length > 0 ? [ofSpread(spread, searched)] : []),
    ...(single.length > 0 ? [ofSingle(single, searched)] : []),
    ...others.map((access) => ofOther(access, searched)),
  ];
}

interface Giver {
  ownerId: string;
  isWhole: boolean;
  tagIds: readonly string[];
  nodeIds: readonly string[];
}

/** Whose graph has to be read, from whom only single nodes come, and whose rule has another form. */
function sorted(accesses: readonly ReceivedAccess[]) {
  const [spread, single, others]: [Giver[], Giver[], ReceivedAccess[]] = [[], [], []];
  for (const access of accesses) {
    const { whole, tagIds, nodeIds, others: odd } = grouped([access]);
    const giver = { ownerId: access.ownerId, isWhole: whole.length > 0, tagIds, nodeIds };
    if (odd.length > 0) others.push(access);
    else if (giver.isWhole || tagIds.length > 0) spread.push(giver);
    else if (nodeIds.length > 0) single.push(giver);
  }
  return { spread, single, others };
}

const OWNER = sql.raw('giver.owner_id');
const received = ({ id, tagIds }: VisibilityColumns): Sql =>
  sql`(giver.whole OR ${tagIds} && giver.tag_ids OR ${id} = ANY(giver.node_ids))`;

function ofSpread(givers: readonly Giver[], { columns, from, nodes }: Searched): Sql {
  return sql`(SELECT each.* FROM ${table(givers)} CROSS JOIN LATERAL (
    SELECT ${columns} ${from(OWNER)} AND ${sql.and(nodes.map(received))} LIMIT ${MANY + 1}) AS each)`;
}

/** As many as there are: nobody names so many nodes in a share that they must be cut. */
function ofSingle(givers: readonly Giver[], { columns, fromNodes, nodes }: Searched): Sql {
  const owners = givers.flatMap(({ ownerId, nodeIds }) => nodeIds.map(() => ownerId));
  const ids = givers.flatMap(({ nodeIds }) => nodeIds);
  // The first of them is the given one.
  const among = nodes
    .slice(1)
    .map(
      ({ id }) => sql`(given.owner_id, ${id}) IN (SELECT * FROM unnest(${owners}::uuid[], ${ids}::uuid[]))`,
    );
  return sql`(SELECT ${columns} FROM unnest(${owners}::uuid[], ${ids}::uuid[]) AS given (owner_id, id) ${fromNodes} AND ${sql.and(among)})`;
}

function ofOther({ ownerId, granted }: ReceivedAccess, { columns, from, nodes }: Searched): Sql {
  const passes = nodes.map((one) => compileVisibility(granted, one));
  return sql`(SELECT ${columns} ${from(sql`${ownerId}`)} AND ${sql.and(passes)} LIMIT ${MANY + 1})`;
}

function table(givers: readonly Giver[]): Sql {
  const literal = (ids: readonly string[]): string => `{${ids.join()}}`;
  return sql`(SELECT owner_id, whole, tag_ids::uuid[] AS tag_ids, node_ids::uuid[] AS node_ids FROM unnest(
      ${givers.map(({ ownerId }) => ownerId)}::uuid[], ${givers.map(({ isWhole }) => isWhole)}::boolean[],
      ${givers.map(({ tagIds }) => literal(tagIds))}::text[], ${givers.map(({ nodeIds }) => literal(nodeIds))}::text[]
    ) AS g (owner_id, whole, tag_ids, node_ids)) AS giver`;
}
