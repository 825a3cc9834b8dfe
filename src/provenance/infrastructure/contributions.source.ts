import { type Lookup } from '../../kernel/database/lookup.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Access } from '../../privacy/index.js';
import { type ContributionStatus, type ContributorType } from '../domain/contribution.js';
import { CONTRIBUTED_FIELDS } from '../domain/written-paths.js';
import {
  CONTRIBUTED_TO,
  readableBefore,
  readableContribution,
  readableNow,
  WITH_VERSION_BEFORE,
} from './version-facts.js';

export interface ContributionFilter {
  /** A node that the caller may read; undefined: all that they can read. */
  nodeId?: string | undefined;
  agentId?: string | undefined;
  sessionIds?: readonly string[] | undefined;
  /** True for contributions of any session. */
  inSession?: boolean;
  status?: ContributionStatus | undefined;
  contributorType?: ContributorType | undefined;
}

/** Corrections for a caller who is shown masked values, all as of one number of the change log. */
export interface Corrections {
  /** The owner's change counter at that time. */
  changes: number;
  /** A number for each of the states of hidden contributions, by their text. */
  kinds: Lookup;
  /** The paths and agents whose contributions are hidden, after the number of their states. */
  hidden: Lookup;
  /** Other statuses than the stored ones, by node, version and path; {@link LEFT_OUT} for contributions to leave out. */
  corrected: Lookup;
}

export const LEFT_OUT = '';

/** Contributions `c`, and the conditions on each of their paths `p`. */
interface Parts {
  joined: Sql;
  conditions: Sql;
  shown: Sql;
}

/** One row `p` for each path of each contribution `c`. */
export function shownSource(access: Access, filter: ContributionFilter, other: Corrections | null): Sql {
  const { joined, conditions, shown } = partsOf(access, filter, other);
  const paths = pathsOf(other === null ? filter.status : undefined);
  const corrected = other === null ? sql`p` : sql`q ${correctedAs(access, filter, other)}`;
  return sql`FROM contributions AS c ${joined} CROSS JOIN LATERAL (${paths}) AS ${corrected} WHERE ${conditions} AND ${shown}`;
}

/**
 * The same rows with `path` and `status`, newest first and by path. An index has contributions in order, and the paths
 * of each are sorted inside it, so a page reads only its own rows. With corrections everything is read, because these
 * are looked up by path.
 */
export function shownInOrder(
  access: Access,
  filter: ContributionFilter,
  { columns, other }: { columns: Sql; other: Corrections | null },
): Sql {
  if (other !== null)
    return sql`SELECT ${columns}, p.path, p.status ${shownSource(access, filter, other)} ORDER BY c.sequence DESC, p.path`;
  const { joined, conditions, shown } = partsOf(access, filter, other);
  return sql`SELECT ${columns}, unnest(p.paths) AS path, unnest(p.statuses) AS status
    FROM contributions AS c ${joined} CROSS JOIN LATERAL (
      SELECT array_agg(p.path ORDER BY p.path) AS paths, array_agg(p.status ORDER BY p.path) AS statuses
      FROM (${pathsOf(filter.status)}) AS p WHERE ${shown}
    ) AS p WHERE ${conditions} ORDER BY c.sequence DESC`;
}

