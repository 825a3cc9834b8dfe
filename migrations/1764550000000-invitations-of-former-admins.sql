-- An invitation ends with its maker's role of an admin. Those that outlived it are cancelled here, once.
UPDATE group_invitations AS i SET status = 'cancelled', responded_at = now()
WHERE i.status = 'pending' AND NOT EXISTS (
  SELECT FROM group_members AS m WHERE m.owner_id = i.owner_id AND m.user_id = i.invited_by AND m.role = 'admin'
);
