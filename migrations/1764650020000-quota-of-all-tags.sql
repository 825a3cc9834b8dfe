-- Deleted tags are counted, too: they keep their rows, and whoever decides by tags loads them.
ALTER TABLE sequences ADD COLUMN all_tags bigint NOT NULL DEFAULT 0;

DROP FUNCTION amounts_of(uuid);
CREATE FUNCTION amounts_of(owner uuid) RETURNS TABLE (nodes bigint, relationships bigint, tags bigint, all_tags bigint,
  schemas bigint, apps bigint, groups bigint, exposure_profiles bigint, graph_bytes bigint, file_bytes bigint)
  LANGUAGE sql STABLE AS $$
  SELECT
    (SELECT count(*) FROM nodes AS n WHERE n.owner_id = owner AND n.deleted_at IS NULL),
    (SELECT count(*) FROM relationships AS r WHERE r.owner_id = owner AND r.deleted_at IS NULL),
    (SELECT count(*) FROM tags AS t WHERE t.owner_id = owner AND t.deleted_at IS NULL),
    (SELECT count(*) FROM tags AS t WHERE t.owner_id = owner),
    (SELECT count(*) FROM schemas AS s WHERE s.owner_id = owner AND s.deleted_at IS NULL),
    (SELECT count(*) FROM apps AS a WHERE a.owner_id = owner AND a.deleted_at IS NULL),
    (SELECT count(*) FROM groups AS g WHERE g.created_by = owner AND g.is_active),
    (SELECT count(*) FROM exposure_profiles AS p WHERE p.owner_id = owner),
    (SELECT coalesce(sum(plain_bytes(c.snapshot) + plain_bytes(c.changed_fields)), 0)::bigint
      FROM changes AS c WHERE c.owner_id = owner)
    + (SELECT coalesce(sum(4 * e.dimensions), 0)::bigint FROM embeddings AS e WHERE e.owner_id = owner),
    (SELECT coalesce(sum(b.size_bytes), 0)::bigint FROM blobs AS b WHERE b.owner_id = owner)
$$;

-- A process of the earlier version would not count the tags that it writes meanwhile.
LOCK TABLE tags IN SHARE ROW EXCLUSIVE MODE;
UPDATE sequences AS s SET all_tags = t.made
FROM (SELECT owner_id, count(*) AS made FROM tags GROUP BY owner_id) AS t
WHERE s.id = t.owner_id AND NOT s.is_closed;
