-- What others do to an account while an archive is imported into it (ADR 70). They raise its policy and change its
-- amounts; only its log is closed.
DROP TRIGGER sequences_filling ON sequences;
CREATE TRIGGER sequences_filling BEFORE UPDATE ON sequences FOR EACH ROW
  WHEN (OLD.is_filling AND NEW.is_filling AND (OLD.changes <> NEW.changes OR OLD.is_closed <> NEW.is_closed))
  EXECUTE FUNCTION sequences_wait_for_import();

-- An import on a server is one transaction, which locks the row only at its end. Its mark is committed before, and counts
-- as long as the transaction holds this lock: a process that dies leaves no closed log.
ALTER TABLE sequences ADD COLUMN is_importing boolean NOT NULL DEFAULT false;
CREATE FUNCTION is_import_under_way(owner uuid) RETURNS boolean LANGUAGE sql AS $$
  SELECT NOT pg_try_advisory_xact_lock_shared(hashtextextended('import into ' || owner::text, 0))
$$;

CREATE FUNCTION sequences_wait_for_live_import() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_import_under_way(NEW.id) THEN
    RAISE EXCEPTION 'an archive is being imported into this graph' USING ERRCODE = '55P03';
  END IF;
  NEW.is_importing := false;
  RETURN NEW;
END $$;
CREATE TRIGGER sequences_importing BEFORE UPDATE ON sequences FOR EACH ROW
  WHEN (OLD.is_importing AND NEW.is_importing AND OLD.changes <> NEW.changes)
  EXECUTE FUNCTION sequences_wait_for_live_import();
