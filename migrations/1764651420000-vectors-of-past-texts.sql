-- A vector is of the texts that its node had when it was set. When these change it keeps the facts by which they were shown
-- last, as a version in history does (rule 3.16c); NULL while the texts are the same.
ALTER TABLE embeddings ADD COLUMN past_tag_ids uuid[], ADD COLUMN past_schema_id uuid, ADD COLUMN past_node_type text;

CREATE FUNCTION embeddings_keep_past() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE embeddings SET past_tag_ids = OLD.tag_ids, past_schema_id = OLD.schema_id, past_node_type = OLD.node_type
  WHERE owner_id = NEW.owner_id AND node_id = NEW.id AND past_node_type IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER nodes_past_of_embeddings AFTER UPDATE ON nodes FOR EACH ROW
  WHEN ((OLD.title, OLD.value, OLD.metadata) IS DISTINCT FROM (NEW.title, NEW.value, NEW.metadata))
  EXECUTE FUNCTION embeddings_keep_past();

-- The same from the log, for vectors of before and of archives: the state before the first change of a text after the
-- vector was set.
CREATE FUNCTION past_of_vector(owner uuid, node uuid, length integer, made_by text)
RETURNS TABLE (tag_ids uuid[], schema_id uuid, node_type text) LANGUAGE sql STABLE AS $$
  SELECT p.tag_ids, p.schema_id, p.node_type FROM (
    SELECT min(c.sequence) AS sequence FROM changes AS c
    WHERE c.owner_id = owner AND c.entity_id = node AND c.entity = 'node'
      AND coalesce(c.changed_fields -> 'title', c.changed_fields -> 'value', c.changed_fields -> 'metadata') IS NOT NULL
      AND c.sequence > (SELECT max(s.sequence) FROM changes AS s
        WHERE s.owner_id = owner AND s.entity_id = node AND s.entity = 'embedding'
          AND coalesce(s.snapshot ->> 'model', '') = made_by AND s.snapshot ->> 'dimensions' = length::text)
  ) AS other CROSS JOIN LATERAL (
    SELECT c.tag_ids, c.schema_id, c.node_type FROM changes AS c
    WHERE c.owner_id = owner AND c.entity_id = node AND c.entity = 'node' AND c.sequence < other.sequence
    ORDER BY c.sequence DESC LIMIT 1) AS p
$$;
UPDATE embeddings AS e SET past_tag_ids = p.tag_ids, past_schema_id = p.schema_id, past_node_type = p.node_type
FROM embeddings AS o CROSS JOIN LATERAL past_of_vector(o.owner_id, o.node_id, o.dimensions, o.model) AS p
WHERE e.owner_id = o.owner_id AND e.node_id = o.node_id AND e.dimensions = o.dimensions AND e.model = o.model;
