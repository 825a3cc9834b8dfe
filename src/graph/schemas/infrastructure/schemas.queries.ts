import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { contentBytes, type Room, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';
import { type NodeRecord } from '../../common/index.js';
import { type Schema, SCHEMA_LIMITS, SYSTEM_OWNER_ID } from '../domain/schema.js';
import { foldCase, nodesWithinBytes, readableNodes } from '../../lists/index.js';
import { LIVE, standingSchemas, visibleSchemas } from './visible-schemas.js';

/** The filter of a list of schemas; an absent field does not restrict. */
export interface SchemaFilter {
  category?: string;
  /** Part of name, description or URI, letter case aside. */
  search?: string;
  scope?: Schema['scope'];
  /** Schemas of the system, or the graph owner's own. */
  owner?: 'system' | 'user';
  recommended?: boolean;
  ids?: readonly string[];
  /** True for schemas of nodes that the caller can read. */
  isUsed?: boolean;
}

/** A schema of a list. Its definition is read only where the caller wants it. */
export type ListedSchema = Omit<Schema, 'json_schema' | 'deleted_at'> & Partial<Pick<Schema, 'json_schema'>>;

/** The first schemas of a part of a list, until they fill it. */
export interface SchemaPage {
  schemas: ListedSchema[];
  total: number;
}

/** A requested part of a list, with or without the definitions of its schemas. */
type ListedRoom = Room & { includeJsonSchema: boolean };

/** A row of a list; an empty part is one row with only the total. */
type Row = Omit<ListedSchema, 'id'> & { id: string | null; total: number };

/** The columns of a listed schema, with their types in a stored version. */
const COLUMNS: Record<keyof Omit<ListedSchema, 'json_schema'>, string> = {
  owner_id: 'uuid',
  id: 'uuid',
  schema_uri: 'text',
  created_by_app_id: 'uuid',
  name: 'text',
  description: 'text',
  category: 'text',
  recommended_node_type: 'text',
  recommended_meaning_level: 'text',
  scope: 'text',
  private_to: 'text',
  extends: 'uuid',
  recommended_by_developer: 'boolean',
  schema_metadata: 'json',
  version: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

/** A schema and its parents, from the schema upwards. */
export interface SchemaChain {
  schemas: Schema[];
  /**
   * The reason why the chain ends early: the caller cannot see the next parent, or there are too many
   * levels or a cycle.
   */
  broken: 'invisible' | 'endless' | null;
}

const SUBJECT = sql.raw(`upper(concat_ws(E'\\n', s.name, s.description, s.schema_uri) COLLATE "und-x-icu")`);

/** The most nodes that one statement reads. */
const BATCH = 200;

const VERSION_COLUMNS = sql.raw(
  Object.entries({ ...COLUMNS, json_schema: 'json' })
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', '),
);

/** The rows of a list of schemas, as `s`, and the keys of all of them. */
interface ListedRows {
  known: Sql;
  keyOrder: Sql;
  /** Joins the rows to a part of the keys, `k`. */
  rows: Sql;
  order: (alias: string) => Sql;
}

/** Schemas as callers may know them: those that they cannot see are absent. */
@Injectable()
export class SchemasQueries {
  constructor(private readonly database: Database) {}

  find(access: Access, id: string): Promise<Schema | null> {
    return this.one(access, sql`s.id = ${id}`);
  }

  findByUri(access: Access, uri: string): Promise<Schema | null> {
    return this.one(access, sql`s.schema_uri = ${uri}`);
  }

  /** Newest first; page and total come from one snapshot. */
  list(access: Access, { filter, ...room }: ListedRoom & { filter: SchemaFilter }): Promise<SchemaPage> {
    return this.page(
      {
        known: sql`SELECT s.id, s.created_at FROM schemas AS s WHERE ${matching(access, filter)}`,
        keyOrder: sql`created_at DESC, id DESC`,
        rows: sql`JOIN schemas AS s ON s.id = k.id`,
        order: (alias) => sql.raw(`${alias}.created_at DESC, ${alias}.id DESC`),
      },
      room,
      'schemas-list',
    );
  }

  /** The categories of the schemas that the caller can see, each once, in the order of their code points. */
  async categories(access: Access): Promise<string[]> {
    const rows = await this.database.read<{ category: string }>(
      sql`SELECT s.category FROM schemas AS s
        WHERE s.deleted_at IS NULL AND s.category IS NOT NULL AND ${visibleSchemas(access, LIVE)}
        GROUP BY s.category ORDER BY s.category COLLATE "C"`,
      'schema-categories',
    );
    return rows.map(({ category }) => category);
  }

  /**
   * The versions of a schema that the caller could see if they were the current one, newest first.
   * @param version only this version
   */
  async versions(
    access: Access,
    { id, version, ...room }: ListedRoom & { id: string; version?: number },
  ): Promise<SchemaPage> {
    const condition = sql.and([
      sql`s.id = ${id} AND s.deleted_at IS NULL`,
      visibleSchemas(access, LIVE),
      visibleSchemas(access, { owner: 's', scope: 'v' }),
      version !== undefined && sql`v.version = ${version}`,
    ]);
    return this.page(
      {
        known: sql`SELECT v.owner_id, v.schema_id, v.version FROM schema_versions AS v
          JOIN schemas AS s ON s.owner_id = v.owner_id AND s.id = v.schema_id WHERE ${condition}`,
        keyOrder: sql`version DESC`,
        rows: sql`JOIN schema_versions AS v USING (owner_id, schema_id, version)
          CROSS JOIN LATERAL (SELECT * FROM json_to_record(v.record) AS r (${VERSION_COLUMNS}) OFFSET 0) AS s`,
        order: (alias) => sql.raw(`${alias}.version DESC`),
      },
      room,
      'schema-versions',
    );
  }

  /** One version, if the caller could see it were it the current one. */
  async version(access: Access, { id, version }: { id: string; version: number }): Promise<Schema | null> {
    const one = { id, version, limit: 1, offset: 0, includeJsonSchema: true };
    const [found] = (await this.versions(access, one)).schemas;
    const { json_schema } = found ?? {};
    return found && json_schema ? { ...found, json_schema, deleted_at: null } : null;
  }

  /**
   * The names of living schemas that the caller can see, by id. OFFSET 0 is a fence: the planner would otherwise read all
   * visible schemas.
   */
  async names(access: Access, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.read<{ id: string; name: string }>(
      sql`SELECT s.id, s.name FROM unnest(${[...new Set(ids)]}::uuid[]) AS named (id) CROSS JOIN LATERAL (
          SELECT found.* FROM schemas AS found WHERE found.id = named.id OFFSET 0) AS s
        WHERE ${matching(access, {})}`,
      'schema-names',
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /**
   * The schema and everything that it inherits, each at its latest version. Deleted schemas still serve
   * those that refer to them, so the first one is found deleted, too.
   * @param isStanding the schema is that of a node, which may have an app's own one
   */
  async chain(
    access: Access,
    id: string,
    { levels, isStanding = false }: { levels: number; isStanding?: boolean },
  ): Promise<SchemaChain> {
    const known = visibleSchemas(access, LIVE);
    const visible = isStanding ? sql`(${known} OR ${standingSchemas(access)})` : known;
    const schemas: Schema[] = [];
    for (let next: string | null = id; next !== null;) {
      if (schemas.length === levels || schemas.some((each) => each.id === next)) {
        return { schemas, broken: 'endless' };
      }
      const [schema]: Schema[] = await this.database.read<Schema>(
        sql`SELECT s.* FROM schemas AS s WHERE s.id = ${next} AND ${visible}`,
        'schema-inherited',
      );
      if (schema === undefined) return { schemas, broken: 'invisible' };
      schemas.push(schema);
      next = schema.extends;
    }
    return { schemas, broken: null };
  }

  /** The caller's next readable nodes with a schema, in the order of their ids, until they fill a part of a page. */
  nodesWith(access: Access, schemaId: string, after: string): Promise<NodeRecord[]> {
    const next = sql`(SELECT * FROM nodes AS n
      WHERE ${readableNodes(access, { schemaIds: [schemaId] })} AND n.id > ${after} ORDER BY n.id LIMIT ${BATCH}) AS n`;
    return this.database.read<NodeRecord>(nodesWithinBytes(next, sql`n.id`), 'schema-nodes');
  }

  /**
   * The direct and indirect children of this schema that a readable node has. Searched upwards from the
   * nodes, because a public schema may have any number of children elsewhere.
   */
  async inheriting(access: Access, schemaId: string): Promise<string[]> {
    const rows = await this.database.read<{ id: string }>(
      sql`WITH RECURSIVE upwards AS (
          SELECT s.id AS used, s.extends, 1 AS level FROM schemas AS s
          WHERE s.extends IS NOT NULL AND ${visibleSchemas(access, LIVE)} AND s.id IN (
            SELECT n.schema_id FROM nodes AS n WHERE ${readableNodes(access, {})} AND n.schema_id IS NOT NULL)
          UNION ALL
          SELECT upwards.used, s.extends, upwards.level + 1 FROM upwards JOIN schemas AS s ON s.id = upwards.extends
          WHERE s.extends IS NOT NULL AND upwards.level < ${SCHEMA_LIMITS.levels}
        )
        SELECT DISTINCT used AS id FROM upwards WHERE extends = ${schemaId} ORDER BY used`,
      'schemas-inheriting',
    );
    return rows.map(({ id }) => id);
  }

  /** The schemas among these that the caller can see, deleted ones too. */
  async visible(access: Access, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT s.id FROM schemas AS s WHERE s.id = ANY(${ids}::uuid[]) AND ${visibleSchemas(access, LIVE)}`,
      'schemas-visible',
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async page(
    { known, keyOrder, rows, order }: ListedRows,
    { limit, offset, includeJsonSchema }: ListedRoom,
    statement: string,
  ): Promise<SchemaPage> {
    const documents = includeJsonSchema ? ['schema_metadata', 'json_schema'] : ['schema_metadata'];
    const columns = includeJsonSchema ? [...Object.keys(COLUMNS), 'json_schema'] : Object.keys(COLUMNS);
    const columnsOf = (alias: string): Sql => sql.raw(columns.map((name) => `${alias}.${name}`).join(', '));
    const part = withinPageBytes({
      from: sql`(SELECT * FROM known ORDER BY ${keyOrder} LIMIT ${limit} OFFSET ${offset}) AS k ${rows}`,
      columns: columnsOf('s'),
      order: order('s'),
      bytes: contentBytes('s', { texts: ['description'], jsonTexts: documents }),
      names: columnsOf('page'),
    });
    const found = await this.database.read<Row>(
      sql`WITH known AS (${known}), part AS (${part})
        SELECT part.*, counted.total FROM (SELECT count(*) AS total FROM known) AS counted LEFT JOIN part ON TRUE
        ORDER BY ${order('part')}`,
      statement,
    );
    const schemas = found.map(({ total, ...schema }) => schema).filter(isSchema);
    return { schemas, total: found[0]?.total ?? 0 };
  }

  private async one(access: Access, condition: Sql): Promise<Schema | null> {
    const [schema] = await this.database.read<Schema>(
      sql`SELECT s.* FROM schemas AS s WHERE ${condition} AND s.deleted_at IS NULL AND ${visibleSchemas(access, LIVE)}`,
      'schema',
    );
    return schema ?? null;
  }
}

function matching(access: Access, filter: SchemaFilter): Sql {
  const { category, search, scope, owner, recommended, ids, isUsed } = filter;
  // Callers who are not shown the schemas of nodes must not learn them from a filter either (rule 3.16).
  const used = access.exposure.touches('schema_id')
    ? sql`FALSE`
    : sql`EXISTS (SELECT FROM nodes AS n WHERE ${readableNodes(access, {})} AND n.schema_id = s.id)`;
  return sql.and([
    sql`s.deleted_at IS NULL`,
    visibleSchemas(access, LIVE),
    category !== undefined && sql`s.category = ${category}`,
    search !== undefined && search !== '' && sql`strpos(${SUBJECT}, ${foldCase(search)}) > 0`,
    scope !== undefined && sql`s.scope = ${scope}`,
    owner === 'system' && sql`s.owner_id = ${SYSTEM_OWNER_ID}`,
    owner === 'user' && sql`s.owner_id <> ${SYSTEM_OWNER_ID}`,
    recommended !== undefined && sql`s.recommended_by_developer = ${recommended}`,
    ids !== undefined && sql`s.id = ANY(${ids}::uuid[])`,
    isUsed !== undefined && (isUsed ? used : sql`NOT ${used}`),
  ]);
}

const isSchema = (row: Omit<Row, 'total'>): row is ListedSchema => row.id !== null;
