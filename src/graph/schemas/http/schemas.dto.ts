import {
  BooleanField,
  CommaListField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  nullish,
  ObjectField,
  StringArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { ID, TIME } from '../../../kernel/http/openapi/examples.js';
import { LimitField, OffsetField, PageDto } from '../../../kernel/http/answers/page.js';
import { type JsonObject, MEANING_LEVELS, type MeaningLevel } from '../../common/index.js';
import {
  SCHEMA_AUDIENCES,
  SCHEMA_LIMITS,
  SCHEMA_SCOPES,
  type SchemaFields,
  URI_PATTERN,
} from '../domain/schema.js';

const NAME = { min: 1, max: SCHEMA_LIMITS.name, trim: true, isName: true, example: 'Recipe' };
const DESCRIPTION = { max: SCHEMA_LIMITS.description, example: 'How a dish is made.' };
const CATEGORY = { max: SCHEMA_LIMITS.category, example: 'content' };
const NODE_TYPE = { max: SCHEMA_LIMITS.nodeType, example: 'recipe' };
const JSON_SCHEMA = {
  ownDepth: true,
  description:
    'For `metadata.properties` of nodes. JSON Schema 2020-12, or 2019-09 or draft-07 by `$schema`; at most 64 KiB and 32 levels, references within itself only, patterns without looking around. `format` is an annotation; with `"x-assert-formats": true` at the top it is checked.',
  example: {
    type: 'object',
    properties: { servings: { type: 'integer', minimum: 1 }, difficulty: { enum: ['easy', 'hard'] } },
    required: ['servings'],
  },
};
const SCHEMA_URI = {
  min: 1,
  max: SCHEMA_LIMITS.uri,
  pattern: URI_PATTERN,
  expected: 'a URI without white space, not of system:',
};

class SchemaFieldsBody {
  @StringField({ ...nullish, ...DESCRIPTION })
  description?: string | null;

  @StringField({ ...nullish, ...CATEGORY })
  category?: string | null;

  @StringField({ ...nullish, ...NODE_TYPE })
  recommended_node_type?: string | null;

  @EnumField(MEANING_LEVELS, { ...nullish, example: 'DATA' })
  recommended_meaning_level?: MeaningLevel | null;

  @EnumField(SCHEMA_SCOPES, {
    ...nullish,
    description: '`public` (the default): all users see it.',
    example: 'public',
  })
  scope?: SchemaFields['scope'] | null;

  @EnumField(SCHEMA_AUDIENCES, {
    ...nullish,
    description: 'Required when scope is private: for the owner, or only for the app that creates it.',
    example: null,
  })
  private_to?: SchemaFields['private_to'];

  @StringField({ ...nullish, description: 'Id of the schema that it inherits from.', example: null })
  extends?: string | null;

  @BooleanField({ ...nullish, description: 'The default is false.' })
  recommended_by_developer?: boolean | null;

  @ObjectField({ ...nullish, description: 'Anything, at most 64 KiB.', example: { icon: 'pot' } })
  schema_metadata?: JsonObject | null;
}

export class CreateSchemaBody extends SchemaFieldsBody {
  @StringField(NAME)
  name: string;

  @ObjectField(JSON_SCHEMA)
  json_schema: JsonObject;

  @StringField({
    ...nullish,
    ...SCHEMA_URI,
    description: 'Unique; never changes. Generated from the name when absent.',
    example: null,
  })
  schema_uri?: string | null;
}

/** Any subset of the fields: absent stays, null clears. */
export class ChangeSchemaBody extends SchemaFieldsBody {
  @StringField({ ...NAME, optional: true })
  name?: string;

  @ObjectField({ ...JSON_SCHEMA, optional: true })
  json_schema?: JsonObject;
}

class ParentSchemaDto {
  @UuidField(ID)
  id: string;

  @StringField(NAME)
  name: string;

  @StringField({ example: 'user.9b2f6c1e:Dish' })
  schema_uri: string;

  @IntegerField({ min: 1, example: 3 })
  version: number;
}

export class SchemaDto {
  @UuidField(ID)
  id: string;

  @StringField(NAME)
  name: string;

  @StringField({ ...DESCRIPTION, nullable: true })
  description: string | null;

  @StringField({ ...CATEGORY, nullable: true })
  category: string | null;

  @StringField({ ...NODE_TYPE, nullable: true })
  recommended_node_type: string | null;

  @EnumField(MEANING_LEVELS, { nullable: true, example: 'DATA' })
  recommended_meaning_level: MeaningLevel | null;

  @EnumField(SCHEMA_SCOPES, { example: 'public' })
  scope: SchemaFields['scope'];

  @EnumField(SCHEMA_AUDIENCES, { nullable: true, example: null })
  private_to: SchemaFields['private_to'];

  @StringField({ example: 'user.9b2f6c1e:Recipe' })
  schema_uri: string;

  @IntegerField({ min: 1, example: 1 })
  version: number;

  @UuidField({ nullable: true, example: null, description: 'Null also for a parent that you cannot see.' })
  extends: string | null;

  @BooleanField({ example: false })
  recommended_by_developer: boolean;

  @ObjectField({ nullable: true, example: { icon: 'pot' } })
  schema_metadata: JsonObject | null;

  @ObjectField({ ...JSON_SCHEMA, optional: true, description: 'Present if include_json_schema is true.' })
  json_schema?: JsonObject;

  @EnumField(['system', 'user'], { example: 'user' })
  owner: 'system' | 'user';

  @UuidField({ ...ID, nullable: true, description: 'Null for schemas of others.' })
  owner_id: string | null;

  @UuidField({ nullable: true, example: null, description: 'Shown to the owner and to that app.' })
  created_by_app_id: string | null;

  @DateField(TIME)
  created_at: string;

  @DateField(TIME)
  updated_at: string;

  @NestedArrayField(() => ParentSchemaDto, {
    optional: true,
    description:
      'With resolve: the schemas that it inherits from, nearest first. `json_schema` is merged then.',
  })
  parents?: ParentSchemaDto[];
}

export class ChangedSchemaDto extends SchemaDto {
  @IntegerField({
    min: 0,
    example: 0,
    description:
      'How many of the nodes that you can read, with this schema or one that inherits it, were valid before and no longer are.',
  })
  invalid_nodes: number;

  @StringArrayField({ each: { uuid: true }, description: 'At most 20 of them.', example: [] })
  invalid_node_ids: string[];
}

export class SchemasQuery {
  @StringField({ optional: true, description: 'Exactly this category.' })
  category?: string;

  @StringField({
    optional: true,
    max: 200,
    description:
      'Part of the name, the description or the URI, letter case aside; every character is literal.',
  })
  search?: string;

  @EnumField(SCHEMA_SCOPES, { optional: true, description: 'Only public or only private schemas.' })
  scope?: SchemaFields['scope'];

  @EnumField(['system', 'user'], {
    optional: true,
    description:
      'By owner: schemas of the system, or of people (your own and those of others that you can see).',
  })
  owner?: 'system' | 'user';

  @BooleanField({ optional: true, description: 'Filters by `recommended_by_developer`.' })
  recommended?: boolean;

  @CommaListField({ optional: true, description: 'Ids, separated by commas.' })
  ids?: string[];

  @BooleanField({ optional: true, description: 'Only schemas of nodes that you can read, or only others.' })
  used_by_me?: boolean;

  @BooleanField({ default: false, description: 'Adds `json_schema` to each.' })
  include_json_schema: boolean;

  @LimitField({ default: 50, max: 100 })
  limit: number;

  @OffsetField()
  offset: number;
}

export class SchemasDto extends PageDto {
  @NestedArrayField(() => SchemaDto)
  schemas: SchemaDto[];
}

export class SchemaQuery {
  @BooleanField({
    default: false,
    description: 'Merges the parents into `json_schema`, and lists them.',
  })
  resolve: boolean;

  @BooleanField({ default: true, description: '`false` leaves `json_schema` out.' })
  include_json_schema: boolean;
}

export class SchemaByUriQuery {
  @IntegerField({ optional: true, min: 1, description: 'An old version; the latest when absent.' })
  version?: number;
}

export class SchemaVersionsQuery {
  @BooleanField({ default: true, description: '`false` leaves `json_schema` out.' })
  include_json_schema: boolean;

  @LimitField({ default: 20, max: 100 })
  limit: number;

  @OffsetField()
  offset: number;
}

export class SchemaVersionsDto extends PageDto {
  @NestedArrayField(() => SchemaDto, { description: 'Newest first.' })
  versions: SchemaDto[];
}

export class ChangeSchemaQuery {
  @BooleanField({
    default: false,
    description: '`true` saves nothing and answers with the effects of the change.',
  })
  dry_run: boolean;
}

export class ValidateBody {
  @ObjectField({
    description: 'Its `properties` are validated if they are an object, otherwise all of it.',
    example: { properties: { servings: 4 } },
  })
  metadata: JsonObject;
}

export class ValidationDto {
  @BooleanField({ example: false })
  valid: boolean;

  @StringArrayField({
    description: '`<JSON Pointer>: <message>`; values are not repeated.',
    example: ['/servings: must be at least 1'],
  })
  errors: string[];
}

export class SchemaCategoriesDto {
  @StringArrayField({ example: ['content', 'identity', 'system'] })
  categories: string[];
}
