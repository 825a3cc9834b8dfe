-- Each file counts its size, also where its content is stored already: otherwise the rest of a quota would tell an app
-- whether some content is in a file that is hidden from it (ADR 73).
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
    (SELECT coalesce(sum(b.size_bytes), 0)::bigint FROM files AS f
      JOIN blobs AS b ON b.owner_id = f.owner_id AND b.id = f.blob_id WHERE f.owner_id = owner)
$$;

-- A process of the earlier version would count otherwise what it writes meanwhile.
LOCK TABLE files, blobs IN SHARE ROW EXCLUSIVE MODE;
UPDATE sequences AS s SET file_bytes = (
  SELECT coalesce(sum(b.size_bytes), 0) FROM files AS f
  JOIN blobs AS b ON b.owner_id = f.owner_id AND b.id = f.blob_id WHERE f.owner_id = s.id)
WHERE NOT s.is_closed AND s.id IN (SELECT b.owner_id FROM blobs AS b);
