-- Rows about shares and follows come into the log of a person by others' acts, too: those count for the one who acts
-- (rule 9.8d). A share's giver or receiver pays 1 KiB for the row in the other's log, a follower 2 KiB and twice the
-- message for each follow, whether or not a block keeps the rows out, so that no counter tells of it.
CREATE FUNCTION follow_bytes(message text) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT 2048 + 2 * coalesce(octet_length(message), 0)::bigint $$;

CREATE OR REPLACE FUNCTION amounts_of(owner uuid) RETURNS TABLE (nodes bigint, relationships bigint, tags bigint,
  all_tags bigint, schemas bigint, apps bigint, groups bigint, exposure_profiles bigint, graph_bytes bigint,
  file_bytes bigint) LANGUAGE sql STABLE AS $$
  SELECT
    (SELECT count(*) FROM nodes AS n WHERE n.owner_id = owner AND n.deleted_at IS NULL),
    (SELECT count(*) FROM relationships AS r WHERE r.owner_id = owner AND r.deleted_at IS NULL),
    (SELECT count(*) FROM tags AS t WHERE t.owner_id = owner AND t.deleted_at IS NULL),
    (SELECT count(*) FROM tags AS t WHERE t.owner_id = owner),
    (SELECT count(*) FROM schemas AS s WHERE s.owner_id = owner AND s.deleted_at IS NULL),
    (SELECT count(*) FROM apps AS a WHERE a.owner_id = owner AND a.deleted_at IS NULL),
    (SELECT count(*) FROM groups AS g WHERE g.created_by = owner AND g.is_active),
    (SELECT count(*) FROM exposure_profiles AS p WHERE p.owner_id = owner),
    (SELECT coalesce(sum(plain_bytes(c.snapshot) + plain_bytes(c.changed_fields)
        + CASE WHEN c.entity = 'share' THEN 1024 ELSE 0 END), 0)::bigint
      FROM changes AS c WHERE c.owner_id = owner
        AND (c.entity NOT IN ('share', 'follow') OR c.changed_by_user_id = owner))
    + (SELECT coalesce(sum(follow_bytes(f.message)), 0)::bigint FROM follows AS f WHERE f.follower_id = owner)
    + (SELECT coalesce(sum(4 * e.dimensions), 0)::bigint FROM embeddings AS e WHERE e.owner_id = owner),
    (SELECT coalesce(sum(b.size_bytes), 0)::bigint FROM blobs AS b WHERE b.owner_id = owner)
$$;

-- `counted` may have a `reserve`, the part of the limit of graph_bytes by which this write may go beyond it.
CREATE OR REPLACE FUNCTION exceeded_quota(owner uuid, counted jsonb, added jsonb, limits jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('owner', owner, 'quota', l.key, 'limit', l.value,
    'used', (counted ->> l.key)::bigint - (added ->> l.key)::bigint)
  FROM jsonb_each(limits -> coalesce(tier_of(owner), 'default')) AS l
  WHERE l.value <> 'null' AND (added ->> l.key)::bigint > 0
    AND (counted ->> l.key)::bigint > (l.value #>> '{}')::bigint
      * (1 + CASE WHEN l.key = 'graph_bytes' THEN coalesce((counted ->> 'reserve')::numeric, 0) ELSE 0 END)
  ORDER BY l.key LIMIT 1
$$;

-- A process of the earlier version would count the others' acts that it writes meanwhile.
LOCK TABLE shares, follows IN SHARE ROW EXCLUSIVE MODE;
UPDATE sequences AS s SET graph_bytes = (SELECT a.graph_bytes FROM amounts_of(s.id) AS a)
WHERE NOT s.is_closed AND s.id IN (
  SELECT c.owner_id FROM changes AS c WHERE c.entity IN ('share', 'follow')
  UNION SELECT f.follower_id FROM follows AS f);
