-- The state of a proposal, or of an app's request, that its person was last shown: what an approval that names no state
-- is about. Written by the reads that show it.
CREATE TABLE last_shown (
  owner_id  uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  entity    text NOT NULL CHECK (entity IN ('app', 'proposal')),
  entity_id uuid NOT NULL,
  state     text NOT NULL,
  shown_at  timestamptz NOT NULL,
  PRIMARY KEY (owner_id, entity, entity_id)
) WITH (fillfactor = 80);
CREATE INDEX last_shown_age ON last_shown USING brin (shown_at);

-- By which name the person knew an app when they approved it. Null: approved before this was kept.
ALTER TABLE authorizations ADD COLUMN app_name text;
