-- Proposals: changes that apps suggest, and that their user reviews (decisions 8).

-- `prepared` and `approved_actions` never leave the service: what the app's words mean for the nodes as they were
-- shown to it, and which actions the user has approved (null: all). `version` counts every step, `revision` only
-- changes of what is proposed.
CREATE TABLE proposals (
  owner_id           uuid NOT NULL,
  id                 uuid NOT NULL,
  app_id             uuid NOT NULL,
  title              text NOT NULL,
  description        text,
  type               text NOT NULL,
  status             text NOT NULL CHECK (status IN ('PENDING', 'READY_FOR_APPROVAL', 'APPROVED', 'REJECTED', 'APPLIED', 'FAILED')),
  graph_view         text NOT NULL CHECK (graph_view IN ('identity', 'neutral')),
  raw_data           jsonb,
  canonical_data     jsonb,
  tags               jsonb NOT NULL,
  entity_tags        jsonb,
  reasoning_metadata jsonb,
  actions            jsonb NOT NULL,
  prepared           jsonb NOT NULL,
  approved_actions   jsonb,
  revision           integer NOT NULL DEFAULT 1,
  version            integer NOT NULL DEFAULT 1,
  message            text,
  rejection_reason   text,
  result             jsonb,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  reviewed_at        timestamptz,
  applied_at         timestamptz,
  reverted_at        timestamptz,
  PRIMARY KEY (owner_id, id)
);
CREATE INDEX proposals_recent ON proposals (owner_id, created_at DESC, id DESC);
CREATE INDEX proposals_of_app ON proposals (owner_id, app_id, created_at DESC, id DESC);

-- The events of one app's proposals, polled in the order in which they happened (decisions 8.8).
CREATE INDEX changes_proposal_events ON changes (owner_id, (snapshot ->> 'app_id'), sequence) WHERE entity = 'proposal';
-- What one proposal has done to the graph, for undoing it.
CREATE INDEX changes_of_proposal ON changes (owner_id, proposal_id, sequence) WHERE proposal_id IS NOT NULL;
