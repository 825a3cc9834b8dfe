-- Workers look for what is new without looking at every subscription: an owner whose changes somebody follows has a row
-- here from the commit of a change until all subscriptions have read it.

-- Set, behind the counter's own row lock, before the first subscription begins: no writer can miss it.
ALTER TABLE sequences ADD COLUMN is_followed boolean NOT NULL DEFAULT false;

CREATE TABLE webhook_news (
  owner_id   uuid NOT NULL PRIMARY KEY,
  changed_at timestamptz NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);

CREATE INDEX webhook_subscriptions_leased ON webhook_subscriptions (leased_until) WHERE leased_until IS NOT NULL;

INSERT INTO sequences AS s (id, changes, policy, is_followed)
  SELECT DISTINCT owner_id, 0, 0, true FROM webhook_subscriptions
  ON CONFLICT (id) DO UPDATE SET is_followed = true;
INSERT INTO webhook_news (owner_id, changed_at) SELECT DISTINCT owner_id, now() FROM webhook_subscriptions;

-- Which process did an hour's work: the others leave it to that one.
CREATE TABLE sweeps (
  name     text PRIMARY KEY,
  taken_at timestamptz NOT NULL
);
