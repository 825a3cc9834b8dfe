-- What was contributed to a node that was merged into another one goes with it, and comes back when it is restored.

-- `came_from`: the nodes whose contribution it was before, the first one first; the version and the facts are of that
-- first one. `was_active`: it stood there as active. A merge gives `merged`, which is final until the node is back.
ALTER TABLE contributions
  ADD COLUMN came_from  uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN was_active boolean NOT NULL DEFAULT false;
CREATE INDEX contributions_came_from ON contributions USING gin (came_from) WHERE came_from <> '{}';
