-- The authenticator app of a person, its secret sealed with the service's own key. Until it is confirmed with a code it
-- counts for nothing. `last_step` is the last time step whose code was accepted: neither that one nor an earlier one is
-- accepted again.
CREATE TABLE totp_factors (
  user_id      uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret       text NOT NULL,
  begun_at     timestamptz NOT NULL,
  confirmed_at timestamptz,
  last_step    integer
);

-- Recovery codes that were not used yet, as keyed digests.
CREATE TABLE recovery_codes (
  user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest     text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, digest)
);

-- What a person has begun and must finish within minutes, found by the hash of an opaque text. `generation` is the
-- account's: a new password or a log-out everywhere voids the challenge.
CREATE TABLE challenges (
  digest     text PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose    text NOT NULL,
  log_in_id  uuid,
  generation integer NOT NULL,
  counted_as text NOT NULL,
  tries      integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
CREATE INDEX challenges_user ON challenges (user_id);
CREATE INDEX challenges_expiry ON challenges (expires_at);
