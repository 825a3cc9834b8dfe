-- A search finds nodes by the names of their tags (rule 4.18i). The names stay on the tags alone, so that a renamed tag is
-- found by its new name at once: a search looks for tags first, then for nodes that have them.

-- The words of a tag's name, below those of a title and above those of a value, and the term of its owner.
CREATE FUNCTION tag_words(owner_id uuid, name text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  -- pg_restore fills the index without a search path, by which search_words finds what it calls.
  SET search_path FROM CURRENT
  RETURN setweight(search_words(name), 'B') || array_to_tsvector(ARRAY['OWNER ' || owner_id::text]);

-- Without a list of pending entries, which each search would read; a name has few words.
CREATE INDEX tags_words ON tags USING gin (tag_words(owner_id, name)) WITH (fastupdate = off) WHERE deleted_at IS NULL;
CREATE INDEX node_words_tags ON node_words USING gin (tag_ids);
