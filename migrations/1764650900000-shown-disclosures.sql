-- What a diff said of its disclosures, as a digest, is a state of its own: reading the proposal again does not replace it.
ALTER TABLE last_shown DROP CONSTRAINT last_shown_entity_check;
ALTER TABLE last_shown ADD CONSTRAINT last_shown_entity_check
  CHECK (entity IN ('app', 'proposal', 'disclosures')) NOT VALID;
