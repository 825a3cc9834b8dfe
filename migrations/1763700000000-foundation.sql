-- The foundation: callers, rules, graph, change log.
-- Every table that belongs to somebody carries owner_id in its primary key, so that the data can be
-- distributed by owner. Ids are UUID v4, made by the application: an id must not tell when its record was made.

CREATE EXTENSION IF NOT EXISTS vector;

-- One counter row per graph owner and per app. `changes` numbers the owner's change log: it is raised by the
-- last statement before COMMIT, so the numbers are contiguous and in commit order. `policy` counts everything
-- a guard's decision depends on; cached decisions carry it and die when it moves.
CREATE TABLE sequences (
  id      uuid PRIMARY KEY,
  changes bigint NOT NULL DEFAULT 0,
  policy  bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);

-- identity -----------------------------------------------------------------------------------------------

CREATE TABLE users (
  id            uuid PRIMARY KEY,
  email         text NOT NULL,
  email_key     text NOT NULL CONSTRAINT users_email_key UNIQUE,
  username      text NOT NULL,
  username_key  text NOT NULL CONSTRAINT users_username_key UNIQUE,
  password_hash text NOT NULL,
  is_public     boolean NOT NULL DEFAULT false,
  tier          text NOT NULL CHECK (tier IN ('free', 'pro', 'enterprise')),
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL
);

