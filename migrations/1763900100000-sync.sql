-- Exact sync: positions that apps have confirmed, and the way to the rules of an earlier time.

-- One for each app, user and scope: the state that the app presented last (decisions 7.10). Written when a cursor is
-- presented, never when a page is sent: what was sent may have been lost on its way.
CREATE TABLE sync_positions (
  owner_id          uuid NOT NULL,
  app_id            uuid NOT NULL,
  scope             text NOT NULL,
  -- What the app then held, in the binary form that cursors seal; null until a cursor is presented.
  replica           bytea,
  last_version_seen bigint NOT NULL DEFAULT 0,
  last_sync_at      timestamptz NOT NULL,
  PRIMARY KEY (owner_id, app_id, scope)
) WITH (fillfactor = 70);

-- What an app could see at a position of the log follows from these few rows among many (privacy: past accesses).
CREATE INDEX changes_rules ON changes (owner_id, sequence)
  WHERE entity IN ('authorization', 'exposure_profile', 'tag');
