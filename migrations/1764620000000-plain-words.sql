-- The words of a text are its runs of letters and digits. The parser looks ahead, and again from each part, where signs
-- may join words to compounds, hosts, addresses, paths, tags or numbers, so its time grew with the square of "a-a.a-a.…".

-- ASCII signs become spaces, too, besides those of before: all longer tokens of the parser need one.
CREATE OR REPLACE FUNCTION search_folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(CASE WHEN octet_length(given) = length(given) THEN lower(given COLLATE "C")
    ELSE lower(given COLLATE "und-x-icu") COLLATE "C" END,
    '[!-/:-@[-`{-~–—…„“”‘’‚«»‹›·•。、，！？：；（）「」]+', ' ', 'g');

-- Words that a process of the earlier version writes meanwhile would not be found by all of their parts.
LOCK TABLE node_words IN SHARE ROW EXCLUSIVE MODE;
UPDATE node_words AS w SET words = made.words
FROM (SELECT owner_id, id, node_words_of(owner_id, title, value) AS words FROM nodes OFFSET 0) AS made
WHERE w.owner_id = made.owner_id AND w.node_id = made.id AND w.words <> made.words;
