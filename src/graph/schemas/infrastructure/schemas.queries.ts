import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';
import { type NodeRecord } from '../../common/index.js';
import { type Schema, SCHEMA_LIMITS, SYSTEM_OWNER_ID } from '../domain/schema.js';
import { foldCase, nodesWithinBytes, readableNodes } from '../../lists/index.js';

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

export interface SchemaPage {
  schemas: Schema[];
  total: number;
}

/** A row of a list; an empty page is one row with only the total. */
type Row = Omit<Schema, 'id'> & { id: string | null; total: number };

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

/**
 * Condition for the schemas that a caller can see: an app its own private ones (with a user key those in the
 * user's graph), and those of its user as far as schemas.read allows; a person their own (specification,
 * Schema visibility; rules 3.10, 5.7).
 * Applies to the table or to a version.
 */
function visibleSchemas(access: Access, { owner, scope }: { owner: string; scope: string }): Sql {
  const [o, s] = [sql.raw(owner), sql.raw(scope)];
  const isOpen = sql`(${o}.owner_id = ${SYSTEM_OWNER_ID} OR ${s}.scope = 'public')`;
  const { type, userId } = access.actor;
  // A received node belongs to its owner, who could no longer change it under a schema that only the
  // recipient sees.
  if (access.isReceived) return isOpen;
  if (type !== 'app') {
    const viewer = userId ?? access.ownerId;
    return sql`(${isOpen} OR (${s}.private_to = 'user' AND ${o}.owner_id = ${viewer}))`;
  }
  const { allowAll, schemaIds } = access.schemas.read;
  const granted = allowAll ? sql`TRUE` : sql`${o}.id::text = ANY(${[...schemaIds]}::text[])`;
  const isReached = access.isUserKey ? sql`${o}.owner_id = ${access.ownerId}` : sql`TRUE`;
  return sql`(${isOpen} OR (${privateToApp(access, { owner, scope })} AND ${isReached})
    OR (${s}.private_to = 'user' AND ${o}.owner_id = ${access.ownerId} AND ${granted}))`;
}

/** The most nodes that one statement reads. */
const BATCH = 200;

const privateToApp = (
  { actor: { appId } }: Access,
  { owner, scope }: { owner: string; scope: string },
): Sql => sql`${sql.raw(scope)}.private_to = 'app' AND ${sql.raw(owner)}.created_by_app_id = ${appId}`;

/**
 * Condition for schemas that a node has although the caller cannot see them: the owner, and a user key of
 * theirs, may change the node under an app's own schema.
 */
function standingSchemas(access: Access): Sql {
  if (access.isOwner) return sql`s.private_to = 'app'`;
  return access.isUserKey && !access.isReceived ? privateToApp(access, LIVE) : sql`FALSE`;
}

const LIVE = { owner: 's', scope: 's' };

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
  async list(
    access: Access,
    { filter, limit, offset }: { filter: SchemaFilter; limit: number; offset: number },
  ): Promise<SchemaPage> {
    const rows = await this.database.read<Row>(
      sql`WITH known AS (SELECT s.* FROM schemas AS s WHERE ${matching(access, filter)})
        SELECT page.*, counted.total FROM (SELECT count(*) AS total FROM known) AS counted
        LEFT JOIN (SELECT * FROM known ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) AS page ON TRUE
        ORDER BY page.created_at DESC, page.id DESC`,
      'schemas-list',
    );
    const known = rows.map(({ total, ...schema }) => ({ total, schema }));
    const schemas = known.flatMap(({ schema }) => (isSchema(schema) ? schema : []));
    return { schemas, total: known[0]?.total ?? 0 };
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
    { id, version, limit, offset }: { id: string; version?: number; limit: number; offset: number },
  ): Promise<SchemaPage> {
    const rows = await this.database.read<{ record: Schema | null; total: number }>(
      sql`WITH known AS (
          SELECT v.record, v.version FROM schema_versions AS v
          JOIN schemas AS s ON s.owner_id = v.owner_id AND s.id = v.schema_id
          WHERE ${sql.and([
            sql`s.id = ${id} AND s.deleted_at IS NULL`,
            visibleSchemas(access, LIVE),
            visibleSchemas(access, { owner: 's', scope: 'v' }),
            version !== undefined && sql`v.version = ${version}`,
          ])}
        )
        SELECT page.record, counted.total FROM (SELECT count(*) AS total FROM known) AS counted
        LEFT JOIN (SELECT * FROM known ORDER BY version DESC LIMIT ${limit} OFFSET ${offset}) AS page ON TRUE
        ORDER BY page.version DESC`,
      'schema-versions',
    );
    const schemas = rows.flatMap(({ record }) => (record === null ? [] : revived(record)));
    return { schemas, total: rows[0]?.total ?? 0 };
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

const isSchema = (row: Omit<Row, 'total'>): row is Schema => row.id !== null;

/** Dates are text in the stored record. */
const revived = (record: Schema): Schema => ({
  ...record,
  created_at: new Date(record.created_at),
  updated_at: new Date(record.updated_at),
  deleted_at: null,
});
