-- PostgreSQL sorts the marks behind a letter by exchanging neighbours, in quadratic time, and looks for no request to cancel
-- meanwhile: 99,000 marks in a value stopped the embedded database for two minutes.

-- The text with the first 31 of characters that follow each other and may be marks: all but those of ASCII, Latin, Greek,
-- Cyrillic, Armenian, Hebrew, Arabic, Devanagari, Thai, Hangul, Chinese and Japanese that are none. No letter has as many
-- marks, and no word of another script as many letters.
CREATE FUNCTION with_few_marks(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN length(given) <= 100 THEN given ELSE regexp_replace(given,
    '([^\u0001-\u02ff\u0370-\u0482\u048a-\u058f\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30\u0e32-\u0e33\u0e40-\u0e46\u1e00-\u1fff\u2000-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3096\u30a1-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff9d]{31})[^\u0001-\u02ff\u0370-\u0482\u048a-\u058f\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30\u0e32-\u0e33\u0e40-\u0e46\u1e00-\u1fff\u2000-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3096\u30a1-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff9d]+',
    '\1', 'g') END;

CREATE OR REPLACE FUNCTION search_folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(CASE WHEN octet_length(given) = length(given) THEN lower(given COLLATE "C")
    ELSE left(normalize(lower(with_few_marks(given) COLLATE "und-x-icu"), NFC) COLLATE "C", length(given) + 1000) END,
    '[!-/:-@[-`{-~\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u060c\u061b\u061f\u0964\u0965]+',
    ' ', 'g');
