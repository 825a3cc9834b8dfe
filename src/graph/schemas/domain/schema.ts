import { EVERYTHING, NO_RIGHTS, type OthersRights } from '../../../identity/index.js';
import { DomainError, type FieldError } from '../../../kernel/errors/domain-error.js';
import { changedFields, type ChangedFields } from '../../../kernel/change-log/changed-fields.js';
import { jsonBytes } from '../../../kernel/json/json-size.js';
import { isObject } from '../../../kernel/json/json-values.js';
import { type JsonObject, type MeaningLevel } from '../../common/index.js';

export const SCHEMA_SCOPES = ['public', 'private'] as const;
export const SCHEMA_AUDIENCES = ['user', 'app'] as const;
/** The owner of the schemas that every installation has; nobody can log in with this id. */
export const SYSTEM_OWNER_ID = '00000000-0000-0000-0000-000000000000';

/** Limits of rule 5.5, and of the size of lists. */
export const SCHEMA_LIMITS = {
  name: 200,
  description: 10_000,
  category: 100,
  uri: 500,
  nodeType: 255,
  /** The bytes of the JSON texts. */
  schemaBytes: 64 * 1024,
  metadataBytes: 64 * 1024,
  depth: 32,
  /** The maximum depth of inheritance, the schema included. */
  levels: 8,
} as const;

/** No white space or control characters; the prefix of system schemas is reserved. */
export const URI_PATTERN = /^(?!system:)[^\s\p{C}]+$/iu;
export const isSchemaUri = (text: string): boolean => URI_PATTERN.test(text);

/** The fields of a schema that its author writes, in the names of the wire. */
export interface SchemaFields {
  name: string;
  description: string | null;
  category: string | null;
  recommended_node_type: string | null;
  recommended_meaning_level: MeaningLevel | null;
  scope: (typeof SCHEMA_SCOPES)[number];
  /** The audience of a private schema; null for a public one. */
  private_to: (typeof SCHEMA_AUDIENCES)[number] | null;
  /** The schema it inherits from. */
  extends: string | null;
  recommended_by_developer: boolean;
  schema_metadata: JsonObject | null;
  /** Validates `metadata.properties` of a node. */
  json_schema: JsonObject;
}

/** One schema at one version: its id and URI stay, its version counts up. Names are the table's and the wire's. */
export interface Schema extends SchemaFields {
  owner_id: string;
  id: string;
  schema_uri: string;
  created_by_app_id: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

export type SchemaRecord = Omit<Schema, 'deleted_at'>;

export const isSystem = ({ owner_id }: Pick<Schema, 'owner_id'>): boolean => owner_id === SYSTEM_OWNER_ID;

/** @throws VALIDATION_ERROR */
export function newSchema(
  birth: Pick<Schema, 'owner_id' | 'id' | 'schema_uri' | 'created_by_app_id'> & { at: Date },
  given: Pick<SchemaFields, 'name' | 'json_schema'> & Partial<SchemaFields>,
): Schema {
  const { at, ...identity } = birth;
  const schema: Schema = {
    ...identity,
    name: given.name,
    description: given.description ?? null,
    category: given.category ?? null,
    recommended_node_type: given.recommended_node_type ?? null,
    recommended_meaning_level: given.recommended_meaning_level ?? null,
    scope: given.scope ?? 'public',
    private_to: given.private_to ?? null,
    extends: given.extends ?? null,
    recommended_by_developer: given.recommended_by_developer ?? false,
    schema_metadata: given.schema_metadata ?? null,
    json_schema: given.json_schema,
    version: 1,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  };
  return fitting(schema);
}

/**
 * The next version; absent fields stay. Null when nothing would differ.
 * @throws VALIDATION_ERROR
 */
export function changeSchema(
  schema: Schema,
  given: Partial<SchemaFields>,
  at: Date,
): { schema: Schema; changed: ChangedFields } | null {
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const next = fitting({ ...schema, ...present });
  const changed = changedFields(schemaRecord(schema), schemaRecord(next));
  if (Object.keys(changed).length === 0) return null;
  return { schema: { ...next, version: schema.version + 1, updated_at: at }, changed };
}

/** The last version of a schema, which things that refer to it still find. */
export const deletedSchema = (schema: Schema, at: Date): Schema => ({
  ...schema,
  version: schema.version + 1,
  updated_at: at,
  deleted_at: at,
});

/**
 * The readers of a schema besides its owner (rule 1.16): everybody, the owner's apps as far as
 * `schemas.read` allows, or the app that created it.
 */
export function readersRights(schema: Schema): OthersRights {
  if (schema.deleted_at !== null) return NO_RIGHTS;
  const kind = 'read the schema';
  if (schema.scope === 'public') return { rights: [{ kind, over: EVERYTHING }] };
  return { rights: [{ kind, over: schema.private_to === 'app' ? 'by its app' : "by the owner's apps" }] };
}

/** A schema as the change log and the table of versions store it. */
export function schemaRecord(schema: Schema): SchemaRecord & JsonObject {
  const record: Partial<Schema> = { ...schema };
  delete record.deleted_at;
  return record as SchemaRecord & JsonObject;
}

/** Applies rules between fields; a public schema has no audience. */
function fitting(schema: Schema): Schema {
  const errors: FieldError[] = [];
  if (schema.scope === 'public') return { ...schema, private_to: null };
  if (schema.private_to === null)
    errors.push({ field: 'private_to', message: 'is required when scope is private' });
  if (schema.private_to === 'app' && schema.created_by_app_id === null) {
    errors.push({ field: 'private_to', message: 'can be app only in schemas that an app makes' });
  }
  if (errors.length > 0) throw DomainError.validations(errors);
  return schema;
}

/**
 * The part of a node's metadata that a schema validates (rule 5.4): its `properties`, or all of it when it
 * has none.
 */
export function subjectOf(metadata: JsonObject | null | undefined): JsonObject {
  const properties = metadata?.['properties'];
  return isObject(properties) ? properties : (metadata ?? {});
}

/** @throws INVALID_JSON_SCHEMA for one that is too large to check (rule 5.5) */
export function refuseOversize(jsonSchema: JsonObject): void {
  const refuse = (message: string) => {
    throw new DomainError('INVALID_JSON_SCHEMA', message, [{ field: 'json_schema', message }]);
  };
  if (depthOf(jsonSchema) > SCHEMA_LIMITS.depth) {
    refuse(`must not be nested deeper than ${SCHEMA_LIMITS.depth} levels`);
  }
  if (jsonBytes(jsonSchema) > SCHEMA_LIMITS.schemaBytes) {
    refuse(`must not be larger than ${SCHEMA_LIMITS.schemaBytes} bytes of JSON`);
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((deepest: number, part) => Math.max(deepest, depthOf(part)), 0);
}

/** A generated URI: `user.<8 characters of the owner's id>:<PascalName>`, or the app's (rule 5.2). */
export function generatedUri(name: string, by: { kind: 'user' | 'app'; id: string }): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = plain.match(/[A-Za-z0-9]+/g) ?? ['Schema'];
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return `${by.kind}.${by.id.slice(0, 8)}:${pascal.slice(0, SCHEMA_LIMITS.name)}`;
}
