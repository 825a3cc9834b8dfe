-- Who shares with a user, found in the index alone: each request of somebody with a thousand givers asks for it, to
-- see whether one of them has moved.
CREATE INDEX shares_givers ON shares (shared_with_user_id, graph_owner_id) WHERE revoked_at IS NULL;