function partsOf(access: Access, filter: ContributionFilter, other: Corrections | null): Parts {
  const { nodeId, agentId, sessionIds, inSession, status, contributorType } = filter;
  const fields = CONTRIBUTED_FIELDS.filter((field) => access.exposure.shows(field));
  const type = agentId === undefined ? contributorType : 'agent';
  const isCut = access.nodes.read.kind !== 'all';
  const byState = other !== null && !other.hidden.isEmpty;
  const isFew = agentId !== undefined || sessionIds !== undefined || inSession === true;
  const before = isCut || byState ? WITH_VERSION_BEFORE : sql.empty;
  const now =
    // The states are compared once for each contribution, which can have hundreds of paths.
    byState
      ? sql`${withNodesAt(other.changes)} CROSS JOIN LATERAL (
          SELECT ${other.kinds.at(sql`${STATES}::text`)} AS kind OFFSET 0) AS e`
      : sql.empty;
  const conditions = sql.and([
    sql`c.owner_id = ${access.ownerId}`,
    nodeId !== undefined && sql`c.node_id = ${nodeId}`,
    // Written out, so that the index of agents' contributions can be used.
    type === 'agent'
      ? sql`c.contributor_type = 'agent'`
      : type !== undefined && sql`c.contributor_type = ${type}`,
    agentId !== undefined && sql`c.contributor_id = ${agentId}`,
    sessionIds !== undefined && sql`c.session_id = ANY(${sessionIds}::uuid[])`,
    inSession === true && sql`c.session_id IS NOT NULL`,
    // The planner expects rules to pass few rows, and would read and sort all for a page; it expects half of a CASE.
    isCut && sql`CASE WHEN ${readableContribution(access)} AND ${readableBefore(access)} THEN TRUE END`,
  ]);
  const shown = sql.and([
    fields.length < CONTRIBUTED_FIELDS.length && sql`split_part(p.path, '.', 1) = ANY(${fields}::text[])`,
    other !== null && standsIn(other),
    other !== null && status !== undefined && sql`p.status = ${status}`,
  ]);
  const nodes = isFew ? oneByOne(access) : atOnce(access);
  return { joined: sql`${nodeId === undefined ? nodes : sql.empty} ${before} ${now}`, conditions, shown };
}

/** All contributions `c` of the nodes of a filter, by any author, as of a number of the log. */
export function wholeSource(
  access: Access,
  filter: ContributionFilter,
  { changes, condition }: { changes: number; condition?: Sql },
): Sql {
  const { agentId, sessionIds, inSession } = filter;
  const touched = (by: Sql): Sql =>
    sql`c.node_id IN (SELECT t.node_id FROM contributions AS t WHERE t.owner_id = ${access.ownerId} AND ${by})`;
  const conditions = sql.and([
    sql`c.owner_id = ${access.ownerId} AND c.sequence <= ${changes}`,
    filter.nodeId !== undefined && sql`c.node_id = ${filter.nodeId}`,
    agentId !== undefined && touched(sql`t.contributor_type = 'agent' AND t.contributor_id = ${agentId}`),
    sessionIds !== undefined && touched(sql`t.session_id = ANY(${sessionIds}::uuid[])`),
    inSession === true && touched(sql`t.session_id IS NOT NULL`),
    condition !== undefined && condition,
  ]);
  return sql`FROM contributions AS c ${filter.nodeId === undefined ? atOnce(access) : sql.empty} WHERE ${conditions}`;
}

/** Joins the states of contributions `c`: `b`, `here` and `there`. */
export const withStates = (changes: number): Sql => sql`${WITH_VERSION_BEFORE} ${withNodesAt(changes)}`;

const factsIn = (alias: 'b' | 'c' | 'here' | 'there' | 'n' | 'm'): string =>
  `jsonb_build_object('tag_ids', ${alias}.tag_ids, 'node_type', ${alias}.node_type, 'schema_id', ${alias}.schema_id)`;

/** The facts that transformations look at, of the node that has this name in a statement. */
export const factsOfNode = (alias: 'n' | 'm'): Sql => sql.raw(factsIn(alias));

/**
 * The version before (null for the first), then those by which a contributed value is shown (rule 3.20): its
 * version, its node, and the node to which it was made (null if that is the same).
 */
export const STATES = sql.raw(`jsonb_build_array(
  CASE WHEN b.is_there THEN ${factsIn('b')} END, ${factsIn('c')}, ${factsIn('here')},
  CASE WHEN c.came_from <> '{}' THEN ${factsIn('there')} END)`);

/** Joins, as `here` and `there`, the node of a contribution and the one to which it was made, as of that number. */
function withNodesAt(changes: number): Sql {
  const at = (nodeId: Sql, alias: string): Sql =>
    sql`LEFT JOIN LATERAL (
      SELECT l.tag_ids, l.node_type, l.schema_id, l.snapshot FROM changes AS l
      WHERE l.owner_id = c.owner_id AND l.entity_id = ${nodeId} AND l.entity = 'node' AND l.sequence <= ${changes}
      ORDER BY l.sequence DESC LIMIT 1) AS ${sql.raw(alias)} ON `;
  return sql`${at(sql.raw('c.node_id'), 'here')} TRUE ${at(sql.raw('c.came_from[1]'), 'there')} c.came_from <> '{}'`;
}

