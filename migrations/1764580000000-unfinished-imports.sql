-- An archive that is brought in by several transactions, so that others have the database in between: until the last of
-- them nobody else writes to this log, and a process that starts takes back what one before it has left half done.
ALTER TABLE sequences ADD COLUMN is_filling boolean NOT NULL DEFAULT false;
CREATE INDEX sequences_filling ON sequences (id) WHERE is_filling;

-- With the code of a lock that is not to be had: the same write may be tried again.
CREATE FUNCTION sequences_wait_for_import() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an archive is being imported into this graph' USING ERRCODE = '55P03';
END $$;
CREATE TRIGGER sequences_filling BEFORE UPDATE ON sequences FOR EACH ROW
  WHEN (OLD.is_filling AND NEW.is_filling) EXECUTE FUNCTION sequences_wait_for_import();