-- Refresh tokens of one log-in form a family; reuse of a spent one ends the family (decisions 1.3).
CREATE TABLE refresh_tokens (
  user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  id         uuid NOT NULL,
  family_id  uuid NOT NULL,
  token_hash text NOT NULL CONSTRAINT refresh_tokens_hash UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  spent_at   timestamptz,
  ended_at   timestamptz,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (user_id, family_id);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

CREATE TABLE apps (
  id                    uuid PRIMARY KEY,
  owner_id              uuid NOT NULL REFERENCES users (id),
  name                  text NOT NULL,
  description           text,
  homepage_url          text,
  redirect_uris         text[] NOT NULL DEFAULT '{}',
  client_level          text NOT NULL CHECK (client_level IN ('L1', 'L2')),
  requested_permissions jsonb NOT NULL,
  tier                  text NOT NULL CHECK (tier IN ('free', 'pro', 'enterprise')),
  is_active             boolean NOT NULL DEFAULT true,
  created_at            timestamptz NOT NULL,
  updated_at            timestamptz NOT NULL,
  deleted_at            timestamptz
);
CREATE INDEX apps_owner ON apps (owner_id, created_at, id);

-- app key: authorization_id and user_id null; user key: bound to one authorization (decisions 1.7).
CREATE TABLE api_keys (
  app_id           uuid NOT NULL REFERENCES apps (id),
  id               uuid NOT NULL,
  kind             text NOT NULL CHECK (kind IN ('app', 'user')),
  user_id          uuid,
  authorization_id uuid,
  name             text,
  key_hash         text NOT NULL CONSTRAINT api_keys_hash UNIQUE,
  prefix           text NOT NULL,
  last_four        text NOT NULL,
  created_at       timestamptz NOT NULL,
  expires_at       timestamptz,
  revoked_at       timestamptz,
  PRIMARY KEY (app_id, id),
  CHECK ((kind = 'user') = (authorization_id IS NOT NULL AND user_id IS NOT NULL))
);
CREATE INDEX api_keys_authorization ON api_keys (authorization_id) WHERE authorization_id IS NOT NULL;

-- privacy ------------------------------------------------------------------------------------------------

CREATE TABLE exposure_profiles (
  owner_id            uuid NOT NULL,
  id                  uuid NOT NULL,
  name                text NOT NULL,
  name_key            text NOT NULL,
  description         text,
  is_default          boolean NOT NULL DEFAULT false,
  is_active           boolean NOT NULL DEFAULT true,
  -- the rules: tag_permissions, schema_permissions, tag_filters, tag_expression, … with tag names resolved
  -- to ids where a tag existed when the profile was saved (decisions 3.11)
  rules               jsonb NOT NULL,
  version             integer NOT NULL DEFAULT 1,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  PRIMARY KEY (owner_id, id),
  CONSTRAINT exposure_profiles_name UNIQUE (owner_id, name_key)
);
CREATE UNIQUE INDEX exposure_profiles_default ON exposure_profiles (owner_id) WHERE is_default;

CREATE TABLE authorizations (
  owner_id              uuid NOT NULL,
  id                    uuid NOT NULL,
  app_id                uuid NOT NULL,
  exposure_profile_id   uuid NOT NULL,
  requested_permissions jsonb NOT NULL,
  created_at            timestamptz NOT NULL,
  updated_at            timestamptz NOT NULL,
  expires_at            timestamptz,
  revoked_at            timestamptz,
  version               integer NOT NULL DEFAULT 1,
  PRIMARY KEY (owner_id, id),
  FOREIGN KEY (owner_id, exposure_profile_id) REFERENCES exposure_profiles (owner_id, id)
);
-- One living authorization for a pair; an expired one counts as living until it is renewed or revoked.
CREATE UNIQUE INDEX authorizations_pair ON authorizations (owner_id, app_id) WHERE revoked_at IS NULL;
CREATE INDEX authorizations_app ON authorizations (app_id, created_at, id);
CREATE INDEX authorizations_profile ON authorizations (owner_id, exposure_profile_id);

-- graph --------------------------------------------------------------------------------------------------

-- A deleted tag keeps its row: nodes go on carrying its id, so that exclusions go on holding (decisions 3.11).
CREATE TABLE tags (
  owner_id      uuid NOT NULL,
  id            uuid NOT NULL,
  name          text NOT NULL,
  name_key      text NOT NULL,
  color         text,
  category      text,
  description   text,
  parent_tag_id uuid,
  version       integer NOT NULL DEFAULT 1,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  deleted_at    timestamptz,
  PRIMARY KEY (owner_id, id),
  FOREIGN KEY (owner_id, parent_tag_id) REFERENCES tags (owner_id, id)
);
CREATE UNIQUE INDEX tags_name ON tags (owner_id, name_key) WHERE deleted_at IS NULL;
CREATE INDEX tags_parent ON tags (owner_id, parent_tag_id) WHERE parent_tag_id IS NOT NULL;

-- tag_ids is the truth about a node's tags, in the order they were given; deleted tags' ids stay in it until
-- their owner removes them (rule 3.11b). tag_links keeps what a link carries beside its existence:
-- {<tag id>: {relevance_score, is_auto_generated, created_at}}.
CREATE TABLE nodes (
  owner_id                  uuid NOT NULL,
  id                        uuid NOT NULL,
  title                     text NOT NULL,
  value                     text,
  node_type                 text NOT NULL,
  meaning_level             text NOT NULL CHECK (meaning_level IN ('DATA', 'CONTEXT', 'IDENTITY')),
  graph_view                text NOT NULL CHECK (graph_view IN ('identity', 'neutral')),
  importance_score          double precision,
  metadata                  jsonb,
  agent_metadata            jsonb,
  last_modified_by_agent_id uuid,
  schema_id                 uuid,
  schema_version            integer,
  tag_ids                   uuid[] NOT NULL DEFAULT '{}',
  tag_links                 jsonb NOT NULL DEFAULT '{}',
  version                   integer NOT NULL DEFAULT 1,
  created_at                timestamptz NOT NULL,
  updated_at                timestamptz NOT NULL,
  deleted_at                timestamptz,
  merged_into               uuid,
  PRIMARY KEY (owner_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
-- Lists decide visibility inside this index: everything a Visibility looks at is in it.
CREATE INDEX nodes_recent ON nodes (owner_id, updated_at DESC, id DESC)
  INCLUDE (created_at, tag_ids, schema_id, node_type) WHERE deleted_at IS NULL;
-- Duplicates of a batch (specification, Batch rules 1).
CREATE INDEX nodes_duplicate ON nodes (owner_id, graph_view, md5(title)) WHERE deleted_at IS NULL;
-- What an importer has brought; hashed, because the value is the caller's and an index row is short.
CREATE INDEX nodes_import_source ON nodes (owner_id, md5(metadata #>> '{source,importer}'))
  WHERE metadata #>> '{source,importer}' IS NOT NULL;

CREATE TABLE relationships (
  owner_id          uuid NOT NULL,
  id                uuid NOT NULL,
  from_node_id      uuid NOT NULL,
  to_node_id        uuid NOT NULL,
  relationship_type text NOT NULL,
  strength          double precision,
  confidence        double precision,
  context           text,
  bidirectional     boolean NOT NULL DEFAULT false,
  graph_view        text NOT NULL CHECK (graph_view IN ('identity', 'neutral')),
  emotion_type      text,
  sentiment_score   double precision,
  version           integer NOT NULL DEFAULT 1,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  deleted_at        timestamptz,
  PRIMARY KEY (owner_id, id),
  FOREIGN KEY (owner_id, from_node_id) REFERENCES nodes (owner_id, id),
  FOREIGN KEY (owner_id, to_node_id) REFERENCES nodes (owner_id, id)
);
CREATE INDEX relationships_from ON relationships (owner_id, from_node_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX relationships_to ON relationships (owner_id, to_node_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX relationships_recent ON relationships (owner_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- what happened ------------------------------------------------------------------------------------------

-- One row per change, written in the transaction that made it. History, time travel, sync, contributions and
-- webhooks read it; nothing else is written for them. The fact columns are what a Visibility looks at.
CREATE TABLE changes (
  owner_id            uuid NOT NULL,
  sequence            bigint NOT NULL,
  entity              text NOT NULL,
  entity_id           uuid NOT NULL,
  action              text NOT NULL,
  version             integer NOT NULL,
  changed_fields      jsonb,
  snapshot            jsonb,
  tag_ids             uuid[],
  schema_id           uuid,
  node_type           text,
  node_created_at     timestamptz,
  changed_by_type     text NOT NULL CHECK (changed_by_type IN ('user', 'agent', 'app', 'system')),
  changed_by_user_id  uuid,
  changed_by_app_id   uuid,
  changed_by_agent_id uuid,
  proposal_id         uuid,
  reason              text,
  changed_at          timestamptz NOT NULL,
  PRIMARY KEY (owner_id, sequence)
);
CREATE INDEX changes_entity ON changes (owner_id, entity_id, sequence DESC);

-- A 2xx answer to a POST with Idempotency-Key, saved with its effect (decisions 11).
CREATE TABLE idempotency_keys (
  owner_id     uuid NOT NULL,
  caller       text NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  status       integer NOT NULL,
  body         jsonb,
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (owner_id, caller, key)
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
