import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Database } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { type CarriedName } from '../domain/carried-names.js';
import { type OwnedTable } from '../domain/owned-table.js';

export type ArchivedRow = Readonly<Record<string, unknown>>;

/** Writes the rows of an archive, in units of work of the caller's. Values are checked before they come here. */
@Injectable()
export class RestoredRowsQueries {
  constructor(private readonly database: Database) {}

  /** Others who write to this graph wait, from here on, until the unit ends. @throws NOT_FOUND after an erasure */
  async lock(ownerId: string): Promise<void> {
    const found = await this.database.write(
      sql`SELECT id FROM users WHERE id = ${ownerId} FOR NO KEY UPDATE`,
    );
    if (found.length === 0) throw new DomainError('NOT_FOUND', 'The account is gone');
    await this.database.write(
      sql`INSERT INTO sequences AS s (id, policy) VALUES (${ownerId}, 1)
        ON CONFLICT (id) DO UPDATE SET policy = s.policy + 1`,
    );
  }

  /** From its commit on nobody else writes to this log, until `endFilling`. */
  async markFilling(ownerId: string): Promise<void> {
    await this.database.write(sql`UPDATE sequences SET is_filling = true WHERE id = ${ownerId}`);
  }

  async endFilling(ownerId: string): Promise<void> {
    await this.database.write(
      sql`UPDATE sequences SET is_filling = false, policy = policy + 1 WHERE id = ${ownerId}`,
    );
  }

  /** Accounts that an import is filling, or has left half filled. */
  async beingFilled(): Promise<string[]> {
    const rows = await this.database.read<{ id: string }>(sql`SELECT id FROM sequences WHERE is_filling`);
    return rows.map(({ id }) => id);
  }

  /** Shows others the public schemas that came concealed. */
  async reveal(ownerId: string): Promise<void> {
    for (const [table, more] of [
      ['schemas', ', created_by_app_id = NULL'],
      ['schema_versions', ''],
    ])
      await this.database.write(
        sql`UPDATE ${sql.raw(`${table}`)} SET scope = 'public', private_to = NULL${sql.raw(`${more}`)}
          WHERE owner_id = ${ownerId} AND private_to = 'app'`,
      );
  }

  /** @param isConcealed public schemas are shown to nobody until `reveal` */
  async insert(
    owned: OwnedTable,
    ownerId: string,
    rows: readonly ArchivedRow[],
    isConcealed = false,
  ): Promise<void> {
    const text = JSON.stringify(isConcealed ? rows.map(concealed) : rows);
    if (owned.table === 'files') return this.insertFiles(ownerId, text);
    if (owned.table === 'embeddings') return this.insertEmbeddings(ownerId, text);
    const later = new Set(owned.later);
    const columns = [
      ...Object.keys(owned.columns),
      ...owned.hidden.filter((column) => column === 'name_key' || column === 'created_by_app_id'),
    ].filter((column) => !later.has(column));
    const names = sql.raw(columns.join(', '));
    const values = sql.raw(columns.map((column) => `r.${column}`).join(', '));
    await this.database.write(
      sql`INSERT INTO ${sql.raw(owned.table)} (owner_id, ${names})
        SELECT ${ownerId}::uuid, ${values} FROM ${recordset(owned.table, text)} AS r`,
    );
  }

  /** What refers to rows of the same table, once they are all there. */
  async fillIn(
    { table, later = [] }: OwnedTable,
    ownerId: string,
    rows: readonly ArchivedRow[],
  ): Promise<void> {
    const assignments = sql.raw(later.map((column) => `${column} = r.${column}`).join(', '));
    await this.database.write(
      sql`UPDATE ${sql.raw(table)} AS t SET ${assignments} FROM ${recordset(table, JSON.stringify(rows))} AS r
        WHERE t.owner_id = ${ownerId} AND t.id = r.id`,
    );
  }

  async insertBlobs(ownerId: string, blobs: readonly object[], at: Date): Promise<void> {
    await this.database.write(
      sql`INSERT INTO blobs (owner_id, id, sha256, size_bytes, created_at)
        SELECT ${ownerId}::uuid, r.id, r.sha256, r.size_bytes, ${at}
        FROM ${recordset('blobs', JSON.stringify(blobs))} AS r`,
    );
  }

  /** The counter stands where the log ends, as if it had been written here. */
  async setCounter(ownerId: string): Promise<void> {
    await this.database.write(
      sql`UPDATE sequences SET changes = c.last, changed_at = c.at
        FROM (SELECT coalesce(max(sequence), 0) AS last, max(changed_at) AS at FROM changes WHERE owner_id = ${ownerId}) AS c
        WHERE id = ${ownerId}`,
    );
  }

  async keepNames(ownerId: string, names: readonly CarriedName[]): Promise<void> {
    await this.database.write(
      sql`INSERT INTO carried_names (owner_id, name, carried_as)
        SELECT ${ownerId}::uuid, r.name, r.carried_as FROM ${recordset('carried_names', JSON.stringify(names))} AS r`,
    );
  }

