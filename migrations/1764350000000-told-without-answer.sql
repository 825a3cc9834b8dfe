-- A receiver may have a node without ever having answered: it is told when the node leaves its view, but counts as one that
-- does not have it where the node comes into view.
ALTER TABLE webhook_told_nodes ADD COLUMN is_answered boolean NOT NULL DEFAULT true;
