-- The profiles of former members count as used: an invitation takes up the last one.
CREATE INDEX changes_of_former_members ON changes (owner_id, entity_id, sequence DESC)
  WHERE entity = 'group_member' AND action = 'deleted';
