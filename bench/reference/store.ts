import type pg from 'pg';
import { newId } from '../../src/kernel/ids.js';
import { DIMENSIONS } from '../dataset/vectors.js';
import { mask, type Owner, PROFILE, schemaBit, SCHEMAS } from '../dataset/world.js';

interface Row {
  id: string;
  owner_id: string;
  title: string;
  value: string | null;
  node_type: string;
  meaning_level: string;
  importance_score: number | null;
  metadata: object | null;
  agent_metadata: object | null;
  last_modified_by_agent_id: string | null;
  schema_id: string | null;
  tag_ids: string[];
  version: number;
  created_at: Date;
  updated_at: Date;
}

interface Hit {
  similarity_score: number;
  total: number;
}

export interface Body {
  title: string;
  value?: string;
  node_type: string;
  metadata?: object;
  tags: string[];
}

const COLUMNS = `n.id, n.owner_id, n.title, n.value, n.node_type, n.meaning_level, n.importance_score, n.metadata, n.agent_metadata,
  n.last_modified_by_agent_id, n.schema_id, n.tag_ids, n.version, n.created_at, n.updated_at`;

const GET = `SELECT ${COLUMNS} FROM bare.nodes n WHERE owner_id = $1 AND id = $2 AND deleted_at IS NULL`;

const SEEN =
  'owner_id = $1 AND deleted_at IS NULL AND mask & $2::bigint > 0 AND mask & $3::bigint <= 0 AND mask & $4::bigint > 0';
const LIST = `SELECT c.total, ${COLUMNS}
  FROM (SELECT count(*)::integer AS total FROM bare.nodes WHERE ${SEEN}) c
  LEFT JOIN (SELECT id FROM bare.nodes WHERE ${SEEN} ORDER BY updated_at DESC, id DESC LIMIT $5) p ON true
  LEFT JOIN bare.nodes n ON n.owner_id = $1 AND n.id = p.id
  ORDER BY n.updated_at DESC, n.id DESC`;

const VECTOR = `SELECT ${COLUMNS}, hit.score AS similarity_score, hit.total
  FROM (
    SELECT id, score, count(*) OVER () AS total
    FROM (SELECT id, -(unit <#> $5::halfvec(${DIMENSIONS})) AS score FROM bare.vectors
      WHERE owner_id = $1 AND mask & $2::bigint > 0 AND mask & $3::bigint <= 0 AND mask & $4::bigint > 0 OFFSET 0) AS scored
    WHERE score >= 0 ORDER BY score DESC LIMIT $6
  ) AS hit JOIN bare.nodes n ON n.owner_id = $1 AND n.id = hit.id ORDER BY hit.score DESC`;
const SYNC = `SELECT c.sequence, c.changed_at, ${COLUMNS}
  FROM bare.changes c JOIN bare.nodes n ON n.owner_id = c.owner_id AND n.id = c.entity_id
  WHERE c.owner_id = $1 AND c.entity = 'node' AND c.sequence > $5 AND deleted_at IS NULL
    AND mask & $2::bigint > 0 AND mask & $3::bigint <= 0 AND mask & $4::bigint > 0
    AND NOT EXISTS (SELECT 1 FROM bare.changes l
      WHERE l.owner_id = c.owner_id AND l.entity_id = c.entity_id AND l.sequence > c.sequence)
  ORDER BY c.sequence LIMIT $6`;

const NODE_COLUMNS =
  'owner_id, id, title, value, node_type, meaning_level, graph_view, metadata, tag_ids, created_at, updated_at, mask';
const WORD_COLUMNS = 'owner_id, node_id, words, node_type, meaning_level, graph_view, tag_ids, created_at';
const CHANGE_COLUMNS =
  'owner_id, sequence, entity, entity_id, action, version, snapshot, tag_ids, node_type, node_created_at, changed_by_type, changed_by_user_id, changed_at';
const CONTRIBUTION_COLUMNS =
  'owner_id, node_id, sequence, version, contributor_type, contributor_id, status, standing, superseded, is_named, tag_ids, node_type, node_created_at, contributed_at';

/** Rows of a new node for search, provenance and the check for duplicates; the lean reference leaves them out. */
const createSql = (isLean: boolean): string => `WITH counted AS (
    UPDATE bare.sequences SET changes = changes + 1 WHERE id = $1 RETURNING changes),
  written AS (
    INSERT INTO bare.nodes (${NODE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, 'CONTEXT', 'identity', $6, $7, $8, $8, $9))${
      isLean
        ? ''
        : `,
  words AS (
    INSERT INTO bare.node_words (${WORD_COLUMNS})
    VALUES ($1, $2, node_words_of($1, $3, $4, $5, $6::jsonb -> 'properties'), $5, 'CONTEXT', 'identity', $7, $8)),
  contributed AS (
    INSERT INTO bare.contributions (${CONTRIBUTION_COLUMNS})
    SELECT $1, $2, changes, 1, 'app', $1, 'active', $11, '{}', FALSE, $7, $5, $8, $8 FROM counted)`
    }
  INSERT INTO bare.changes (${CHANGE_COLUMNS})
  SELECT $1, changes, 'node', $2, 'created', 1, $10, $7, $5, $8, 'app', $1, $8 FROM counted`;

