import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Access, compileVisibility, type VisibilityColumns } from '../../privacy/index.js';

const columns = (alias: string, names: Record<keyof VisibilityColumns, string>): VisibilityColumns => ({
  id: sql.raw(`${alias}.${names.id}`),
  tagIds: sql.raw(`${alias}.${names.tagIds}`),
  schemaId: sql.raw(`${alias}.${names.schemaId}`),
  nodeType: sql.raw(`${alias}.${names.nodeType}`),
  createdAt: sql.raw(`${alias}.${names.createdAt}`),
});
const names = {
  id: 'id',
  tagIds: 'tag_ids',
  schemaId: 'schema_id',
  nodeType: 'node_type',
  createdAt: 'created_at',
};

/** In `nodes AS n`, `nodes AS m`, `changes AS c` and `contributions AS c`. */
const OF_NODE = columns('n', names);
const OF_MERGED = columns('m', names);
const OF_CHANGE = columns('c', { ...names, id: 'entity_id', createdAt: 'node_created_at' });
/** The node to which it was made, also if it has been merged into another one since. */
export const CONTRIBUTED_TO = sql.raw('coalesce(c.came_from[1], c.node_id)');
const OF_CONTRIBUTION = {
  ...columns('c', { ...names, createdAt: 'node_created_at' }),
  id: CONTRIBUTED_TO,
};

/**
 * Joins as `b` the version before that of a contribution `c`; none for the first. A contribution shows that its version
 * differs from this one.
 */
export const WITH_VERSION_BEFORE = sql`LEFT JOIN LATERAL (
    SELECT p.sequence, p.tag_ids, p.node_type, p.schema_id, p.node_created_at, TRUE AS is_there FROM changes AS p
    WHERE p.owner_id = c.owner_id AND p.entity_id = ${CONTRIBUTED_TO} AND p.entity = 'node' AND p.sequence < c.sequence
    ORDER BY p.sequence DESC LIMIT 1
  ) AS b ON TRUE`;
const OF_VERSION_BEFORE = { ...columns('b', { ...names, createdAt: 'node_created_at' }), id: CONTRIBUTED_TO };

/**
 * The change of a node at a position of the owner's log, to be joined laterally. With statistics from before the owner's
 * rows the planner takes them for one, and a join would then scan all of them for each position. The condition on
 * `entity` leads to an index by position in that case, too.
 */
export const changeAt = ({ ownerId }: Access, position: string): Sql =>
  sql`(SELECT l.* FROM changes AS l WHERE l.owner_id = ${ownerId} AND l.entity = 'node' AND l.sequence = ${sql.raw(position)} OFFSET 0)`;

/** The node of `n` is readable now. */
export const readableNow = (access: Access): Sql =>
  sql`(n.deleted_at IS NULL AND ${compileVisibility(access.nodes.read, OF_NODE)})`;

/** The version of the row passes the caller's rules as well (rule 3.20). */
export const readableChange = (access: Access): Sql => compileVisibility(access.nodes.read, OF_CHANGE);
export const readableContribution = (access: Access): Sql =>
  sql`(${compileVisibility(access.nodes.read, OF_CONTRIBUTION)} AND ${readableOrigin(access)})`;

/**
 * The nodes through which the contribution `c` came, merged one into the other, pass the caller's rules as they last
 * were (rule 3.20a). Each is looked up by its key, whatever the planner expects.
 */
const readableOrigin = ({ nodes: { read } }: Access): Sql =>
  read.kind === 'all'
    ? sql`TRUE`
    : sql`(c.came_from = '{}' OR (SELECT bool_and(m.is_readable IS TRUE) FROM unnest(c.came_from) AS f (id) LEFT JOIN LATERAL (
        SELECT ${compileVisibility(read, OF_MERGED)} AS is_readable FROM nodes AS m
        WHERE m.owner_id = c.owner_id AND m.id = f.id OFFSET 0) AS m ON TRUE))`;

/** Needs {@link WITH_VERSION_BEFORE}. */
export const readableBefore = (access: Access): Sql =>
  sql`(b.is_there IS NULL OR ${compileVisibility(access.nodes.read, OF_VERSION_BEFORE)})`;
