-- Files: what a raw-file node's content is, and which stored bytes hold it.

-- Stored bytes of one owner, each content once. The id is their key in the store, made for these bytes and never used
-- again: whoever deletes a blob can hit no other. Equal content of two owners is two blobs, for sharing one would tell
-- each of them that the other has it.
CREATE TABLE blobs (
  owner_id   uuid NOT NULL,
  id         uuid NOT NULL,
  sha256     text NOT NULL,
  size_bytes bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, id),
  CONSTRAINT blobs_content UNIQUE (owner_id, sha256)
);
-- The sweep knows keys only.
CREATE INDEX blobs_key ON blobs (id);

-- The only thing that says which bytes a node stands for; what a client writes into metadata says nothing. A deleted
-- node keeps its row, for it can be restored.
CREATE TABLE files (
  owner_id   uuid NOT NULL,
  node_id    uuid NOT NULL,
  blob_id    uuid NOT NULL,
  media_type text NOT NULL,
  PRIMARY KEY (owner_id, node_id),
  FOREIGN KEY (owner_id, node_id) REFERENCES nodes (owner_id, id),
  FOREIGN KEY (owner_id, blob_id) REFERENCES blobs (owner_id, id)
);
CREATE INDEX files_blob ON files (owner_id, blob_id);
