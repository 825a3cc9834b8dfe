/** Removes these paths from those of a row that are active. */
const withoutPaths = (condition: string, paths: string): string => `
    standing = CASE WHEN ${condition} THEN ARRAY(SELECT path FROM unnest(c.standing) AS path WHERE path <> ALL (${paths}))
      ELSE c.standing END,
    superseded = CASE WHEN ${condition} THEN c.superseded || ARRAY(SELECT path FROM unnest(c.standing) AS path WHERE path = ANY (${paths}))
      ELSE c.superseded END`;

/**
 * Written with the change log (see ChangeFollower). A node's writers hold its row when this runs, so earlier writers
 * have committed and are seen: there is one active contribution for each path. Two concurrent writes that begin one
 * session meet at its key. `OFFSET 0` prevents the planner from reading all of an owner's rows to find those of a few
 * nodes.
 */
const SESSIONS_AND_SUPERSEDED = `
named_sessions AS (
  SELECT g.*, coalesce(
    (SELECT s.id FROM sessions AS s WHERE s.owner_id = $1 AND s.id = g.named AND (g.app_id IS NULL OR s.app_id = g.app_id)),
    (SELECT s.id FROM sessions AS s WHERE s.owner_id = $1 AND s.key = g.key)
  ) AS known
  FROM jsonb_to_recordset($payload -> 'sessions')
    AS g (ref integer, id uuid, key text, named uuid, app_id uuid, external_id text, agent_id uuid, agent_name text)
),
begun_sessions AS (
  INSERT INTO sessions AS s (owner_id, id, key, app_id, external_id, agent_id, agent_name, status, created_at, started_at)
  SELECT $1, g.id, g.key, g.app_id, g.external_id, g.agent_id, g.agent_name, 'processing', counted.changed_at, counted.changed_at
  FROM named_sessions AS g, counted WHERE g.known IS NULL
  ON CONFLICT (owner_id, key) DO UPDATE SET
    status = CASE WHEN s.status = 'created' THEN 'processing' ELSE s.status END, started_at = coalesce(s.started_at, EXCLUDED.started_at),
    is_empty = false
  RETURNING s.id, s.key
),
started_sessions AS (
  UPDATE sessions AS s SET status = CASE WHEN s.status = 'created' THEN 'processing' ELSE s.status END,
    started_at = coalesce(s.started_at, counted.changed_at), is_empty = false,
    agent_id = coalesce(s.agent_id, g.agent_id), agent_name = coalesce(s.agent_name, g.agent_name)
  FROM named_sessions AS g, counted
  WHERE s.owner_id = $1 AND s.id = g.known AND (s.status = 'created' OR s.is_empty)
),
replaced AS (
  SELECT c.node_id, c.sequence, r.paths
  FROM jsonb_to_recordset($payload -> 'replaced') AS r (node_id uuid, paths text[])
  CROSS JOIN LATERAL (
    SELECT node_id, sequence FROM contributions
    WHERE owner_id = $1 AND node_id = r.node_id AND status = 'active' AND standing && r.paths OFFSET 0
  ) AS c
),
superseded AS (
  UPDATE contributions AS c SET
    standing = ARRAY(SELECT path FROM unnest(c.standing) AS path WHERE path <> ALL (r.paths)),
    superseded = c.superseded || ARRAY(SELECT path FROM unnest(c.standing) AS path WHERE path = ANY (r.paths))
  FROM replaced AS r
  WHERE c.owner_id = $1 AND c.node_id = r.node_id AND c.sequence = r.sequence
)`;

/**
 * Moves contributions with a node that is merged into another one, and back with it (see Removals). All other writes of
 * the unit to such rows are done here: two parts of a statement cannot both write a row. Nothing but the row itself is
 * read, so that a row that another unit has moved meanwhile is judged by its new state.
 */
const MOVED = `
moved AS (
  UPDATE contributions AS c SET node_id = m.target, came_from = c.came_from || m.via,
    was_active = c.was_active OR c.status = 'active',
    status = CASE c.status WHEN 'active' THEN 'merged' ELSE c.status END, ${withoutPaths(`c.status = 'active'`, 'm.paths')}
  FROM jsonb_to_recordset($payload -> 'moved') AS m (node_id uuid, target uuid, via uuid[], paths text[])
  WHERE c.owner_id = $1 AND c.node_id = m.node_id
),
returned AS (
  UPDATE contributions AS c SET node_id = r.node_id, came_from = c.came_from[:array_position(c.came_from, r.node_id) - 1],
    was_active = c.was_active AND c.came_from[1] <> r.node_id,
    status = CASE WHEN c.was_active AND c.came_from[1] = r.node_id THEN 'active' ELSE c.status END,
    ${withoutPaths('c.was_active AND c.came_from[1] = r.node_id', 'r.paths')}
  FROM jsonb_to_recordset($payload -> 'returned') AS r (node_id uuid, paths text[])
  WHERE c.owner_id = $1 AND c.came_from <> '{}' AND c.came_from @> ARRAY[r.node_id] AND NOT EXISTS (
    SELECT FROM jsonb_to_recordset($payload -> 'returned') AS o (node_id uuid)
    WHERE array_position(c.came_from, o.node_id) < array_position(c.came_from, r.node_id))
)`;

const IS_MOVED = { columns: ', came_from, was_active', row: ', came_from uuid[], was_active boolean' };
const STAYS = { columns: '', row: '' };

/** The source of contribution rows, and the changes `n` that they belong to. */
interface Source {
  owner: string;
  sequence: string;
  time: string;
  rows: string;
  changes: string;
}

/** One owner's changes: rows contain their position among them. */
const OF_ONE_OWNER: Source = {
  owner: '$1',
  sequence: 'counted.changes - $2 + r.position',
  time: 'counted.changed_at',
  rows: "jsonb_to_recordset($payload -> 'rows')",
  changes: 'JOIN given AS n ON n.position = r.position CROSS JOIN counted',
};

