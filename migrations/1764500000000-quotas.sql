-- What an owner has, counted in the row that every write of theirs raises anyway, so that a limit holds however many
-- write at once and no counter drifts: it moves in the transaction that makes it true. Living nodes, relationships,
-- tags and schemas; apps registered and groups made; bytes of the whole change log (history included, before
-- compression) and of vectors, and of stored files, also those of deleted nodes, which can be restored.
ALTER TABLE sequences
  ADD COLUMN nodes         bigint NOT NULL DEFAULT 0,
  ADD COLUMN relationships bigint NOT NULL DEFAULT 0,
  ADD COLUMN tags          bigint NOT NULL DEFAULT 0,
  ADD COLUMN schemas       bigint NOT NULL DEFAULT 0,
  ADD COLUMN apps          bigint NOT NULL DEFAULT 0,
  ADD COLUMN groups        bigint NOT NULL DEFAULT 0,
  ADD COLUMN graph_bytes   bigint NOT NULL DEFAULT 0,
  ADD COLUMN file_bytes    bigint NOT NULL DEFAULT 0;

-- The size of jsonb before compression, the same for a row that is written and for a row that is stored. Stable, as
-- pg_column_size is: PostgreSQL would not inline it otherwise.
CREATE FUNCTION plain_bytes(value jsonb) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT coalesce(pg_column_size(value #> '{}'), 0)::bigint $$;

-- The counters by the rows: for owners from before this migration, and for a graph that comes as rows.
CREATE FUNCTION amounts_of(owner uuid) RETURNS TABLE (nodes bigint, relationships bigint, tags bigint, schemas bigint,
  apps bigint, groups bigint, graph_bytes bigint, file_bytes bigint) LANGUAGE sql STABLE AS $$
  SELECT
    (SELECT count(*) FROM nodes AS n WHERE n.owner_id = owner AND n.deleted_at IS NULL),
    (SELECT count(*) FROM relationships AS r WHERE r.owner_id = owner AND r.deleted_at IS NULL),
    (SELECT count(*) FROM tags AS t WHERE t.owner_id = owner AND t.deleted_at IS NULL),
    (SELECT count(*) FROM schemas AS s WHERE s.owner_id = owner AND s.deleted_at IS NULL),
    (SELECT count(*) FROM apps AS a WHERE a.owner_id = owner AND a.deleted_at IS NULL),
    (SELECT count(*) FROM groups AS g WHERE g.created_by = owner AND g.is_active),
    (SELECT coalesce(sum(plain_bytes(c.snapshot) + plain_bytes(c.changed_fields)), 0)::bigint
      FROM changes AS c WHERE c.owner_id = owner)
    + (SELECT coalesce(sum(4 * e.dimensions), 0)::bigint FROM embeddings AS e WHERE e.owner_id = owner),
    (SELECT coalesce(sum(b.size_bytes), 0)::bigint FROM blobs AS b WHERE b.owner_id = owner)
$$;
CREATE INDEX groups_creator ON groups (created_by) WHERE is_active;

INSERT INTO sequences (id) SELECT id FROM users ON CONFLICT DO NOTHING;
UPDATE sequences AS s SET (nodes, relationships, tags, schemas, apps, groups, graph_bytes, file_bytes) =
  (SELECT * FROM amounts_of(s.id)) WHERE NOT s.is_closed;

-- Whose tier limits an owner: their own; a group has that of the person who made it. Null: there is no such person.
CREATE FUNCTION tier_of(owner uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT u.tier FROM users AS u WHERE u.id = owner),
    (SELECT u.tier FROM groups AS g JOIN users AS u ON u.id = g.created_by WHERE g.id = owner),
    (SELECT a.tier FROM apps AS a WHERE a.id = owner))
$$;

-- The first quota that a write goes beyond, as {owner, quota, limit, used}, or null. `counted` has the counters after the
-- write, `added` what it adds, `limits` the limits by tier, where null is no limit.
CREATE FUNCTION exceeded_quota(owner uuid, counted jsonb, added jsonb, limits jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('owner', owner, 'quota', l.key, 'limit', l.value,
    'used', (counted ->> l.key)::bigint - (added ->> l.key)::bigint)
  FROM jsonb_each(limits -> coalesce(tier_of(owner), 'default')) AS l
  WHERE l.value <> 'null' AND (added ->> l.key)::bigint > 0
    AND (counted ->> l.key)::bigint > (l.value #>> '{}')::bigint
  ORDER BY l.key LIMIT 1
$$;

-- Ends the statement that would go beyond a quota, and so all that its transaction has written.
CREATE FUNCTION refuse_exceeded(exceeded jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF exceeded IS NULL THEN RETURN true; END IF;
  RAISE EXCEPTION 'a quota is used up' USING ERRCODE = '54000', CONSTRAINT = 'quota_exceeded', DETAIL = exceeded::text;
END $$;
