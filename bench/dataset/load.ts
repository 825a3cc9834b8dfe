import type pg from 'pg';
import { DIMENSIONS, vectorsOf } from './vectors.js';
import { type Owner, nodesOf, SCHEMAS } from './world.js';

const BATCH = 1000;

/** Fills the service's tables, then the references' copies. The tables exist and are empty. */
export async function load(client: pg.ClientBase, owners: Owner[], passwordHash: string): Promise<void> {
  for (const owner of owners) {
    await client.query('BEGIN');
    await loadOwner(client, owner, passwordHash);
    await client.query('COMMIT');
    process.stderr.write('.');
  }
  for (const statement of REFERENCES) await client.query(statement);
  process.stderr.write('.');
  await client.query('VACUUM (ANALYZE)');
  // Index-only counts are fastest right after a VACUUM, a state that no database in use is in: one row in a hundred was
  // written.
  for (const table of ['public.nodes', 'bare.nodes']) {
    await client.query(`UPDATE ${table} SET importance_score = 0.5 WHERE abs(hashtext(id::text)) % 100 = 0`);
  }
  await client.query('CHECKPOINT');
  process.stderr.write('\n');
}

async function loadOwner(client: pg.ClientBase, owner: Owner, passwordHash: string): Promise<void> {
  await client.query(
    `INSERT INTO users (id, email, email_key, username, username_key, password_hash, tier, created_at, updated_at)
     VALUES ($1, $2, $2, $3, $3, $4, 'enterprise', now(), now())`,
    [owner.id, owner.email, owner.username, passwordHash],
  );
  await client.query(
    `INSERT INTO tags (owner_id, id, name, name_key, created_at, updated_at)
     SELECT $1, t.id, t.name, t.name, now(), now() FROM jsonb_to_recordset($2) AS t (id uuid, name text)`,
    [owner.id, JSON.stringify(owner.tags)],
  );
  let batch: object[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await client.query(INSERT_NODES, [owner.id, JSON.stringify(batch)]);
    batch = [];
  };
  for (const node of nodesOf(owner)) {
    batch.push(node);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  await loadVectors(client, owner);
  // Without statistics the joins below and the checks of the foreign keys are planned for an empty table.
  await client.query('ANALYZE nodes');
  for (const statement of DERIVED) await client.query(statement, [owner.id]);
}

async function loadVectors(client: pg.ClientBase, owner: Owner): Promise<void> {
  let ids: string[] = [];
  let vectors: string[] = [];
  const flush = async (): Promise<void> => {
    if (ids.length > 0) await client.query(INSERT_VECTORS, [owner.id, ids, vectors]);
    [ids, vectors] = [[], []];
  };
  for (const { node, embedding } of vectorsOf(owner)) {
    ids.push(node.id);
    vectors.push(`[${embedding.join(',')}]`);
    if (ids.length === BATCH) await flush();
  }
  await flush();
}

const INSERT_VECTORS = `
  INSERT INTO embeddings (owner_id, node_id, dimensions, graph_view, tag_ids, schema_id, node_type, node_created_at, is_deleted, unit, updated_at)
  SELECT n.owner_id, n.id, ${DIMENSIONS}, n.graph_view, n.tag_ids, n.schema_id, n.node_type, n.created_at, FALSE,
    l2_normalize(r.embedding::vector), now()
  FROM unnest($2::uuid[], $3::text[]) AS r (id, embedding) JOIN nodes n ON n.owner_id = $1 AND n.id = r.id`;

const INSERT_NODES = `
  INSERT INTO nodes (owner_id, id, title, value, node_type, meaning_level, graph_view, metadata, schema_id, tag_ids, created_at, updated_at)
  SELECT $1, n.id, n.title, n.value, n.node_type, 'CONTEXT', 'identity', n.metadata, n.schema_id, n.tag_ids, n.created_at, n.updated_at
  FROM jsonb_to_recordset($2) AS n (id uuid, title text, value text, node_type text, metadata jsonb, schema_id uuid, tag_ids uuid[],
    created_at timestamptz, updated_at timestamptz)`;

// Two relationships for each node, to nodes of another age; then a change for everything, in the order of the ids; then
// the counter.
const DERIVED = [
  `INSERT INTO relationships (owner_id, id, from_node_id, to_node_id, relationship_type, strength, graph_view, created_at, updated_at)
   WITH numbered AS MATERIALIZED (
     SELECT id, created_at, row_number() OVER (ORDER BY id) - 1 AS number, count(*) OVER () AS count FROM nodes WHERE owner_id = $1)
   SELECT $1, overlay(a.id::text placing substr(md5(a.id::text || k), 1, 12) from 25)::uuid, a.id, b.id, 'references', 0.5, 'identity',
     a.created_at, a.created_at
   FROM numbered a CROSS JOIN generate_series(1, 2) k JOIN numbered b ON b.number = (a.number * 31 + k * 7919 + 1) % a.count`,
  `INSERT INTO changes (owner_id, sequence, entity, entity_id, action, version, snapshot, tag_ids, schema_id, node_type, node_created_at,
     changed_by_type, changed_by_user_id, changed_at)
   SELECT $1, row_number() OVER (ORDER BY c.rank, c.entity_id), c.entity, c.entity_id, 'created', 1, c.snapshot, c.tag_ids, c.schema_id,
     c.node_type, c.created_at, 'user', $1, now()
   FROM (
     SELECT 1 AS rank, 'tag' AS entity, id AS entity_id, to_jsonb(t) AS snapshot, NULL::uuid[] AS tag_ids, NULL::uuid AS schema_id,
       NULL AS node_type, NULL::timestamptz AS created_at FROM tags t WHERE owner_id = $1
     UNION ALL SELECT 2, 'node', id, to_jsonb(n), tag_ids, schema_id, node_type, created_at FROM nodes n WHERE owner_id = $1
     UNION ALL SELECT 3, 'relationship', id, to_jsonb(r), NULL, NULL, NULL, NULL FROM relationships r WHERE owner_id = $1
   ) c`,
  `INSERT INTO sequences (id, changes) SELECT $1, max(sequence) FROM changes WHERE owner_id = $1`,
];

const SCHEMA_BIT = `CASE n.schema_id WHEN '${SCHEMAS[0]}' THEN 51 WHEN '${SCHEMAS[1]}' THEN 52 ELSE 50 END`;

// The references use the best design known for the work: an owner's tags and schemas as bits beside the page's order.
const REFERENCES = [
  'CREATE SCHEMA bare',
  `CREATE TABLE bare.nodes (LIKE nodes INCLUDING DEFAULTS, mask bigint NOT NULL, PRIMARY KEY (owner_id, id))
     WITH (autovacuum_vacuum_scale_factor = 0.01)`,
  `CREATE TABLE bare.positions AS
     SELECT owner_id, id, (row_number() OVER (PARTITION BY owner_id ORDER BY id) - 1)::integer AS position FROM tags`,
  'ALTER TABLE bare.positions ADD PRIMARY KEY (owner_id, id)',
  `INSERT INTO bare.nodes SELECT n.*, bits.mask
   FROM nodes n CROSS JOIN LATERAL (
     SELECT bit_or(1::bigint << position) | (1::bigint << ${SCHEMA_BIT}) AS mask
     FROM bare.positions p WHERE p.owner_id = n.owner_id AND p.id = ANY (n.tag_ids)) bits
   ORDER BY n.owner_id, n.id`,
  `CREATE INDEX nodes_recent ON bare.nodes (owner_id, updated_at DESC, id DESC) INCLUDE (mask) WHERE deleted_at IS NULL`,
  'CREATE INDEX nodes_duplicate ON bare.nodes (owner_id, md5(title)) WHERE deleted_at IS NULL',
  // Half the width of the service's rows, in the owner's order.
  `CREATE TABLE bare.vectors AS
     SELECT e.owner_id, e.node_id AS id, n.mask, e.unit::halfvec(${DIMENSIONS}) AS unit
     FROM embeddings e JOIN bare.nodes n ON n.owner_id = e.owner_id AND n.id = e.node_id ORDER BY e.owner_id, e.node_id`,
  'CREATE INDEX vectors_owner ON bare.vectors (owner_id)',
  'CREATE TABLE bare.changes (LIKE changes INCLUDING DEFAULTS, PRIMARY KEY (owner_id, sequence))',
  'INSERT INTO bare.changes SELECT * FROM changes ORDER BY owner_id, sequence',
  'CREATE INDEX changes_entity ON bare.changes (owner_id, entity_id, sequence DESC)',
  'CREATE TABLE bare.node_words (LIKE node_words, PRIMARY KEY (owner_id, node_id))',
  'INSERT INTO bare.node_words SELECT * FROM node_words ORDER BY owner_id, node_id',
  'CREATE INDEX node_words_words ON bare.node_words USING gin (words)',
  'CREATE INDEX node_words_tags ON bare.node_words USING gin (tag_ids)',
  'CREATE TABLE bare.contributions (LIKE contributions INCLUDING DEFAULTS, PRIMARY KEY (owner_id, node_id, sequence))',
  'CREATE TABLE bare.sequences (LIKE sequences INCLUDING ALL) WITH (fillfactor = 50)',
  'INSERT INTO bare.sequences SELECT * FROM sequences',
];
