-- True while no write has named a session that its maker has begun by itself: a maker may have 1,000 of these
-- (rule 7.4d), which are counted by the index, however many others the maker has. Imported ones do not count.
ALTER TABLE sessions ADD COLUMN is_empty boolean NOT NULL DEFAULT false;
UPDATE sessions AS s SET is_empty = true WHERE NOT EXISTS (
  SELECT FROM contributions AS c WHERE c.owner_id = s.owner_id AND c.session_id = s.id);
CREATE INDEX sessions_empty ON sessions (owner_id, coalesce(app_id, owner_id)) WHERE is_empty;
