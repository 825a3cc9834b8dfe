-- Tickets that open one stream of changes each (rule 7.14). The credential is sealed under the ticket, which is not stored.
CREATE TABLE stream_tickets (
  owner_id   uuid NOT NULL,
  digest     text NOT NULL UNIQUE,
  sealed     text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, digest)
);
CREATE INDEX stream_tickets_expiry ON stream_tickets (expires_at);
