-- The last use of an app by its owner's authorization (GET /authorizations), and the log of one app. Refusals are no use.
CREATE INDEX access_log_by_app ON access_log (owner_id, app_id, at) WHERE app_id IS NOT NULL AND action <> 'refused';
