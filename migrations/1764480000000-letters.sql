-- An account's address counts as its owner's once a link that was sent there came back.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz;

-- Letters to people: written in the transaction of what they are about, sent by a worker. `sealed` is encrypted: first
-- what the letter is about, then (is_written) the letter itself. due_at: when a worker may take it, moved ahead by the
-- one that does; null when it was given up. user_id is null while nobody has looked whose address was named.
CREATE TABLE letters (
  id         uuid PRIMARY KEY,
  user_id    uuid REFERENCES users (id) ON DELETE CASCADE,
  kind       text NOT NULL,
  sealed     text NOT NULL,
  is_written boolean NOT NULL DEFAULT false,
  attempts   integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  due_at     timestamptz,
  expires_at timestamptz NOT NULL
);
CREATE INDEX letters_due ON letters (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX letters_of_user ON letters (user_id);
CREATE INDEX letters_expiry ON letters (expires_at);

-- What the links in letters are good for. Only a hash of each is stored; a row goes when its link is used.
CREATE TABLE mail_tokens (
  user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  id         uuid NOT NULL,
  purpose    text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  email      text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX mail_tokens_expiry ON mail_tokens (expires_at);
