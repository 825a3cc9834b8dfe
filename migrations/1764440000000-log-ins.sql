-- One row for each log-in: what its refresh tokens (the family) and access tokens share. It ends once, and with it all
-- of them; access tokens name it and the account's generation, which a new password raises.
ALTER TABLE users ADD COLUMN token_generation integer NOT NULL DEFAULT 0;

CREATE TABLE log_ins (
  user_id          uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  id               uuid NOT NULL,
  created_at       timestamptz NOT NULL,
  last_used_at     timestamptz NOT NULL,
  authenticated_at timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  ended_at         timestamptz,
  user_agent       text,
  network          text,
  generation       integer NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX log_ins_expiry ON log_ins (expires_at);
CREATE INDEX log_ins_ended ON log_ins (user_id, ended_at) WHERE ended_at IS NOT NULL;

INSERT INTO log_ins (user_id, id, created_at, last_used_at, authenticated_at, expires_at, ended_at)
SELECT user_id, family_id, min(created_at), max(created_at), min(created_at), min(created_at) + interval '90 days',
  max(ended_at)
FROM refresh_tokens GROUP BY user_id, family_id;
