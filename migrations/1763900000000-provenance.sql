-- What happened, told by who did it: contributions and sessions (decisions 7.3, 7.4), and a change log whose times
-- stand in the order of its numbers.

-- The time of an owner's newest change. Writers take their own time before they wait for the counter; the counter
-- never lets it fall behind the one before, so that "as of T" and "up to sequence n" are the same question.
ALTER TABLE sequences ADD COLUMN changed_at timestamptz;
UPDATE sequences AS s SET changed_at = (SELECT max(c.changed_at) FROM changes AS c WHERE c.owner_id = s.id);

-- An agent's pass over some material. `key` is the hash of what a write calls it: the maker's app and its word.
CREATE TABLE sessions (
  owner_id     uuid NOT NULL,
  id           uuid NOT NULL,
  key          text NOT NULL,
  app_id       uuid,
  external_id  text,
  agent_id     uuid,
  agent_name   text,
  status       text NOT NULL CHECK (status IN ('created', 'processing', 'completed', 'failed')),
  error        text,
  created_at   timestamptz NOT NULL,
  started_at   timestamptz,
  completed_at timestamptz,
  PRIMARY KEY (owner_id, id),
  CONSTRAINT sessions_key UNIQUE (owner_id, key)
);
CREATE INDEX sessions_recent ON sessions (owner_id, created_at DESC, id DESC);

-- What one change contributed to a node: one row for each change, with the paths it wrote. `standing` are those that
-- have the row's status, `superseded` those that a newer write has replaced; values are in the change's snapshot. The
-- facts a Visibility looks at are repeated, so that counting does not read the wide change rows.
CREATE TABLE contributions (
  owner_id         uuid NOT NULL,
  node_id          uuid NOT NULL,
  sequence         bigint NOT NULL,
  version          integer NOT NULL,
  contributor_type text NOT NULL CHECK (contributor_type IN ('user', 'agent', 'app', 'system')),
  contributor_id   uuid,
  status           text NOT NULL CHECK (status IN ('active', 'rejected', 'merged')),
  standing         text[] NOT NULL,
  superseded       text[] NOT NULL,
  confidence       double precision,
  -- Whether the change's snapshot says what the contributing agent calls itself.
  is_named         boolean NOT NULL,
  -- No foreign key: checking it would lock the session's row anew with each write, at the price of a write. Sessions stay.
  session_id       uuid,
  tag_ids          uuid[] NOT NULL,
  schema_id        uuid,
  node_type        text NOT NULL,
  node_created_at  timestamptz NOT NULL,
  contributed_at   timestamptz NOT NULL,
  PRIMARY KEY (owner_id, node_id, sequence)
) WITH (fillfactor = 90);
CREATE INDEX contributions_agent ON contributions (owner_id, contributor_id, sequence DESC) WHERE contributor_type = 'agent';
CREATE INDEX contributions_session ON contributions (owner_id, session_id) WHERE session_id IS NOT NULL;
