-- Ends of shares that the logs of the people below them do not have yet, because they are too many for one transaction
-- (rule 10.8g). `before` holds the terms that the share had, `author` the actor and the reason of the change, `after` the
-- last re-share whose people have it.
CREATE TABLE share_ends (
  owner_id  uuid NOT NULL,
  share_id  uuid NOT NULL,
  id        uuid NOT NULL,
  before    jsonb NOT NULL,
  author    jsonb NOT NULL,
  after     uuid,
  noted_at  timestamptz NOT NULL,
  PRIMARY KEY (owner_id, share_id),
  FOREIGN KEY (owner_id, share_id) REFERENCES shares (owner_id, id) ON DELETE CASCADE
);

-- The account with whose erasure a share ends. The row is deleted as soon as the logs of the others have the end.
ALTER TABLE shares ADD COLUMN ends_with uuid, ADD COLUMN is_end_in_logs boolean NOT NULL DEFAULT true;
CREATE INDEX shares_ends_with ON shares (ends_with) WHERE ends_with IS NOT NULL;