  /** Vectors that are a node's only one of their length are searched faster; who is, follows from the rest. */
  async settleEmbeddings(ownerId: string): Promise<void> {
    await this.database.write(
      sql`UPDATE embeddings AS e SET is_alone = false
        WHERE e.owner_id = ${ownerId} AND EXISTS (SELECT FROM embeddings AS o WHERE o.owner_id = e.owner_id
          AND o.node_id = e.node_id AND o.dimensions = e.dimensions AND o.model <> e.model)`,
    );
  }

  /**
   * Looks for what refers to nothing, each of which gives the name of the table it is in, or null; foreign keys have seen to the
   * rest. Of rows that came a moment ago the planner knows nothing: all is put as joins, and looked up one by one it would
   * take hours. Each looks at so few rows that others need not wait long for it, and needs a unit of work.
   */
  async checks(ownerId: string): Promise<(() => Promise<string | null>)[]> {
    const bounds = await this.database.read<{ id: string }>(
      sql`SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM nodes WHERE owner_id = ${ownerId}) AS r
        WHERE n % ${CHECKED} = 0 ORDER BY id`,
    );
    const [log] = await this.database.read<{ last: string | null }>(
      sql`SELECT max(sequence) AS last FROM changes WHERE owner_id = ${ownerId}`,
    );
    const nodes = rangesOf(bounds.map(({ id }) => sql`${id}::uuid`));
    const numbers = Array.from(
      { length: Math.floor(Number(log?.last ?? 0) / CHECKED) },
      (_, i) => (i + 1) * CHECKED,
    );
    const changes = rangesOf(numbers.map((number) => sql`${number}::bigint`));
    return dangling(sql`${ownerId}::uuid`, { nodes, changes }).map((statement) => async () => {
      await this.database.write(sql`SET LOCAL enable_nestloop = off`);
      const [found] = await this.database.read<{ place: string }>(statement);
      return found?.place ?? null;
    });
  }

  private async insertFiles(ownerId: string, text: string): Promise<void> {
    await this.database.write(
      sql`INSERT INTO files (owner_id, node_id, blob_id, media_type)
        SELECT ${ownerId}::uuid, r.node_id, b.id, r.media_type
        FROM json_to_recordset(${text}::json) AS r (node_id uuid, sha256 text, media_type text)
        LEFT JOIN blobs AS b ON b.owner_id = ${ownerId} AND b.sha256 = r.sha256`,
    );
  }

  private async insertEmbeddings(ownerId: string, text: string): Promise<void> {
    await this.database.write(
      sql`INSERT INTO embeddings (owner_id, node_id, dimensions, model, unit, updated_at, graph_view, tag_ids, schema_id,
          node_type, node_created_at, is_deleted)
        SELECT ${ownerId}::uuid, r.node_id, r.dimensions, r.model, r.unit, r.updated_at, n.graph_view, n.tag_ids, n.schema_id,
          n.node_type, n.created_at, n.deleted_at IS NOT NULL
        FROM ${recordset('embeddings', text)} AS r
        JOIN nodes AS n ON n.owner_id = ${ownerId} AND n.id = r.node_id`,
    );
  }
}

/**
 * What is said of now is read from the rows by some and from the end of the log by others (sync): so that both must say
 * the same. Of profiles and tags only what decides over permission is compared.
 */
const CONTRADICTIONS: readonly [table: string, entity: string, agrees: string][] = [
  [
    'exposure_profiles',
    'exposure_profile',
    `o.action <> 'deleted' AND o.snapshot -> 'is_active' IS NOT DISTINCT FROM to_jsonb(t.is_active)
      AND (SELECT bool_and((o.snapshot -> e.key) IS NOT DISTINCT FROM e.value) FROM jsonb_each(t.rules) AS e)`,
  ],
  [
    'tags',
    'tag',
    `(o.action = 'deleted') = (t.deleted_at IS NOT NULL) AND o.snapshot ->> 'name' IS NOT DISTINCT FROM t.name`,
  ],
  [
    'nodes',
    'node',
    // A deletion keeps the tags of the living node: the loss of the last one deletes.
    `o.greatest_version IS NOT DISTINCT FROM t.version
      AND (t.deleted_at IS NOT NULL AND o.action = 'deleted' OR o.tag_ids IS NOT DISTINCT FROM t.tag_ids)
      AND o.snapshot -> 'tag_ids' IS NOT DISTINCT FROM to_jsonb(o.tag_ids)
      AND o.snapshot ->> 'schema_id' IS NOT DISTINCT FROM t.schema_id::text
      AND o.schema_id IS NOT DISTINCT FROM t.schema_id
      AND o.snapshot ->> 'node_type' IS NOT DISTINCT FROM t.node_type
      AND o.snapshot ->> 'title' IS NOT DISTINCT FROM t.title
      AND o.snapshot ->> 'value' IS NOT DISTINCT FROM t.value
      AND o.snapshot ->> 'meaning_level' IS NOT DISTINCT FROM t.meaning_level
      AND o.snapshot ->> 'graph_view' IS NOT DISTINCT FROM t.graph_view
      AND (o.snapshot ->> 'importance_score')::float8 IS NOT DISTINCT FROM t.importance_score
      AND nullif(o.snapshot -> 'metadata', 'null') IS NOT DISTINCT FROM nullif(t.metadata, 'null')
      AND nullif(o.snapshot -> 'agent_metadata', 'null') IS NOT DISTINCT FROM nullif(t.agent_metadata, 'null')
      AND o.snapshot ->> 'last_modified_by_agent_id' IS NOT DISTINCT FROM t.last_modified_by_agent_id::text
      AND o.node_type IS NOT DISTINCT FROM t.node_type
      AND o.node_created_at IS NOT DISTINCT FROM t.created_at
      AND (o.snapshot ->> 'deleted_at' IS NOT NULL) = (t.deleted_at IS NOT NULL)`,
  ],
];

