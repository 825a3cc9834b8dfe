-- Taking one's data along, and going for good.

-- An owner who is gone: nothing is written to that log any more. Every write of a graph raises its owner's counter
-- last, so whatever was under way when the account was erased fails as a whole.
ALTER TABLE sequences ADD COLUMN is_closed boolean NOT NULL DEFAULT false;
CREATE FUNCTION sequences_stay_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the owner of this log is gone' USING ERRCODE = '55000', CONSTRAINT = 'sequences_closed';
END $$;
CREATE TRIGGER sequences_closed BEFORE UPDATE ON sequences FOR EACH ROW
  WHEN (OLD.is_closed) EXECUTE FUNCTION sequences_stay_closed();

-- An erased developer's apps keep an empty row, because others' authorizations name them.
ALTER TABLE apps DROP CONSTRAINT apps_owner_id_fkey;

-- Whose rows have to go: the erased user's, and those of groups that only this user was in. Written with the end of
-- the account, so that an erasure that is cut off goes on.
CREATE TABLE erasures (
  owner_id uuid PRIMARY KEY,
  begun_at timestamptz NOT NULL
);

-- Ids and URIs of schemas are unique over all owners. Where an imported one was taken here, it got another, and goes
-- out again under the one it came with.
CREATE TABLE carried_names (
  owner_id   uuid NOT NULL,
  name       text NOT NULL,
  carried_as text NOT NULL,
  PRIMARY KEY (owner_id, name)
);
