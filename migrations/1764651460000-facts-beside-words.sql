-- A search decides about each hit by the facts of its node (rule 4.18d), so they are beside its words, in columns of the
-- nodes' names: a second row for each of 50,000 hits took nine tenths of its time.
-- Room on the page for a change of the facts, which then leaves the index of words alone.
ALTER TABLE node_words SET (fillfactor = 80);
LOCK TABLE nodes, node_words IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE node_words ADD COLUMN node_type text, ADD COLUMN meaning_level text, ADD COLUMN graph_view text,
  ADD COLUMN schema_id uuid, ADD COLUMN tag_ids uuid[], ADD COLUMN created_at timestamptz, ADD COLUMN deleted_at timestamptz;
UPDATE node_words AS w SET node_type = n.node_type, meaning_level = n.meaning_level, graph_view = n.graph_view,
  schema_id = n.schema_id, tag_ids = n.tag_ids, created_at = n.created_at, deleted_at = n.deleted_at
FROM nodes AS n WHERE n.owner_id = w.owner_id AND n.id = w.node_id;
ALTER TABLE node_words ALTER COLUMN node_type SET NOT NULL, ALTER COLUMN meaning_level SET NOT NULL,
  ALTER COLUMN graph_view SET NOT NULL, ALTER COLUMN tag_ids SET NOT NULL, ALTER COLUMN created_at SET NOT NULL;

CREATE OR REPLACE FUNCTION node_words_follow_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO node_words (owner_id, node_id, words, node_type, meaning_level, graph_view, schema_id, tag_ids, created_at, deleted_at)
  SELECT owner_id, id, node_words_of(owner_id, title, value), node_type, meaning_level, graph_view, schema_id, tag_ids, created_at, deleted_at
  FROM made;
  RETURN NULL;
END $$;

CREATE FUNCTION node_words_follow_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE node_words SET node_type = NEW.node_type, meaning_level = NEW.meaning_level, graph_view = NEW.graph_view,
    schema_id = NEW.schema_id, tag_ids = NEW.tag_ids, created_at = NEW.created_at, deleted_at = NEW.deleted_at
  WHERE owner_id = NEW.owner_id AND node_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER nodes_facts_of_words AFTER UPDATE ON nodes FOR EACH ROW
  WHEN ((OLD.node_type, OLD.meaning_level, OLD.graph_view, OLD.schema_id, OLD.tag_ids, OLD.created_at, OLD.deleted_at)
    IS DISTINCT FROM (NEW.node_type, NEW.meaning_level, NEW.graph_view, NEW.schema_id, NEW.tag_ids, NEW.created_at, NEW.deleted_at))
  EXECUTE FUNCTION node_words_follow_facts();
