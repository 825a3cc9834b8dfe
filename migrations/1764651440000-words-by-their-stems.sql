-- A question has other forms of a word than its answer (rule 4.18): words are found by their stems and without their
-- accents, and text that is written without spaces is found by each pair of its signs.

-- Stems in each language, of small words, too: the dictionaries of PostgreSQL leave those out.
DO $$
DECLARE
  language text;
BEGIN
  FOREACH language IN ARRAY '{english,german,french,spanish,italian,portuguese,dutch,swedish,danish,norwegian,finnish,hungarian,romanian,turkish,catalan,indonesian,russian,greek,armenian,arabic,hindi,tamil}'::text[] LOOP
    EXECUTE format('CREATE TEXT SEARCH DICTIONARY %I (TEMPLATE = snowball, LANGUAGE = %L)', 'words_' || language, language);
    EXECUTE format('CREATE TEXT SEARCH CONFIGURATION %I (COPY = simple)', 'words_' || language);
    EXECUTE format('ALTER TEXT SEARCH CONFIGURATION %1$I ALTER MAPPING FOR asciiword, word WITH %1$I', 'words_' || language);
  END LOOP;
  -- A Russian text has English words; those of a Latin alphabet are in the text's own language.
  FOREACH language IN ARRAY '{russian,greek,armenian,arabic,hindi,tamil}'::text[] LOOP
    EXECUTE format('ALTER TEXT SEARCH CONFIGURATION %I ALTER MAPPING FOR asciiword WITH words_english', 'words_' || language);
  END LOOP;
END $$;

-- Small letters, each composed where it can be, with spaces for all signs that separate words: those of ASCII, of Latin 1,
-- and the punctuation of Unicode. Some letters have several parts: at most 1,000 more than the text, so that its words fit.
CREATE OR REPLACE FUNCTION search_folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(CASE WHEN octet_length(given) = length(given) THEN lower(given COLLATE "C")
    ELSE left(normalize(lower(given COLLATE "und-x-icu"), NFC) COLLATE "C", length(given) + 1000) END,
    '[!-/:-@[-`{-~\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u060c\u061b\u061f\u0964\u0965]+',
    ' ', 'g');

