-- Schemas and their versions (decisions 5). A schema belongs to a person, or to the system (the owner that is no user);
-- others may see it, so ids and URIs are unique over all owners. A deleted one keeps its row and its URI: nodes and
-- other schemas go on referring to it. json, not jsonb: authors find the order of their properties again.

CREATE TABLE schemas (
  owner_id                  uuid NOT NULL,
  id                        uuid NOT NULL CONSTRAINT schemas_id UNIQUE,
  schema_uri                text NOT NULL CONSTRAINT schemas_uri UNIQUE,
  created_by_app_id         uuid,
  name                      text NOT NULL,
  description               text,
  category                  text,
  recommended_node_type     text,
  recommended_meaning_level text CHECK (recommended_meaning_level IN ('DATA', 'CONTEXT', 'IDENTITY')),
  scope                     text NOT NULL CHECK (scope IN ('public', 'private')),
  private_to                text CHECK (private_to IN ('user', 'app')),
  extends                   uuid,
  recommended_by_developer  boolean NOT NULL DEFAULT false,
  schema_metadata           json,
  json_schema               json NOT NULL,
  version                   integer NOT NULL DEFAULT 1,
  created_at                timestamptz NOT NULL,
  updated_at                timestamptz NOT NULL,
  deleted_at                timestamptz,
  PRIMARY KEY (owner_id, id),
  CHECK ((scope = 'private') = (private_to IS NOT NULL)),
  CHECK (private_to <> 'app' OR created_by_app_id IS NOT NULL)
);
CREATE INDEX schemas_recent ON schemas (created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- Every version as it was, the present one too. Whom a version was for decides who may see it later.
CREATE TABLE schema_versions (
  owner_id   uuid NOT NULL,
  schema_id  uuid NOT NULL,
  version    integer NOT NULL,
  scope      text NOT NULL CHECK (scope IN ('public', 'private')),
  private_to text CHECK (private_to IN ('user', 'app')),
  record     json NOT NULL,
  PRIMARY KEY (owner_id, schema_id, version),
  FOREIGN KEY (owner_id, schema_id) REFERENCES schemas (owner_id, id)
);

-- Nodes by their schema: which schemas are used, and what a change of one would do.
CREATE INDEX nodes_schema ON nodes (owner_id, schema_id, id) WHERE deleted_at IS NULL AND schema_id IS NOT NULL;

-- What every installation has: files, and the shapes of the four identity types (specification, Node). A key is checked
-- when it is present; other keys are free.
INSERT INTO schemas (owner_id, id, schema_uri, name, description, category, recommended_node_type,
  recommended_meaning_level, scope, recommended_by_developer, json_schema, created_at, updated_at)
VALUES
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000001', 'system:RawFile', 'Raw file',
   'A file: what is known about its content. It stands in the metadata itself.', 'system', 'RAW_FILE', 'DATA', 'public', false,
   '{
     "$schema": "https://json-schema.org/draft/2020-12/schema",
     "type": "object",
     "properties": {
       "filename": {"type": "string"},
       "mime_type": {"type": "string"},
       "size_bytes": {"type": "integer", "minimum": 0},
       "blob_key": {"type": "string"},
       "checksum_sha256": {"type": "string"},
       "data_type": {"enum": ["text", "image", "audio", "video", "document", "other"]},
       "format": {"type": ["string", "null"]},
       "structure_type": {"enum": ["structured", "unstructured"]},
       "upload_source": {"type": ["string", "null"]}
     }
   }', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000002', 'system:Experience', 'Experience',
   'Something that happened, happens or will happen.', 'identity', 'EXPERIENCE', 'IDENTITY', 'public', false,
   '{
     "$schema": "https://json-schema.org/draft/2020-12/schema",
     "type": "object",
     "properties": {
       "when": {
         "type": "object",
         "properties": {
           "type": {"enum": ["instance", "series"]},
           "status": {"enum": ["done", "ongoing", "future"]},
           "start": {"type": "string", "description": "ISO 8601, also a year or a month"},
           "end": {"type": "string", "description": "ISO 8601, also a year or a month"}
         }
       },
       "where": {"type": "string"},
       "significance": {"type": "string"}
     }
   }', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000003', 'system:Belief', 'Belief',
   'What a person holds to be true.', 'identity', 'BELIEF', 'IDENTITY', 'public', false,
   '{
     "$schema": "https://json-schema.org/draft/2020-12/schema",
     "type": "object",
     "properties": {
       "category": {"enum": ["about_self", "about_world"]},
       "strength_of_belief": {"type": "integer"},
       "status": {"enum": ["active", "outdated"]}
     }
   }', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000004', 'system:Entity', 'Entity',
   'A person, place, idea, practice, community or organization.', 'identity', 'ENTITY', 'IDENTITY', 'public', false,
   '{
     "$schema": "https://json-schema.org/draft/2020-12/schema",
     "type": "object",
     "properties": {
       "name": {"type": "string"},
       "category": {"enum": ["person", "place", "idea", "practice", "community", "organization"]}
     }
   }', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000005', 'system:Goal', 'Goal',
   'What a person wants to reach.', 'identity', 'GOAL', 'IDENTITY', 'public', false,
   '{
     "$schema": "https://json-schema.org/draft/2020-12/schema",
     "type": "object",
     "properties": {
       "motivation": {"type": "string"},
       "time_horizon": {"enum": ["immediate", "short_term", "long_term", "lifelong"]},
       "status": {"enum": ["active", "paused", "achieved", "abandoned"]}
     }
   }', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z');

INSERT INTO schema_versions (owner_id, schema_id, version, scope, record)
SELECT owner_id, id, version, scope, (to_jsonb(schemas) - 'deleted_at')::json FROM schemas;
