-- Webhooks. The change log is the outbox: a subscription remembers up to which number it has been read, and what
-- follows from it is written as deliveries together with that position.

-- One for each user and app (decisions 9.1), with two sets of events: those of POST /webhooks/subscribe and those of
-- POST /proposals/subscribe. Secrets are sealed with the service's key.
CREATE TABLE webhook_subscriptions (
  owner_id             uuid NOT NULL,
  id                   uuid NOT NULL,
  app_id               uuid NOT NULL,
  -- made by the user in person: only then shares are told of
  is_users             boolean NOT NULL,
  webhook_url          text,
  events               text[] NOT NULL DEFAULT '{}',
  proposals_url        text,
  proposal_events      text[] NOT NULL DEFAULT '{}',
  secret               text NOT NULL,
  previous_secret      text,
  previous_until       timestamptz,
  status               text NOT NULL CHECK (status IN ('active', 'disabled')),
  disabled_reason      text,
  consecutive_failures integer NOT NULL DEFAULT 0,
  last_delivery_at     timestamptz,
  -- every change of the owner up to this number has been looked at
  position             bigint NOT NULL,
  -- when the next delivery is due; null: none waits
  due_at               timestamptz,
  -- one worker at a time; a worker that died is replaced when its lease is over
  leased_until         timestamptz,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  PRIMARY KEY (owner_id, id),
  CONSTRAINT webhook_subscriptions_pair UNIQUE (owner_id, app_id)
) WITH (fillfactor = 70);
CREATE INDEX webhook_subscriptions_due ON webhook_subscriptions (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE webhook_deliveries (
  owner_id        uuid NOT NULL,
  id              uuid NOT NULL,
  subscription_id uuid NOT NULL,
  -- which of the subscription's two addresses
  target          text NOT NULL CHECK (target IN ('webhook', 'proposals')),
  -- the change it tells of; null: a test
  sequence        bigint,
  event           text NOT NULL,
  entity_id       uuid,
  status          text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  attempts        integer NOT NULL DEFAULT 0,
  -- of the present round: a redelivery begins a new one
  round_attempts  integer NOT NULL DEFAULT 0,
  response_status integer,
  next_attempt_at timestamptz,
  created_at      timestamptz NOT NULL,
  delivered_at    timestamptz,
  PRIMARY KEY (owner_id, id),
  FOREIGN KEY (owner_id, subscription_id) REFERENCES webhook_subscriptions (owner_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (owner_id, subscription_id, next_attempt_at, sequence)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_recent ON webhook_deliveries (owner_id, subscription_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

-- Which nodes a receiver has been told of, and not been told that they are gone (decisions 9.4).
CREATE TABLE webhook_told_nodes (
  owner_id        uuid NOT NULL,
  subscription_id uuid NOT NULL,
  node_id         uuid NOT NULL,
  PRIMARY KEY (owner_id, subscription_id, node_id),
  FOREIGN KEY (owner_id, subscription_id) REFERENCES webhook_subscriptions (owner_id, id) ON DELETE CASCADE
);

-- usage metrics: counted behind the answers, kept by the hour -----------------------------------------------

CREATE TABLE app_usage (
  app_id       uuid NOT NULL,
  hour         timestamptz NOT NULL,
  endpoint     text NOT NULL,
  status_class smallint NOT NULL,
  requests     bigint NOT NULL,
  milliseconds double precision NOT NULL,
  PRIMARY KEY (app_id, hour, endpoint, status_class)
) WITH (fillfactor = 70);