/** An existing node is not created again (specification, Batch rules), unless the caller cannot see it. */
const ALIKE = `SELECT n.id FROM bare.nodes AS n
  WHERE n.owner_id = $1 AND n.deleted_at IS NULL AND n.mask & $5::bigint > 0 AND n.mask & $6::bigint <= 0 AND n.mask & $7::bigint > 0
    AND n.graph_view = 'identity' AND md5(n.title) = md5(r.title) AND n.title = r.title AND n.value IS NOT DISTINCT FROM r.value`;

const batchSql = (isLean: boolean): string => `WITH asked AS MATERIALIZED (
    SELECT *${isLean ? '' : `, (${ALIKE} LIMIT 1) AS alike`}
    FROM jsonb_to_recordset($3) AS r (position integer, id uuid, title text, value text, node_type text, metadata jsonb,
      tag_ids uuid[], mask bigint, snapshot jsonb${isLean ? '' : ', standing text[]'})),
  given AS MATERIALIZED (SELECT * FROM asked${isLean ? '' : ' WHERE alike IS NULL'}),
  counted AS (UPDATE bare.sequences SET changes = changes + $2::bigint WHERE id = $1 RETURNING changes),
  written AS (
    INSERT INTO bare.nodes (${NODE_COLUMNS})
    SELECT $1, id, title, value, node_type, 'CONTEXT', 'identity', metadata, tag_ids, $4, $4, mask FROM given)${
      isLean
        ? ''
        : `,
  words AS (
    INSERT INTO bare.node_words (${WORD_COLUMNS})
    SELECT $1, id, node_words_of($1, title, value, node_type, metadata -> 'properties'), node_type, 'CONTEXT', 'identity', tag_ids, $4
    FROM given),
  contributed AS (
    INSERT INTO bare.contributions (${CONTRIBUTION_COLUMNS})
    SELECT $1, g.id, counted.changes - $2::bigint + g.position, 1, 'app', $1, 'active', g.standing, '{}', FALSE, g.tag_ids,
      g.node_type, $4, $4 FROM counted, given g)`
    }
  INSERT INTO bare.changes (${CHANGE_COLUMNS})
  SELECT $1, counted.changes - $2::bigint + g.position, 'node', g.id, 'created', 1, g.snapshot, g.tag_ids, g.node_type, $4, 'app', $1, $4
  FROM counted, given g`;

const CREATE = { whole: createSql(false), lean: createSql(true) };
const BATCH = { whole: batchSql(false), lean: batchSql(true) };

/**
 * The writes of a reference: all that the service does, or without words, contributions and the check for duplicates.
 */
export type Rows = keyof typeof CREATE;

/**
 * The SQL work of the measured operations and nothing else: no caller, no permission, no validation. One named
 * statement each; tag names are resolved from memory.
 */
export class Store {
  private readonly owners: Map<
    string,
    { names: Map<string, string>; tags: Map<string, { id: string; position: number }> }
  >;
  private readonly any = mask(PROFILE.any);
  private readonly none = mask(PROFILE.none);
  private readonly schemas = mask([schemaBit(null), schemaBit(SCHEMAS[0])]);

  constructor(
    private readonly pool: pg.Pool,
    owners: Owner[],
  ) {
    this.owners = new Map(
      owners.map(({ id, tags }) => [
        id,
        {
          names: new Map(tags.map((tag) => [tag.id, tag.name])),
          tags: new Map(tags.map((tag) => [tag.name, tag])),
        },
      ]),
    );
  }

  async get(owner: string, id: string): Promise<object | null> {
    const { rows } = await this.pool.query<Row>({ name: 'get', text: GET, values: [owner, id] });
    return rows[0] ? this.present(rows[0]) : null;
  }

  async list(owner: string, limit: number): Promise<object> {
    const values = [owner, this.any, this.none, this.schemas, limit];
    const { rows } = await this.pool.query<Row & { total: number }>({ name: 'list', text: LIST, values });
    return {
      nodes: rows.filter(({ id }) => id !== null).map((row) => this.present(row)),
      total: rows[0]?.total ?? 0,
      limit,
      offset: 0,
    };
  }

