-- Passkeys of people: the public half of a key whose private half never leaves their device. `counter` is that of the last
-- answer; an older one shows a copy, and `regressed_at` remembers when. A credential belongs to one account only.
CREATE TABLE passkeys (
  user_id       uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  id            uuid NOT NULL,
  credential_id text NOT NULL UNIQUE,
  public_key    text NOT NULL,
  counter       bigint NOT NULL,
  transports    text[] NOT NULL,
  name          text NOT NULL,
  created_at    timestamptz NOT NULL,
  last_used_at  timestamptz,
  regressed_at  timestamptz,
  PRIMARY KEY (user_id, id)
);

-- A log-in by passkey begins before anybody has said who they are.
ALTER TABLE challenges
  ALTER COLUMN user_id DROP NOT NULL,
  ALTER COLUMN generation DROP NOT NULL,
  ADD CHECK ((user_id IS NULL) = (generation IS NULL));
CREATE INDEX challenges_counted ON challenges (counted_as, purpose);
CREATE INDEX challenges_of_nobody ON challenges (expires_at) WHERE user_id IS NULL;
