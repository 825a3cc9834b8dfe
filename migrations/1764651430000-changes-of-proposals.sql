-- The events of proposals after a cursor: beside owners with longer logs, the other indexes are read from their beginning.
CREATE INDEX changes_of_proposals ON changes (owner_id, sequence) WHERE entity = 'proposal';
