-- The session of an app that calls by a token, the way of a request, and the tool of a call by MCP (rule 12.2d). Rows from
-- before have `rest`, which to change would hold up the start: those of webhooks are recognized by their endpoint.
ALTER TABLE access_log ADD COLUMN session_id uuid;
ALTER TABLE access_log ADD COLUMN via text NOT NULL DEFAULT 'rest';
ALTER TABLE access_log ADD CONSTRAINT access_log_via_check CHECK (via IN ('rest', 'mcp', 'webhook')) NOT VALID;
ALTER TABLE access_log ADD COLUMN tool text;
DROP INDEX access_log_by_hour;
CREATE UNIQUE INDEX access_log_by_hour ON access_log
  (owner_id, since, (coalesce(app_id, reader_id, owner_id)), (coalesce(session_id, owner_id)), by_type, action, endpoint,
    status, via, (coalesce(tool, '')))
  WHERE by_hour OR action = 'refused';
