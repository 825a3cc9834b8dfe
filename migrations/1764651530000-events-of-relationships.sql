-- The place reached within a change of a node with many relationships, each of which may become an event.
ALTER TABLE webhook_subscriptions ADD COLUMN expansion jsonb;

-- The relationships that a node had at an earlier change: deleted ones, and those that a merge has moved to another node.
CREATE INDEX relationships_gone_from ON relationships (owner_id, from_node_id, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX relationships_gone_to ON relationships (owner_id, to_node_id, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX changes_of_moved_from ON changes (owner_id, (changed_fields -> 'from_node_id' ->> 'old'), sequence)
  WHERE entity = 'relationship' AND changed_fields ? 'from_node_id';
CREATE INDEX changes_of_moved_to ON changes (owner_id, (changed_fields -> 'to_node_id' ->> 'old'), sequence)
  WHERE entity = 'relationship' AND changed_fields ? 'to_node_id';

-- What a receiver may have of relationships is stored beside nodes: no two have one id.
COMMENT ON COLUMN webhook_told_nodes.node_id IS 'of a node or a relationship';