/** Rows that one check looks at. */
const CHECKED = 1_000;

/** A part of a table: what a column must be within. */
type Range = (column: string) => Sql;

const everything: Range = () => sql`TRUE`;

/** All there is, parted at these values. */
function rangesOf(bounds: readonly Sql[]): Range[] {
  return [...bounds, null].map((to, index) => (column) => {
    const [from, name] = [bounds[index - 1], sql.raw(column)];
    return sql`${from ? sql`${name} > ${from}` : sql`TRUE`} AND ${to ? sql`${name} <= ${to}` : sql`TRUE`}`;
  });
}

/** The end of the log of each thing. */
const lastChanges = (owner: Sql, entity: string, range: Range): Sql =>
  sql`SELECT DISTINCT ON (c.entity_id) c.*, max(c.version) OVER (PARTITION BY c.entity_id) AS greatest_version
    FROM changes AS c WHERE c.owner_id = ${owner} AND c.entity = ${entity} AND ${range('c.entity_id')}
    ORDER BY c.entity_id, c.sequence DESC`;

const some = (place: string, from: Sql): Sql =>
  sql`SELECT ${place} AS place WHERE EXISTS (SELECT FROM ${from})`;

/** What must not be found: each gives the name of the table that it is in. */
function dangling(owner: Sql, { nodes, changes }: { nodes: Range[]; changes: Range[] }): Sql[] {
  const without = (table: string, condition: Sql, [others, match]: [others: string, match: string]): Sql =>
    some(
      table,
      sql`${sql.raw(table)} AS t WHERE t.owner_id = ${owner} AND ${condition}
        AND NOT EXISTS (SELECT FROM ${sql.raw(others)} AS o WHERE o.owner_id = ${owner} AND ${sql.raw(match)})`,
    );
  const contradiction = ([table, entity, agrees]: (typeof CONTRADICTIONS)[number], range: Range): Sql =>
    some(
      table,
      sql`${sql.raw(table)} AS t LEFT JOIN (${lastChanges(owner, entity, range)}) AS o ON o.entity_id = t.id
        WHERE t.owner_id = ${owner} AND ${range('t.id')} AND (${sql.raw(agrees)}) IS NOT TRUE`,
    );
  const usedTags = sql`(SELECT DISTINCT unnest(tag_ids) AS id FROM nodes WHERE owner_id = ${owner}) AS t
    WHERE NOT EXISTS (SELECT FROM tags AS o WHERE o.owner_id = ${owner} AND o.id = t.id)`;
  // A contribution that went with a merged node still belongs to the change of the node that it was made to.
  const sameChange = `o.sequence = t.sequence AND o.entity = 'node' AND o.entity_id = coalesce(t.came_from[1], t.node_id)`;
  const sameVersion = 'o.schema_id = t.id AND o.version = t.version';
  return [
    some('nodes', usedTags),
    without('nodes', sql`t.merged_into IS NOT NULL`, ['nodes', 'o.id = t.merged_into']),
    ...CONTRADICTIONS.flatMap((each) =>
      (each[0] === 'nodes' ? nodes : [everything]).map((range) => contradiction(each, range)),
    ),
    ...changes.flatMap((range) => {
      const within = range('t.sequence');
      return [
        without('changes', sql`${within} AND t.entity IN ('node', 'embedding')`, [
          'nodes',
          'o.id = t.entity_id',
        ]),
        without('changes', sql`${within} AND t.entity = 'relationship'`, [
          'relationships',
          'o.id = t.entity_id',
        ]),
        without('changes', sql`${within} AND t.entity = 'tag'`, ['tags', 'o.id = t.entity_id']),
      ];
    }),
    without('contributions', sql`TRUE`, ['changes', sameChange]),
    without('schemas', sql`t.deleted_at IS NULL`, ['schema_versions', sameVersion]),
  ];
}

/** An app that there is not: archives have no schema of an app's, so this one means a public schema. */
const CONCEALED = {
  scope: 'private',
  private_to: 'app',
  created_by_app_id: '00000000-0000-0000-0000-000000000000',
};

const concealed = (row: ArchivedRow): ArchivedRow =>
  row['scope'] === 'public' ? { ...row, ...CONCEALED } : row;

/** json, not jsonb: authors of schemas find the order of their properties again. */
const recordset = (table: string, text: string): Sql =>
  sql`json_populate_recordset(NULL::${sql.raw(table)}, ${text}::json)`;
