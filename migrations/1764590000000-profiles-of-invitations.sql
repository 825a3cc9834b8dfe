-- The profile by which the invited person will be a member. It may be deleted meanwhile: then nobody joins by it.
ALTER TABLE group_invitations ADD COLUMN exposure_profile_id uuid;

-- Former members come back with their former profile, not without any.
UPDATE group_invitations AS i SET exposure_profile_id = (
  SELECT (c.snapshot ->> 'exposure_profile_id')::uuid FROM changes AS c
  WHERE c.owner_id = i.owner_id AND c.entity_id = i.invited_user_id AND c.entity = 'group_member' AND c.action = 'deleted'
  ORDER BY c.sequence DESC LIMIT 1
)
WHERE i.status = 'pending';
