-- Node types are compared by a key (rule 3.5): the database's face of nodeTypeKey in node-type.ts. Two functions, so that
-- plain types, which nearly all are, cost no more than their letters and the rest is not copied into each statement.
CREATE FUNCTION node_type_folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(normalize(lower(upper(lower(btrim(normalize(regexp_replace(given COLLATE "C",
    '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
    '', 'g'), NFKC), ' ') COLLATE "und-x-icu") COLLATE "und-x-icu") COLLATE "und-x-icu"), NFKC), U&'i\0307', 'i');

CREATE FUNCTION node_type_key(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN given COLLATE "C" ~ '^[!-~]+$' THEN lower(given COLLATE "C") ELSE node_type_folded(given) COLLATE "C" END;

-- The planner estimates filters by type from the keys, as it did from the types. ANALYZE, for rows that are there are
-- analysed by themselves only after many more changes.
CREATE STATISTICS nodes_type_key ON (node_type_key(node_type)) FROM nodes;
CREATE STATISTICS changes_type_key ON (node_type_key(node_type)) FROM changes;
CREATE STATISTICS embeddings_type_key ON (node_type_key(node_type)) FROM embeddings;
CREATE STATISTICS contributions_type_key ON (node_type_key(node_type)) FROM contributions;
ANALYZE nodes, changes, embeddings, contributions;
