-- Each look into these indexes reads their list of new entries from its beginning to its end. A search looks once for each
-- sharer: with the 4 MB that a server permits, 100 sharers took two seconds. The embedded database has this limit already.
ALTER INDEX node_words_words SET (gin_pending_list_limit = 256);
ALTER INDEX node_words_tags SET (gin_pending_list_limit = 256);
-- Otherwise the next write would have to empty the present lists.
SELECT gin_clean_pending_list('node_words_words'), gin_clean_pending_list('node_words_tags');
