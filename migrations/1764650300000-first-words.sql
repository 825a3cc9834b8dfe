-- Of a value the first 4,000 different words are indexed (rule 4.18): each is an entry of the index, and one batch of 8 MB
-- could write 1.6 million of them in one transaction. Prose as long as a value may be has fewer.

-- The database counts positions up to 16,383; of words that first come later, the first in alphabetical order stay.
CREATE FUNCTION first_words(words tsvector) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN length(words) <= 4000 THEN words
    ELSE ts_delete(words, ARRAY(SELECT lexeme FROM unnest(words) ORDER BY positions[1], lexeme OFFSET 4000)) END;

-- A value of 4,000 bytes has no more words than that; D is the weight that words have without one.
CREATE OR REPLACE FUNCTION text_words(title text, value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN setweight(search_words(title), 'A') || CASE WHEN octet_length(value) > 4000 THEN first_words(search_words(value))
    ELSE search_words(coalesce(value, '')) END;

-- A process of the earlier version may write more words meanwhile: they are found until the node's text changes.
LOCK TABLE node_words IN SHARE ROW EXCLUSIVE MODE;
UPDATE node_words AS w SET words = node_words_of(n.owner_id, n.title, n.value)
FROM nodes AS n WHERE n.owner_id = w.owner_id AND n.id = w.node_id AND octet_length(n.value) > 4000 AND length(w.words) > 4000;
