-- The newest changes of nodes are found without passing over those of relationships, tags and rules.
CREATE INDEX changes_of_nodes ON changes (owner_id, sequence) WHERE entity = 'node';
