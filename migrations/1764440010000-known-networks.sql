-- Networks from which a person logged in: strangers' failures elsewhere do not make a log-in from there wait. A keyed
-- digest for each account, so that the table says nothing by itself.
CREATE TABLE known_networks (
  user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest       text NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, digest)
);
CREATE INDEX known_networks_seen ON known_networks (last_seen_at);