  async vector(
    owner: string,
    { embedding, limit = 10 }: { embedding: number[]; limit?: number },
  ): Promise<object> {
    const length = Math.hypot(...embedding);
    const unit = `[${embedding.map((number) => number / length).join(',')}]`;
    const values = [owner, this.any, this.none, this.schemas, unit, limit];
    const found = await this.pool.query<Row & Hit>({ name: 'vector', text: VECTOR, values });
    return {
      nodes: found.rows.map((row) => ({ ...this.present(row), similarity_score: row.similarity_score })),
      total: found.rows[0]?.total ?? 0,
    };
  }

  /** A page of changes after a position; one more row than requested shows if there are more. */
  async sync(owner: string, after: number, limit: number): Promise<object> {
    const values = [owner, this.any, this.none, this.schemas, after, limit + 1];
    const { rows } = await this.pool.query<Row & { sequence: number; changed_at: Date }>({
      name: 'sync',
      text: SYNC,
      values,
    });
    const page = rows.slice(0, limit);
    return {
      changes: page.map((row) => ({
        action: 'create',
        timestamp: row.changed_at,
        version: row.sequence,
        node_version: row.version,
        node: this.present(row),
      })),
      cursor: String(page.at(-1)?.sequence ?? after),
      has_more: rows.length > limit,
      stats: { created: page.length, updated: 0, deleted: 0, total: page.length },
    };
  }

  async create(owner: string, body: Body, rows: Rows): Promise<object> {
    const { row, bits, standing } = this.build(owner, body);
    const node = this.present(row);
    const values = [
      owner,
      row.id,
      row.title,
      row.value,
      row.node_type,
      row.metadata,
      row.tag_ids,
      row.created_at,
      bits,
      JSON.stringify(node),
      ...(rows === 'whole' ? [standing] : []),
    ];
    await this.pool.query({ name: `create-${rows}`, text: CREATE[rows], values });
    return node;
  }

  async batch(owner: string, bodies: Body[], rows: Rows): Promise<object> {
    const now = new Date();
    const given = bodies.map((body, index) => {
      const { row, bits, standing } = this.build(owner, body, now);
      const contributed = rows === 'whole' ? { standing } : {};
      return { ...row, position: index + 1, mask: bits, snapshot: this.present(row), ...contributed };
    });
    const seen = rows === 'whole' ? [this.any, this.none, this.schemas] : [];
    const { rowCount } = await this.pool.query({
      name: `batch-${rows}`,
      text: BATCH[rows],
      values: [owner, given.length, JSON.stringify(given), now, ...seen],
    });
    // Duplicates would leave gaps in the numbers.
    if (rowCount !== given.length) throw new Error('the benchmark has sent what is there already');
    const created = given.map(({ id, title }, index) => ({ index, id, title }));
    const summary = { total: given.length, created: given.length, skipped: 0, updated: 0, errors: 0 };
    return { created, skipped: [], updated: [], errors: [], summary };
  }

  private build(owner: string, body: Body, now = new Date()): { row: Row; bits: string; standing: string[] } {
    const known = this.owners.get(owner)?.tags;
    const tags = body.tags.map((name) => known?.get(name)).filter((tag) => tag !== undefined);
    const row: Row = {
      id: newId(),
      owner_id: owner,
      title: body.title,
      value: body.value ?? null,
      node_type: body.node_type,
      meaning_level: 'CONTEXT',
      importance_score: null,
      metadata: body.metadata ?? null,
      agent_metadata: null,
      last_modified_by_agent_id: null,
      schema_id: null,
      tag_ids: tags.map(({ id }) => id),
      version: 1,
      created_at: now,
      updated_at: now,
    };
    const bits = mask([...tags.map(({ position }) => position), schemaBit(null)]);
    const paths = Object.keys(body.metadata ?? {}).map((key) => `metadata.${key}`);
    return { row, bits, standing: ['title', 'value', 'node_type', 'meaning_level', ...paths] };
  }

  private present(row: Row): object {
    const names = this.owners.get(row.owner_id)?.names;
    return {
      id: row.id,
      title: row.title,
      value: row.value,
      node_type: row.node_type,
      meaning_level: row.meaning_level,
      importance_score: row.importance_score,
      metadata: row.metadata,
      agent_metadata: row.agent_metadata,
      last_modified_by_agent_id: row.last_modified_by_agent_id,
      schema_id: row.schema_id,
      tags: row.tag_ids.map((id) => names?.get(id)),
      owner_id: row.owner_id,
      created_at: row.created_at,
      updated_at: row.updated_at,
      version: row.version,
      is_shared: false,
    };
  }
}
