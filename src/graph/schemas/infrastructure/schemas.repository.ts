import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { type Schema, schemaRecord } from '../domain/schema.js';

/** Schemas as stored, without permission checks. Writes need a unit of work. */
@Injectable()
export class SchemasRepository {
  constructor(private readonly database: Database) {}

  /** A living schema, locked until the unit ends. */
  async lock(ownerId: string, id: string): Promise<Schema | null> {
    const [schema] = await this.database.write<Schema>(
      sql`SELECT * FROM schemas WHERE owner_id = ${ownerId} AND id = ${id} AND deleted_at IS NULL FOR UPDATE`,
      'schema-lock',
    );
    return schema ?? null;
  }

  /**
   * URIs equal to the given one, or to it with a number appended; also of deleted schemas, whose URIs stay
   * reserved.
   */
  async urisLike(uri: string): Promise<Set<string>> {
    const rows = await this.database.read<{ schema_uri: string }>(
      sql`SELECT schema_uri FROM schemas
        WHERE schema_uri = ${uri} OR (starts_with(schema_uri, ${uri}) AND substr(schema_uri, ${uri.length + 1}) ~ '^[0-9]+$')`,
      'schema-uris',
    );
    return new Set(rows.map(({ schema_uri }) => schema_uri));
  }

  /**
   * Saves a schema and its first version.
   * @returns false when another schema has the URI: nothing was written
   */
  async insert(schema: Schema): Promise<boolean> {
    const { json_schema, schema_metadata } = schema;
    const inserted = await this.database.write(
      sql`INSERT INTO schemas (owner_id, id, schema_uri, created_by_app_id, name, description, category,
          recommended_node_type, recommended_meaning_level, scope, private_to, extends, recommended_by_developer,
          schema_metadata, json_schema, version, created_at, updated_at)
        VALUES (${schema.owner_id}, ${schema.id}, ${schema.schema_uri}, ${schema.created_by_app_id}, ${schema.name},
          ${schema.description}, ${schema.category}, ${schema.recommended_node_type}, ${schema.recommended_meaning_level},
          ${schema.scope}, ${schema.private_to}, ${schema.extends}, ${schema.recommended_by_developer},
          ${schema_metadata && JSON.stringify(schema_metadata)}, ${JSON.stringify(json_schema)}, ${schema.version},
          ${schema.created_at}, ${schema.updated_at})
        ON CONFLICT (schema_uri) DO NOTHING RETURNING id`,
      'schema-insert',
    );
    if (inserted.length === 0) return false;
    await this.keep(schema);
    return true;
  }

  /** Saves the next version of a schema that this unit has locked. */
  async update(schema: Schema): Promise<void> {
    const { json_schema, schema_metadata } = schema;
    await this.database.write(
      sql`UPDATE schemas SET name = ${schema.name}, description = ${schema.description}, category = ${schema.category},
          recommended_node_type = ${schema.recommended_node_type},
          recommended_meaning_level = ${schema.recommended_meaning_level}, scope = ${schema.scope},
          private_to = ${schema.private_to}, extends = ${schema.extends},
          recommended_by_developer = ${schema.recommended_by_developer},
          schema_metadata = ${schema_metadata && JSON.stringify(schema_metadata)},
          json_schema = ${JSON.stringify(json_schema)}, version = ${schema.version},
          updated_at = ${schema.updated_at}, deleted_at = ${schema.deleted_at}
        WHERE owner_id = ${schema.owner_id} AND id = ${schema.id}`,
      'schema-update',
    );
    if (schema.deleted_at === null) await this.keep(schema);
  }

  /**
   * Prevents that changes of parents close a circle, until the unit of work ends: of two changes, each of which has the
   * other's schema above its own, one waits. Changes below one parent do not wait for each other. Comes before row locks.
   * @param id the schema that gets another parent
   * @param above the ids of all schemas above it then
   */
  async lockInheritance(id: string, above: readonly string[]): Promise<void> {
    for (const each of [id, ...above].sort()) {
      const lock = sql.raw(each === id ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
      await this.database.write(sql`SELECT ${lock}(hashtextextended(${`parent of ${each}`}, 0))`);
    }
  }

  private async keep(schema: Schema): Promise<void> {
    await this.database.write(
      sql`INSERT INTO schema_versions (owner_id, schema_id, version, scope, private_to, record)
        VALUES (${schema.owner_id}, ${schema.id}, ${schema.version}, ${schema.scope}, ${schema.private_to},
          ${JSON.stringify(schemaRecord(schema))})`,
      'schema-version',
    );
  }
}