/** One change for each unit: it is found by the node. */
const OF_SEVERAL_UNITS: Source = {
  owner: 'n.owner_id',
  sequence: 'n.sequence',
  time: 'n.changed_at',
  rows: "jsonb_to_recordset(jsonb_path_query_array($payload, '$[*].rows[*]'))",
  changes: 'JOIN numbered AS n ON n.entity_id = r.node_id',
};

/** Inserts the rows that the changes contributed. */
const contributed = (session: string, { columns, row } = STAYS, source = OF_ONE_OWNER): string =>
  `INSERT INTO contributions (owner_id, node_id, sequence, version, contributor_type, contributor_id, status, standing,
    superseded, confidence, is_named, session_id, tag_ids, schema_id, node_type, node_created_at, contributed_at${columns})
  SELECT ${source.owner}, r.node_id, ${source.sequence}, n.version, n.changed_by_type,
    coalesce(n.changed_by_agent_id, n.changed_by_app_id, n.changed_by_user_id), coalesce(r.status, 'active'), r.standing,
    coalesce(r.superseded, '{}'), r.confidence, coalesce(r.is_named, FALSE), ${session}, n.tag_ids, n.schema_id, n.node_type, n.node_created_at,
    ${source.time}${columns}
  FROM ${source.rows} AS r (position bigint, node_id uuid, status text, standing text[],
    superseded text[], confidence double precision, is_named boolean, session integer${row})
  ${source.changes}`;

export const CONTRIBUTIONS_STATEMENT = `contributed AS (${contributed('NULL::uuid')})`;

export const SHARED_CONTRIBUTIONS_STATEMENT = `contributed AS (${contributed('NULL::uuid', STAYS, OF_SEVERAL_UNITS)})`;

const inSession = (columns = STAYS): string => `
contributed AS (
  ${contributed('coalesce(g.known, b.id)', columns)}
  LEFT JOIN named_sessions AS g ON g.ref = r.session
  LEFT JOIN begun_sessions AS b ON b.key = g.key
)`;

export const CONTRIBUTIONS_AND_MORE_STATEMENT = `${SESSIONS_AND_SUPERSEDED},${inSession()}`;

export const MOVED_CONTRIBUTIONS_STATEMENT = `${SESSIONS_AND_SUPERSEDED},${MOVED},${inSession(IS_MOVED)}`;

/**
 * Takes a change back: the contributions before it become active again, and its own are superseded. This is one UPDATE
 * with the return of nodes, because their rows can be among these. All undone nodes are locked.
 */
export const UNDONE_CONTRIBUTIONS_STATEMENT = `
undone AS (
  SELECT * FROM jsonb_to_recordset($payload -> 'undone') AS u (node_id uuid, version integer, path text, stands boolean)
),
returned AS (
  SELECT * FROM jsonb_to_recordset($payload -> 'returned') AS r (node_id uuid)
),
settled AS (
  SELECT c.node_id AS was_at, c.sequence, c.version, c.standing, c.superseded, coalesce(b.node_id, c.node_id) AS node_id,
    CASE WHEN b.node_id IS NULL THEN c.came_from ELSE c.came_from[:array_position(c.came_from, b.node_id) - 1] END AS came_from,
    CASE WHEN c.was_active AND c.came_from[1] = b.node_id THEN 'active' ELSE c.status END AS status,
    c.was_active AND (b.node_id IS NULL OR c.came_from[1] <> b.node_id) AS was_active
  FROM contributions AS c LEFT JOIN LATERAL (
    SELECT r.node_id FROM returned AS r WHERE r.node_id = ANY (c.came_from)
    ORDER BY array_position(c.came_from, r.node_id) LIMIT 1) AS b ON c.came_from <> '{}'
  WHERE c.owner_id = $1 AND (c.node_id IN (SELECT node_id FROM undone)
    OR (c.came_from <> '{}' AND c.came_from && ARRAY(SELECT node_id FROM returned)))
),
earlier AS (
  SELECT DISTINCT ON (u.node_id, u.path) u.node_id, u.path, s.sequence
  FROM undone AS u JOIN settled AS s ON s.node_id = u.node_id AND s.came_from = '{}' AND s.version < u.version
    AND s.status <> 'rejected' AND u.path = ANY (s.standing || s.superseded)
  WHERE u.stands ORDER BY u.node_id, u.path, s.sequence DESC
),
taken_back AS (
  UPDATE contributions AS c SET node_id = s.node_id, came_from = s.came_from, status = s.status, was_active = s.was_active,
    standing = ARRAY(SELECT path FROM unnest(s.standing) AS path WHERE path <> ALL (s.goes)) || s.comes,
    superseded = ARRAY(SELECT path FROM unnest(s.superseded) AS path WHERE path <> ALL (s.comes)) || s.goes
  FROM (
    SELECT s.*, ARRAY(
      SELECT u.path FROM undone AS u
      WHERE u.node_id = s.node_id AND s.came_from = '{}' AND u.path = ANY (s.standing)
        AND (s.status = 'active' OR (s.status = 'merged' AND s.version >= u.version))
        AND NOT EXISTS (SELECT FROM earlier AS e WHERE e.sequence = s.sequence AND e.node_id = u.node_id AND e.path = u.path)
    ) AS goes, ARRAY(
      SELECT e.path FROM earlier AS e WHERE e.node_id = s.node_id AND e.sequence = s.sequence AND e.path = ANY (s.superseded)
    ) AS comes
    FROM settled AS s
  ) AS s
  WHERE c.owner_id = $1 AND c.node_id = s.was_at AND c.sequence = s.sequence
)`;
