-- Imports by name, and what their source said last. The service's nodes alone do not tell what of them came from the
-- source, what an option of the command added and what a person did: the next import must take off the first only.

CREATE TABLE imports (
  owner_id   uuid NOT NULL,
  id         uuid NOT NULL,
  name       text NOT NULL,
  -- What the marks of its nodes are made of. The name at first; another one where an import of that name was undone.
  collection text NOT NULL,
  importer   text NOT NULL,
  -- A hash of the folder that it was read from last. Null: not known here.
  place      text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  undone_at  timestamptz,
  PRIMARY KEY (owner_id, id)
);
CREATE UNIQUE INDEX imports_name ON imports (owner_id, name) WHERE undone_at IS NULL;

CREATE TABLE imported_nodes (
  owner_id uuid NOT NULL,
  node_id  uuid NOT NULL,
  -- Hashes of what the source said, ids of the tags that it gave, and of those that an option added.
  source   jsonb NOT NULL,
  PRIMARY KEY (owner_id, node_id),
  FOREIGN KEY (owner_id, node_id) REFERENCES nodes (owner_id, id)
);