/** The planner underestimates the readable nodes, and would otherwise scan them for each contribution. */
const oneByOne = (access: Access): Sql => sql`CROSS JOIN LATERAL (
  SELECT FROM nodes AS n WHERE n.owner_id = c.owner_id AND n.id = c.node_id AND ${readableNow(access)} OFFSET 0) AS n`;

/** The same for contributions to any node. Such statements have no name, so that they are planned for their owner. */
const atOnce = (access: Access): Sql =>
  sql`JOIN nodes AS n ON n.owner_id = c.owner_id AND n.id = c.node_id AND ${readableNow(access)}`;

/** One row `path`, `status` for each path of a contribution `c`. */
export function pathsOf(status: ContributionStatus | undefined): Sql {
  const superseded = sql`SELECT path, 'superseded' AS status FROM unnest(c.superseded) AS path`;
  if (status === 'superseded') return superseded;
  const standing = sql`SELECT path, c.status FROM unnest(c.standing) AS path`;
  return status === undefined
    ? sql`${standing} UNION ALL ${superseded}`
    : sql`${standing} WHERE c.status = ${status}`;
}

/**
 * Makes `p` of `q`: a contribution that was replaced later was active then, and may still be active for this caller.
 */
const correctedAs = (access: Access, filter: ContributionFilter, { changes, corrected }: Corrections): Sql =>
  sql`CROSS JOIN LATERAL (
      SELECT ${corrected.at(sql`concat_ws(' ', ${CONTRIBUTED_TO}, c.version, q.path)`)} AS status OFFSET 0) AS x
    LEFT JOIN (${replacedSince(access, filter, changes)}) AS late
      ON late.node_id = c.node_id AND late.sequence = c.sequence AND late.path = q.path
    CROSS JOIN LATERAL (SELECT q.path, CASE WHEN q.status <> 'superseded' THEN q.status
      ELSE coalesce(x.status, CASE WHEN late.path IS NOT NULL THEN 'active' END, q.status) END AS status) AS p`;

/** Contributions that were active at that number and have been replaced since. */
const replacedSince = (
  { ownerId }: Access,
  { nodeId }: ContributionFilter,
  changes: number,
): Sql => sql`SELECT since.node_id, since.path, stood.sequence FROM (
      SELECT DISTINCT k.node_id, path FROM changes AS l
      JOIN contributions AS k ON k.owner_id = l.owner_id AND k.node_id = l.entity_id AND k.sequence = l.sequence
      CROSS JOIN LATERAL unnest(k.standing || k.superseded) AS path
      WHERE l.owner_id = ${ownerId} AND l.sequence > ${changes} AND l.entity = 'node' AND l.action <> 'created'
        AND k.status <> 'rejected' AND ${nodeId === undefined ? sql`TRUE` : sql`l.entity_id = ${nodeId}`}
    ) AS since
    CROSS JOIN LATERAL (
      SELECT k.sequence FROM contributions AS k
      WHERE k.owner_id = ${ownerId} AND k.node_id = since.node_id AND k.sequence <= ${changes} AND k.status <> 'rejected'
        AND since.path = ANY (k.standing || k.superseded)
      ORDER BY k.sequence DESC LIMIT 1
    ) AS stood`;

function standsIn({ changes, hidden }: Corrections): Sql {
  const known = sql`c.sequence <= ${changes} AND x.status IS DISTINCT FROM ${sql.raw(`'${LEFT_OUT}'`)}`;
  if (hidden.isEmpty) return known;
  const isHidden = (by: string): Sql =>
    sql`${hidden.at(sql.raw(`concat_ws(' ', e.kind, ${by})`))} IS NOT NULL`;
  return sql`${known} AND (e.kind IS NULL OR NOT (${isHidden('p.path')} OR ${isHidden('c.contributor_id')}))`;
}
