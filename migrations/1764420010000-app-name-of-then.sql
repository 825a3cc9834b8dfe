-- An entry of the access log keeps the name that the app had when it came: names change, and apps end. Of entries from
-- before the name is the one that the app has now.
ALTER TABLE access_log ADD COLUMN app_name text;
UPDATE access_log SET app_name = apps.name FROM apps WHERE apps.id = access_log.app_id;
