-- Accesses whose node ids are left out are counted by the hour, as refusals are: `since` is the hour, `at` the last of
-- them (rule 12.2b). Refusals from before have `by_hour` false: to change them would hold up the start.
ALTER TABLE access_log ADD COLUMN by_hour boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX access_log_by_hour ON access_log
  (owner_id, since, (coalesce(app_id, reader_id, owner_id)), by_type, action, endpoint, status)
  WHERE by_hour OR action = 'refused';
DROP INDEX access_log_refused;
