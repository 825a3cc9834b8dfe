-- Duplicates of a batch (specification, Batch rules 1) are found by title and value together, the oldest first: a
-- look-up reads one row, however many nodes have the title. The digest separates title and value, so that no other
-- pair of them has the same text, and as a uuid it is half as long.
CREATE INDEX nodes_duplicate_digest
  ON nodes (owner_id, (md5(graph_view || md5(title) || coalesce('=' || value, ''))::uuid), created_at, id)
  WHERE deleted_at IS NULL;
DROP INDEX nodes_duplicate;
