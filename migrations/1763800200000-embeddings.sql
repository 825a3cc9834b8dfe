-- Vectors of nodes, and the words of their texts, for search.

-- A node has one vector for each model and length (decisions 4.17). `unit` is the vector divided by its length, so
-- that any finite numbers fit. Search reads an owner's vectors without their nodes: what a Visibility looks at stands
-- beside each of them, kept equal by the trigger below. Vectors of up to 2,000 dimensions stay inside the row, where
-- reading them costs nothing more; longer ones go to the side table.
CREATE TABLE embeddings (
  owner_id        uuid NOT NULL,
  node_id         uuid NOT NULL,
  dimensions      smallint NOT NULL,
  model           text NOT NULL DEFAULT '',
  graph_view      text NOT NULL,
  tag_ids         uuid[] NOT NULL,
  schema_id       uuid,
  node_type       text NOT NULL,
  node_created_at timestamptz NOT NULL,
  is_deleted      boolean NOT NULL,
  -- the node's only vector of this length: such are searched without looking for a better one of the same node
  is_alone        boolean NOT NULL DEFAULT true,
  unit            vector NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (owner_id, node_id, dimensions, model),
  FOREIGN KEY (owner_id, node_id) REFERENCES nodes (owner_id, id) ON DELETE CASCADE
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE embeddings ALTER unit SET STORAGE EXTERNAL;
CREATE INDEX embeddings_length ON embeddings (owner_id, dimensions, is_alone);

-- Whoever changes a node, in whatever way: its vectors are seen by the same callers as the node, from the same commit on.
CREATE FUNCTION embeddings_follow_node() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE embeddings
  SET graph_view = NEW.graph_view, tag_ids = NEW.tag_ids, schema_id = NEW.schema_id, node_type = NEW.node_type,
    node_created_at = NEW.created_at, is_deleted = NEW.deleted_at IS NOT NULL
  WHERE owner_id = NEW.owner_id AND node_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER nodes_embeddings AFTER UPDATE ON nodes FOR EACH ROW
  WHEN ((OLD.graph_view, OLD.tag_ids, OLD.schema_id, OLD.node_type, OLD.created_at, OLD.deleted_at)
    IS DISTINCT FROM (NEW.graph_view, NEW.tag_ids, NEW.schema_id, NEW.node_type, NEW.created_at, NEW.deleted_at))
  EXECUTE FUNCTION embeddings_follow_node();

-- A text in one spelling, whatever the language: letter case by the rules of Unicode, typographic signs as spaces,
-- because the parser of a database without a locale takes them for letters.
CREATE FUNCTION search_folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN translate(lower(given COLLATE "und-x-icu"), '–—…„“”‘’‚«»‹›·•。、，！？：；（）「」',
    '                          ');

CREATE FUNCTION search_words(given text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig, search_folded(given));

-- The query of a search text: all of its words, the last one also as a beginning; NULL where it has none.
CREATE FUNCTION search_query(given text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(nullif(plainto_tsquery('simple'::regconfig, search_folded(given))::text, ''), '''$', ''':*')::tsquery;

-- Words of a title weigh more than words of a value.
CREATE FUNCTION text_words(title text, value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN setweight(search_words(title), 'A') || setweight(search_words(coalesce(value, '')), 'D');

-- The words of every node, beside it: kept when a text changes and at no other change. The owner is a word among them,
-- in capitals, which no text has: one index finds an owner's matches without passing by anybody else's.
CREATE TABLE node_words (
  owner_id uuid NOT NULL,
  node_id  uuid NOT NULL,
  words    tsvector NOT NULL,
  PRIMARY KEY (owner_id, node_id),
  FOREIGN KEY (owner_id, node_id) REFERENCES nodes (owner_id, id) ON DELETE CASCADE
);
CREATE FUNCTION node_words_of(owner_id uuid, title text, value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN text_words(title, value) || array_to_tsvector(ARRAY['OWNER ' || owner_id::text]);
INSERT INTO node_words SELECT owner_id, id, node_words_of(owner_id, title, value) FROM nodes;
CREATE INDEX node_words_words ON node_words USING gin (words);

CREATE FUNCTION node_words_follow_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO node_words SELECT owner_id, id, node_words_of(owner_id, title, value) FROM made;
  RETURN NULL;
END $$;
CREATE TRIGGER nodes_new_words AFTER INSERT ON nodes REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION node_words_follow_new();

CREATE FUNCTION node_words_follow_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE node_words SET words = node_words_of(NEW.owner_id, NEW.title, NEW.value)
  WHERE owner_id = NEW.owner_id AND node_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER nodes_changed_words AFTER UPDATE ON nodes FOR EACH ROW
  WHEN ((OLD.title, OLD.value) IS DISTINCT FROM (NEW.title, NEW.value)) EXECUTE FUNCTION node_words_follow_change();