-- Composed letters without their accents, "é" as "e". Never longer than the text.
CREATE FUNCTION plain_letters(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(given) = length(given) THEN given ELSE
    normalize(regexp_replace(normalize(translate(given, 'øłđðıßæœ', 'olddisao'), NFD), '[\u0300-\u036f]+', '', 'g'), NFC) END;

-- Runs of signs that are written without spaces (Chinese, Japanese, Korean, Thai) as their pairs, and the last sign of each,
-- so that every sign begins a word: "東京都" has 東京, 京都 and 都. At most the first 16,000 signs of a text.
CREATE FUNCTION paired_signs(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  sign CONSTANT text := '\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002ffff';
  pair CONSTANT text := '([' || sign || ']{2})';
  runs text;
  part text;
  paired text := '';
BEGIN
  IF octet_length(given) = length(given) OR given !~ ('[' || sign || ']') THEN RETURN given; END IF;
  runs := regexp_replace(given, '[^' || sign || ']+', ' ', 'g');
  FOR begun IN 0 .. least(length(runs) / 1000, 15) LOOP
    part := substr(runs, begun * 1000 + 1, 1001);
    paired := paired || ' ' || regexp_replace(part, pair, '\1 ', 'g')
      || ' ' || regexp_replace(regexp_replace(part, '(^| )[' || sign || ']', ' ', 'g'), pair, '\1 ', 'g');
  END LOOP;
  RETURN regexp_replace(regexp_replace(given, '[' || sign || ']+', ' ', 'g') || paired, ' +', ' ', 'g');
END $$;

-- The words of texts and of queries, separated by spaces.
CREATE FUNCTION search_text(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN paired_signs(search_folded(given));

-- The language of a text with these English stems: the one whose letters it has, or most of whose small words; English
-- without any.
CREATE FUNCTION text_language(spaced text, stems tsvector) RETURNS regconfig LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  letter text;
  found regconfig;
BEGIN
  IF octet_length(spaced) > length(spaced) THEN
    letter := substring(spaced FROM '[\u0370-\u03ff\u0400-\u04ff\u0530-\u058f\u0600-\u06ff\u0900-\u097f\u0b80-\u0bff]') COLLATE "C";
    IF letter IS NOT NULL THEN
      RETURN CASE WHEN letter < U&'\0400' THEN 'words_greek' WHEN letter < U&'\0530' THEN 'words_russian'
        WHEN letter < U&'\0600' THEN 'words_armenian' WHEN letter < U&'\0900' THEN 'words_arabic'
        WHEN letter < U&'\0b80' THEN 'words_hindi' ELSE 'words_tamil' END::regconfig;
    END IF;
  END IF;
  IF stems @@ 'the&(and|of|to|in|is|a|my|was)'::tsquery THEN RETURN 'words_english'::regconfig; END IF;
  SELECT language INTO found
  FROM (VALUES
    (1, 'words_english'::regconfig, to_tsquery('words_english', 'the|and|of|to|in|is|a|i|my|for|with|was|that|on')),
    (2, 'words_german', to_tsquery('words_english', 'der|die|das|und|ist|ich|ein|auf|mit|nicht|in|zu|den|für')),
    (3, 'words_french', to_tsquery('words_english', 'le|la|les|de|des|et|est|un|une|je|à|dans|avec|du')),
    (4, 'words_spanish', to_tsquery('words_english', 'el|la|los|de|y|es|en|un|una|con|que|por|mi|del')),
    (5, 'words_italian', to_tsquery('words_english', 'il|di|che|e|la|un|una|per|con|è|in|del|non|mio')),
    (6, 'words_portuguese', to_tsquery('words_english', 'o|de|e|a|que|em|um|uma|do|da|com|não|meu|os')),
    (7, 'words_dutch', to_tsquery('words_english', 'de|het|een|en|van|ik|in|is|met|niet|op|mijn|voor|te')),
    (8, 'words_swedish', to_tsquery('words_english', 'och|att|i|en|är|jag|det|som|på|med|för|av|har|min')),
    (9, 'words_danish', to_tsquery('words_english', 'og|at|i|en|er|jeg|det|på|med|for|af|har|min|til')),
    (10, 'words_norwegian', to_tsquery('words_english', 'og|å|i|en|er|jeg|det|på|med|for|av|har|min|til')),
    (11, 'words_finnish', to_tsquery('words_english', 'ja|on|ei|että|se|hän|minä|mutta|oli|kun|minun|kanssa|niin|ovat')),
    (12, 'words_hungarian', to_tsquery('words_english', 'a|az|és|egy|hogy|nem|van|is|én|volt|meg|de|vagy|mert')),
    (13, 'words_romanian', to_tsquery('words_english', 'și|în|de|la|o|un|cu|este|pe|nu|să|mea|din|care')),
    (14, 'words_turkish', to_tsquery('words_english', 've|bir|bu|de|da|için|ile|çok|ben|var|en|ama|gibi|değil')),
    (15, 'words_catalan', to_tsquery('words_english', 'el|la|els|de|i|és|en|un|una|amb|que|per|meu|del')),
    (16, 'words_indonesian', to_tsquery('words_english', 'dan|yang|di|ini|itu|saya|dengan|untuk|tidak|dari|ke|adalah|aku|pada'))
  ) AS known (place, language, small)
  WHERE stems @@ small
  ORDER BY ts_rank(stems, small) DESC, place
  LIMIT 1;
  RETURN coalesce(found, 'words_english'::regconfig);
END $$;

-- The words of a text, each as its stem in the text's language, without accents.
CREATE OR REPLACE FUNCTION search_words(given text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  spaced text := search_text(given);
  stems tsvector := to_tsvector('words_english'::regconfig, spaced);
  language regconfig := text_language(left(spaced, 1000), stems);
BEGIN
  IF language <> 'words_english'::regconfig THEN stems := to_tsvector(language, spaced); END IF;
  RETURN CASE WHEN octet_length(spaced) = length(spaced) THEN stems ELSE plain_letters(stems::text)::tsvector END;
END $$;

-- The words of a query in their order: each with its stems in all languages, as alternatives, and whether it is a small word
-- in the language that most of them are small words of. Those of PostgreSQL lack English ones that questions have.
CREATE FUNCTION search_terms(given text) RETURNS TABLE (word text, stems text[], is_small boolean)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 10 AS $$
  WITH word AS (
    SELECT lexeme AS word, positions[1] AS place, CASE WHEN lexeme ~ '[\u0e00-\U0002ffff]' THEN '{}'
      WHEN lexeme ~ '[\u0370-\u0dff]' THEN '{words_russian,words_greek,words_armenian,words_arabic,words_hindi,words_tamil}'
      ELSE '{words_english,words_german,words_french,words_spanish,words_italian,words_portuguese,words_dutch,words_swedish,words_danish,words_norwegian,words_finnish,words_hungarian,words_romanian,words_turkish,words_catalan,words_indonesian}' END::regdictionary[] AS dictionaries
    FROM unnest(to_tsvector('simple'::regconfig, search_text(given)))
  ), small AS (
    SELECT word, dictionary, rank FROM word CROSS JOIN
      unnest('{english_stem,german_stem,french_stem,spanish_stem,italian_stem,portuguese_stem,dutch_stem,swedish_stem,danish_stem,norwegian_stem,finnish_stem,hungarian_stem,turkish_stem,russian_stem}'::regdictionary[])
      WITH ORDINALITY AS known (dictionary, rank)
    WHERE dictionaries <> '{}' AND (ts_lexize(dictionary, word) = '{}' OR dictionary = 'english_stem'::regdictionary AND word = ANY (
      '{also,anybody,anyone,anything,could,ever,get,gets,getting,got,let,lets,may,maybe,might,must,need,one,please,shall,somebody,someone,something,still,tell,thing,things,want,way,whose,without,would}'::text[]))
  ), language AS (
    SELECT dictionary FROM small GROUP BY dictionary ORDER BY count(*) DESC, min(rank) LIMIT 1
  )
  SELECT plain_letters(word), ARRAY(
      SELECT plain_letters(word) UNION SELECT plain_letters(stem) FROM unnest(dictionaries) AS dictionary
        CROSS JOIN unnest(ts_lexize(dictionary, word)) AS stem
    ), word IN (SELECT small.word FROM small JOIN language USING (dictionary))
  FROM word ORDER BY place
$$;
DROP FUNCTION search_query(text);

LOCK TABLE node_words IN SHARE ROW EXCLUSIVE MODE;
UPDATE node_words AS w SET words = made.words
FROM (SELECT owner_id, id, node_words_of(owner_id, title, value) AS words FROM nodes OFFSET 0) AS made
WHERE w.owner_id = made.owner_id AND w.node_id = made.id AND w.words <> made.words;
