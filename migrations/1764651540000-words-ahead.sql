-- Taking a long value apart into its words takes up to 200 ms, and a batch has a hundred: words of long values are prepared
-- before the transaction that writes them, which on the embedded database nobody else is served beside (ADR 89).

-- The words of a value, as a search finds them (rule 4.18c).
CREATE FUNCTION value_words(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(value) > 4000 THEN first_words(search_words(value), 4000)
    ELSE search_words(coalesce(value, '')) END;

CREATE OR REPLACE FUNCTION text_words(title text, value text, node_type text, properties jsonb) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN setweight(search_words(title), 'A') || type_words(node_type) || property_words(properties) || value_words(value);

-- The words of values that a write is about to store; of no use after it, or after a crash.
CREATE UNLOGGED TABLE prepared_words (
  owner_id    uuid NOT NULL,
  digest      bytea NOT NULL,
  write_id    uuid NOT NULL,
  words       tsvector NOT NULL,
  prepared_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_id, digest, write_id)
);

CREATE FUNCTION digest_of(value text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN sha256(convert_to(value, 'UTF8'));

-- The words of a node that is written, with those of a long value as prepared. Shorter values take less time than a look.
CREATE FUNCTION written_words(owner_id uuid, title text, value text, node_type text, properties jsonb) RETURNS tsvector
LANGUAGE plpgsql STABLE AS $$
DECLARE
  prepared tsvector;
BEGIN
  IF octet_length(value) > 8000 THEN
    SELECT words INTO prepared FROM prepared_words AS p
    WHERE p.owner_id = written_words.owner_id AND p.digest = digest_of(value) LIMIT 1;
  END IF;
  IF prepared IS NULL THEN RETURN node_words_of(owner_id, title, value, node_type, properties); END IF;
  RETURN node_words_of(owner_id, title, NULL, node_type, properties) || prepared;
END $$;

CREATE OR REPLACE FUNCTION node_words_follow_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO node_words (owner_id, node_id, words, node_type, meaning_level, graph_view, schema_id, tag_ids, created_at, deleted_at)
  SELECT owner_id, id, CASE WHEN octet_length(value) > 8000
      THEN written_words(owner_id, title, value, node_type, metadata -> 'properties')
      ELSE node_words_of(owner_id, title, value, node_type, metadata -> 'properties') END,
    node_type, meaning_level, graph_view, schema_id, tag_ids, created_at, deleted_at
  FROM made;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION node_words_follow_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE node_words SET words = written_words(NEW.owner_id, NEW.title, NEW.value, NEW.node_type, NEW.metadata -> 'properties')
  WHERE owner_id = NEW.owner_id AND node_id = NEW.id;
  RETURN NULL;
END $$;
