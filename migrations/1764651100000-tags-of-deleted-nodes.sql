-- A node that was deleted with its last tag keeps that tag, so that it is restored masked and hidden as it was
-- (rule 4.5c). The log has the tags of earlier ones: a deletion carries the last living state.
UPDATE nodes AS n SET tag_ids = o.tag_ids
FROM nodes AS d CROSS JOIN LATERAL (
  SELECT c.action, c.tag_ids FROM changes AS c
  WHERE c.owner_id = d.owner_id AND c.entity_id = d.id AND c.entity = 'node' ORDER BY c.sequence DESC LIMIT 1) AS o
WHERE d.deleted_at IS NOT NULL AND o.action = 'deleted' AND o.tag_ids <> d.tag_ids
  AND n.owner_id = d.owner_id AND n.id = d.id;
