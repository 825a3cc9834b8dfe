-- A digest of what the approved part of a proposal shows to apps; null: nothing (rule 8.10d).
ALTER TABLE proposals ADD COLUMN disclosed text;
