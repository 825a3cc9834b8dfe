import { ApiExtraModels } from '@nestjs/swagger';
import { OnlyKnownFields } from '../../../kernel/http/fields/field-metadata.js';
import { ID, TIME } from '../../../kernel/http/openapi/examples.js';
import {
  AnyArrayField,
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  ObjectField,
  optional,
  StringArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { PageDto, PageQuery } from '../../../kernel/http/answers/page.js';
import { DETAIL_LEVELS, type DetailLevel, type Template, TEMPLATES } from '../../domain/profile-rules.js';
import { TAG_EXPRESSION, TagCondition, TagExpression, TRANSFORMATION } from './rule-schemas.js';
import {
  MANY,
  SchemaPermissionsBody,
  SchemaPermissionsDto,
  TagFiltersBody,
  TagFiltersDto,
  TagPermissionsBody,
  TagPermissionsDto,
} from './rules.dto.js';

/** Fields of the record that the caller cannot set. */
const READ_ONLY = ['id', 'owner_id', 'version', 'created_at', 'updated_at', 'yaml', 'tag_names'];
const NAME = { min: 1, max: 100, trim: true, isName: true, example: 'Work only' };
const DESCRIPTION = { max: 2000, nullable: true, example: 'What colleagues may see.' };
const LOGIC = { description: 'How allowed_tag_ids are joined.', example: 'OR' };
const TYPES = { maxItems: MANY, each: { min: 1, max: 200 }, example: ['ENTITY'] };
const IDS = { maxItems: MANY, example: [ID.example] };
const EXPRESSION = {
  nullable: true,
  description: 'Only nodes whose tags fit; null or absent: no restriction.',
  schema: TAG_EXPRESSION,
  example: {
    op: 'AND',
    conditions: [{ tag: 'work' }, { op: 'OR', conditions: [{ tag: 'public' }, { tag: 'team' }] }],
  },
};
const TRANSFORMATIONS = {
  description:
    'Applied in order to readable nodes; at most 20, of which 4 pii_redaction, with 200 paths in all and 40 with *.',
  items: TRANSFORMATION,
  example: [{ type: 'pii_redaction', config: { entities: ['email', 'phone'] } }],
};
const START = {
  nullable: true,
  description: 'Only nodes created then or later.',
  example: '2024-01-01T00:00:00.000Z',
};
const END = {
  nullable: true,
  description: 'Only nodes created then or before.',
  example: '2026-12-31T23:59:59.999Z',
};
const DETAIL = { description: 'The fields of a readable node that are shown.', example: 'summary' };

/** Fields of an exposure profile; absent ones stay unchanged (in a new profile they let nothing through). */
@ApiExtraModels(TagCondition, TagExpression)
@OnlyKnownFields(READ_ONLY)
class ProfileFieldsBody {
  @StringField({ ...DESCRIPTION, ...optional })
  description?: string | null;

  @BooleanField({
    ...optional,
    description: 'true: the profile becomes the default instead of the present one.',
    example: false,
  })
  is_default?: boolean;

  @BooleanField({
    ...optional,
    description: 'false: allows nothing and suspends its authorizations.',
    example: true,
  })
  is_active?: boolean;

  @NestedField(() => TagPermissionsBody, optional)
  tag_permissions?: TagPermissionsBody;

  @NestedField(() => SchemaPermissionsBody, optional)
  schema_permissions?: SchemaPermissionsBody;

  @NestedField(() => TagFiltersBody, optional)
  tag_filters?: TagFiltersBody;

  @ObjectField({ ...EXPRESSION, ...optional })
  tag_expression?: object | null;

  @StringArrayField({ ...IDS, ...optional, description: 'Legacy: only nodes with these tags.' })
  allowed_tag_ids?: string[];

  @StringArrayField({ ...IDS, ...optional, description: 'Legacy: no nodes with these tags.' })
  excluded_tag_ids?: string[];

  @EnumField(['OR', 'AND'], { ...LOGIC, ...optional })
  allowed_tags_logic?: 'OR' | 'AND';

  @StringArrayField({ ...IDS, ...optional, description: 'Single nodes, readable regardless of their tags.' })
  allowed_node_ids?: string[];

  @StringArrayField({ ...TYPES, ...optional })
  allowed_node_types?: string[];

  @StringArrayField({ ...TYPES, ...optional })
  excluded_node_types?: string[];

  @DateField({ ...START, ...optional })
  date_range_start?: Date | null;

  @DateField({ ...END, ...optional })
  date_range_end?: Date | null;

  @AnyArrayField({ ...TRANSFORMATIONS, ...optional })
  transformations?: unknown[];

  @EnumField(DETAIL_LEVELS, { ...DETAIL, ...optional })
  max_detail_level?: DetailLevel;
}

export class CreateProfileBody extends ProfileFieldsBody {
  @StringField(NAME)
  name: string;
}

/** Replaces each given field as a whole; null clears tag_expression and the dates. */
export class UpdateProfileBody extends ProfileFieldsBody {
  @StringField({ ...NAME, ...optional })
  name?: string;
}

export class FromTemplateBody {
  @EnumField(TEMPLATES, {
    description: 'transparent grants everything, restrictive almost nothing.',
    example: 'restrictive',
  })
  template: Template;

  @StringField(NAME)
  name: string;
}

export class ProfilesQuery extends PageQuery {
  @BooleanField({ ...optional, description: 'Only active or only inactive ones.', example: true })
  is_active?: boolean;
}

export class ProfileQuery {
  @BooleanField({ default: true, description: 'Adds `yaml`, the profile in that form.' })
  include_yaml: boolean;

  @BooleanField({ default: true, description: 'Adds `tag_names`, the names of the tag ids in the profile.' })
  resolve_tag_names: boolean;
}

@ApiExtraModels(TagCondition, TagExpression)
export class ExposureProfileDto {
  @UuidField(ID)
  id: string;

  @StringField(NAME)
  name: string;

  @StringField(DESCRIPTION)
  description: string | null;

  @UuidField(ID)
  owner_id: string;

  @BooleanField({ example: false })
  is_default: boolean;

  @BooleanField({ example: true })
  is_active: boolean;

  @NestedField(() => TagPermissionsDto)
  tag_permissions: TagPermissionsDto;

  @NestedField(() => SchemaPermissionsDto)
  schema_permissions: SchemaPermissionsDto;

  @NestedField(() => TagFiltersDto)
  tag_filters: TagFiltersDto;

  @ObjectField(EXPRESSION)
  tag_expression: object | null;

  @StringArrayField(IDS)
  allowed_tag_ids: string[];

  @StringArrayField(IDS)
  excluded_tag_ids: string[];

  @EnumField(['OR', 'AND'], LOGIC)
  allowed_tags_logic: 'OR' | 'AND';

  @StringArrayField(IDS)
  allowed_node_ids: string[];

  @StringArrayField(TYPES)
  allowed_node_types: string[];

  @StringArrayField(TYPES)
  excluded_node_types: string[];

  @DateField(START)
  date_range_start: string | null;

  @DateField(END)
  date_range_end: string | null;

  @AnyArrayField(TRANSFORMATIONS)
  transformations: unknown[];

  @EnumField(DETAIL_LEVELS, DETAIL)
  max_detail_level: DetailLevel;

  @IntegerField({ description: 'Its revision, which in quotes is its ETag.', example: 3 })
  version: number;

  @DateField(TIME)
  created_at: Date;

  @DateField(TIME)
  updated_at: Date;
}

export class ExposureProfileDetailDto extends ExposureProfileDto {
  @StringField({ ...optional, description: 'Unless include_yaml=false.', example: 'name: Work only\n' })
  yaml?: string;

  @ObjectField({
    ...optional,
    description: 'Names by tag id, unless resolve_tag_names=false.',
    example: { [ID.example]: 'work' },
  })
  tag_names?: Record<string, string>;
}

export class ExposureProfilesDto extends PageDto {
  @NestedArrayField(() => ExposureProfileDto)
  exposure_profiles: ExposureProfileDto[];
}

export class DeletedProfileDto {
  @StringField({ example: 'Exposure profile deleted' })
  message: string;

  @UuidField(ID)
  id: string;
}
