-- OAuth 2.1. A token is a pointer: what it opens is its authorization, which stays the only store of consent (rules 14).

-- Clients that register themselves, or by a document on the web, have no developer here: their owner is the id of nobody.
ALTER TABLE apps ADD COLUMN kind text NOT NULL DEFAULT 'registered' CHECK (kind IN ('registered', 'document', 'dynamic'));
-- The address of a client's metadata document, which is its client_id.
ALTER TABLE apps ADD COLUMN document_url text CONSTRAINT apps_document UNIQUE;
CREATE INDEX apps_unowned ON apps (created_at) WHERE kind <> 'registered' AND deleted_at IS NULL;

ALTER TABLE authorizations ADD COLUMN purpose text;
-- True if the person chose among what the app requests.
ALTER TABLE authorizations ADD COLUMN is_chosen boolean NOT NULL DEFAULT false;

-- One connection of an app for a person, on one device: the tokens of a code and all that follow by refreshes.
CREATE TABLE app_sessions (
  owner_id         uuid NOT NULL,
  id               uuid NOT NULL,
  app_id           uuid NOT NULL,
  authorization_id uuid NOT NULL,
  device           text,
  scopes           text[] NOT NULL,
  audience         text NOT NULL CHECK (audience IN ('all', 'api', 'mcp')),
  is_confidential  boolean NOT NULL,
  created_at       timestamptz NOT NULL,
  last_used_at     timestamptz NOT NULL,
  ended_at         timestamptz,
  end_reason       text,
  PRIMARY KEY (owner_id, id)
);
CREATE INDEX app_sessions_authorization ON app_sessions (owner_id, authorization_id, created_at);
CREATE INDEX app_sessions_app ON app_sessions (app_id);
CREATE INDEX app_sessions_ended ON app_sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX app_sessions_used ON app_sessions (last_used_at);

CREATE TABLE app_tokens (
  owner_id   uuid NOT NULL,
  digest     text NOT NULL CONSTRAINT app_tokens_digest UNIQUE,
  session_id uuid NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('access', 'refresh')),
  scopes     text[] NOT NULL,
  audience   text NOT NULL CHECK (audience IN ('all', 'api', 'mcp')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  spent_at   timestamptz,
  PRIMARY KEY (owner_id, digest),
  FOREIGN KEY (owner_id, session_id) REFERENCES app_sessions (owner_id, id) ON DELETE CASCADE
);
CREATE INDEX app_tokens_session ON app_tokens (owner_id, session_id, created_at);
CREATE INDEX app_tokens_expiry ON app_tokens (expires_at);

-- Codes that a client exchanges for its first tokens. A used one stays until it expires: its second use ends the session.
CREATE TABLE oauth_codes (
  owner_id         uuid NOT NULL,
  digest           text NOT NULL CONSTRAINT oauth_codes_digest UNIQUE,
  app_id           uuid NOT NULL,
  authorization_id uuid NOT NULL,
  redirect_uri     text NOT NULL,
  challenge        text NOT NULL,
  scopes           text[] NOT NULL,
  audience         text NOT NULL,
  details          jsonb,
  expires_at       timestamptz NOT NULL,
  session_id       uuid,
  PRIMARY KEY (owner_id, digest)
);
CREATE INDEX oauth_codes_expiry ON oauth_codes (expires_at);

-- Devices without a browser (RFC 8628): the client asks with the device code until the person has entered the user code.
CREATE TABLE oauth_devices (
  digest           text PRIMARY KEY,
  user_code        text NOT NULL CONSTRAINT oauth_devices_user_code UNIQUE,
  app_id           uuid NOT NULL,
  request          jsonb NOT NULL,
  status           text NOT NULL CHECK (status IN ('pending', 'allowed', 'denied')),
  allowed_by       uuid,
  authorization_id uuid,
  scopes           text[],
  details          jsonb,
  interval_seconds integer NOT NULL,
  asked_at         timestamptz,
  expires_at       timestamptz NOT NULL
);
CREATE INDEX oauth_devices_expiry ON oauth_devices (expires_at);
