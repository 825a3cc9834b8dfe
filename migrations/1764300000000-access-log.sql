-- Which app, or which other person, read or changed what of an owner's graph. Written behind the answers, many at once;
-- kept for 90 days. Ids, routes and numbers only: nothing of what the graph says. What is answered alike within one batch
-- is one row. The key is also the order in which it is read.
CREATE TABLE access_log (
  owner_id   uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- the last of its requests
  at         timestamptz NOT NULL,
  id         uuid NOT NULL,
  -- the first of them
  since      timestamptz NOT NULL,
  by_type    text NOT NULL CHECK (by_type IN ('app', 'user')),
  -- an app of the owner's; which apps other people use is not the owner's to know
  app_id     uuid,
  -- another person, whom the owner is told of only if he knows that person
  reader_id  uuid,
  action     text NOT NULL CHECK (action IN ('read', 'create', 'update', 'delete')),
  endpoint   text NOT NULL,
  status     smallint NOT NULL,
  requests   integer NOT NULL,
  node_count integer NOT NULL,
  -- at most 1,000 of them
  node_ids   uuid[] NOT NULL,
  PRIMARY KEY (owner_id, at, id),
  CHECK (app_id IS NULL OR reader_id IS NULL)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);
CREATE INDEX access_log_age ON access_log USING brin (at);
