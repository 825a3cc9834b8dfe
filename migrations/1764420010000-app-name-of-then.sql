-- An entry of the access log keeps the name that the app had when it came: names change, and apps end. Entries from
-- before show the name that the app has now: to write it into each would hold up every request for as long as the log
-- is large.
ALTER TABLE access_log ADD COLUMN app_name text;
