-- A search also finds nodes by the words of their type and of the texts in metadata.properties (rule 4.18j). They are among
-- the words of a node with weights of their own, B and C, so that a search can leave out those that its caller is not shown.

-- The first different words; those that first come behind the database's last position in alphabetical order.
CREATE FUNCTION first_words(words tsvector, most integer) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN length(words) <= most THEN words
    ELSE ts_delete(words, ARRAY(SELECT lexeme FROM unnest(words) ORDER BY positions[1], lexeme OFFSET most)) END;

-- Most types are a word or two, whose language shows nothing: questions are sought by their stems in English, too.
CREATE FUNCTION type_words(node_type text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN setweight(CASE WHEN octet_length(node_type) = length(node_type)
    THEN to_tsvector('words_english'::regconfig, search_folded(node_type)) ELSE search_words(node_type) END, 'B');

-- The words of the strings in properties, whatever their depth, in the order of their places: of the first 10,000 characters
-- the first 1,000 different ones.
CREATE FUNCTION property_words(properties jsonb) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  texts text;
  words tsvector;
BEGIN
  IF properties IS NULL OR properties = '{}' THEN RETURN ''; END IF;
  -- More than 10,000 strings have more than 10,000 characters, with the spaces between them.
  SELECT left(string_agg(string, ' ' ORDER BY place), 10000) INTO texts
  FROM jsonb_array_elements_text(jsonb_path_query_array(
    jsonb_path_query_array(properties, 'strict $.** ? (@.type() == "string")'), '$[0 to 10000]'
  )) WITH ORDINALITY AS found (string, place);
  IF texts IS NULL THEN RETURN ''; END IF;
  words := setweight(search_words(texts), 'C');
  RETURN CASE WHEN length(words) <= 1000 THEN words ELSE first_words(words, 1000) END;
END $$;

-- The words of the texts of a node: A those of the title, B of the type, C of the properties, and D, the weight that words
-- have without one, of the value. The value comes last: its words change nothing about others. A value of 4,000 bytes has no
-- more words than that.
CREATE FUNCTION text_words(title text, value text, node_type text, properties jsonb) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN setweight(search_words(title), 'A') || type_words(node_type) || property_words(properties)
    || CASE WHEN octet_length(value) > 4000 THEN first_words(search_words(value), 4000)
      ELSE search_words(coalesce(value, '')) END;

CREATE FUNCTION node_words_of(owner_id uuid, title text, value text, node_type text, properties jsonb) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN text_words(title, value, node_type, properties) || array_to_tsvector(ARRAY['OWNER ' || owner_id::text]);

CREATE OR REPLACE FUNCTION node_words_follow_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO node_words (owner_id, node_id, words, node_type, meaning_level, graph_view, schema_id, tag_ids, created_at, deleted_at)
  SELECT owner_id, id, node_words_of(owner_id, title, value, node_type, metadata -> 'properties'),
    node_type, meaning_level, graph_view, schema_id, tag_ids, created_at, deleted_at
  FROM made;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION node_words_follow_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE node_words SET words = node_words_of(NEW.owner_id, NEW.title, NEW.value, NEW.node_type, NEW.metadata -> 'properties')
  WHERE owner_id = NEW.owner_id AND node_id = NEW.id;
  RETURN NULL;
END $$;
-- Replaced, not dropped: nodes can be read meanwhile.
CREATE OR REPLACE TRIGGER nodes_changed_words AFTER UPDATE ON nodes FOR EACH ROW
  WHEN ((OLD.title, OLD.value, OLD.node_type, OLD.metadata -> 'properties')
    IS DISTINCT FROM (NEW.title, NEW.value, NEW.node_type, NEW.metadata -> 'properties'))
  EXECUTE FUNCTION node_words_follow_change();

DROP FUNCTION node_words_of(uuid, text, text);
DROP FUNCTION text_words(text, text);
DROP FUNCTION first_words(tsvector);

LOCK TABLE node_words IN SHARE ROW EXCLUSIVE MODE;
UPDATE node_words AS w SET words = made.words
FROM (SELECT owner_id, id, node_words_of(owner_id, title, value, node_type, metadata -> 'properties') AS words FROM nodes OFFSET 0) AS made
WHERE w.owner_id = made.owner_id AND w.node_id = made.id AND w.words <> made.words;
