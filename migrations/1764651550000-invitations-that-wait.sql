-- A user's invitations that wait for an answer are counted and listed in pages, beside any number that have ended.
CREATE INDEX group_invitations_waiting ON group_invitations (invited_user_id, created_at DESC, id DESC) WHERE status = 'pending';
