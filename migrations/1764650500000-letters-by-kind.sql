-- Workers take letters kind by kind (rule 1.18f): a flood of one kind must not be scanned to find the others.
CREATE INDEX letters_due_by_kind ON letters (kind, due_at) WHERE due_at IS NOT NULL;
DROP INDEX letters_due;

-- Challenges before a log-in are stored when they are answered, until they expire; nothing counts them any more.
DELETE FROM challenges WHERE user_id IS NULL;
