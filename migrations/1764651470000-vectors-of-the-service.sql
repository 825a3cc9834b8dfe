-- Vectors that the service computes where the operator has set a service for it and the owner has switched it on (rule 4.19).

-- The SHA-256 of the text that a vector of the service was computed from; NULL: a caller's vector.
ALTER TABLE embeddings ADD COLUMN made_of bytea;
CREATE INDEX embeddings_made ON embeddings (owner_id, node_id) WHERE made_of IS NOT NULL;

-- The text of a node that is sent: title and value, cut.
CREATE FUNCTION embedded_text(title text, value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN left(title || coalesce(E'\n\n' || nullif(value, ''), ''), 8000);
CREATE FUNCTION embedded_hash(title text, value text) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
  RETURN sha256(convert_to(embedded_text(title, value), 'UTF8'));

-- One row for each owner who has switched it on, and until all vectors of the service are removed after it was switched off.
CREATE TABLE embedding_settings (
  owner_id     uuid NOT NULL PRIMARY KEY,
  -- the text of nodes that this profile does not show in full is never sent; NULL: switched off
  profile_id   uuid,
  -- the name of the rules by which the vectors of the service were looked through last
  rules        text NOT NULL,
  model        text NOT NULL,
  -- each change up to this number was looked at for vectors to remove, and for texts to send
  checked      bigint NOT NULL,
  position     bigint NOT NULL,
  -- the nodes that exist are looked through in the order of their ids; NULL: all were
  scanned_to   uuid,
  failures     integer NOT NULL DEFAULT 0,
  -- the time of the next request; NULL: now
  due_at       timestamptz,
  -- one worker at a time; a worker that died is replaced when its lease is over
  leased_until timestamptz,
  served_at    timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL
) WITH (fillfactor = 70);

-- Owners with changes that were not looked at yet, as webhook_news is for subscriptions.
CREATE TABLE embedding_news (
  owner_id   uuid NOT NULL PRIMARY KEY,
  changed_at timestamptz NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
