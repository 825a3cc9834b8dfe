-- Synchronization visits relationships in the order of their creation: beside many nodes the log would be read from its beginning.
CREATE INDEX changes_of_relationships ON changes (owner_id, sequence) WHERE entity = 'relationship';
