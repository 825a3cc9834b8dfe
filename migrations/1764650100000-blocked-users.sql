-- The people from whom a person receives nothing (rule 10.7i). Rows end with either account.
CREATE TABLE blocked_users (
  owner_id   uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, user_id),
  CHECK (owner_id <> user_id)
);
CREATE INDEX blocked_users_user ON blocked_users (user_id);
