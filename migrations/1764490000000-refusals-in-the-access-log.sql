-- What apps were refused when they asked for a person, counted for each app, hour, endpoint and status: `since` is the hour,
-- `at` the last of them.
ALTER TABLE access_log DROP CONSTRAINT access_log_action_check;
ALTER TABLE access_log ADD CONSTRAINT access_log_action_check
  CHECK (action IN ('read', 'create', 'update', 'delete', 'refused')) NOT VALID;
CREATE UNIQUE INDEX access_log_refused ON access_log (owner_id, app_id, since, endpoint, status)
  WHERE action = 'refused';
