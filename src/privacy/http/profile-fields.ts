import { type ProfileFields } from '../domain/exposure-profile.js';
import { type SchemaPermission, type TagPermission } from '../domain/profile-rules.js';
import { type WrittenRules } from '../domain/written-rules.js';
import { type UpdateProfileBody } from './dto/exposure-profiles.dto.js';
import {
  type AssigningPermissionBody,
  type SchemaPermissionBody,
  type SchemaPermissionsBody,
  type TagFiltersBody,
  type TagPermissionsBody,
} from './dto/rules.dto.js';

/** A body as the fields of a profile. A given part is whole: a verb or entry that it omits is not granted. */
export function profileFields<Body extends UpdateProfileBody>(
  body: Body,
): ProfileFields & Pick<Body, 'name'> {
  const { name, description, is_default, is_active, ...rules } = body;
  return { name, description, is_default, is_active, rules: rulesOf(rules) };
}

function rulesOf({
  tag_permissions,
  schema_permissions,
  tag_filters,
  ...rules
}: Omit<UpdateProfileBody, 'name'>): WrittenRules {
  return {
    ...rules,
    tag_permissions: tag_permissions && tagPermissions(tag_permissions),
    schema_permissions: schema_permissions && schemaPermissions(schema_permissions),
    tag_filters: tag_filters && tagFilters(tag_filters),
  };
}

const tagPermissions = (body: TagPermissionsBody): WrittenRules['tag_permissions'] => ({
  discover: tagPermission(body.discover),
  read: tagPermission(body.read),
  propose: tagPermission(body.propose),
  edit: tagPermission(body.edit),
  create: tagPermission(body.create),
  ...(body.delete === undefined ? {} : { delete: tagPermission(body.delete) }),
});

function tagPermission({
  tag_ids = [],
  allow_all = false,
  allow_new,
}: AssigningPermissionBody = {}): TagPermission {
  return { tag_ids, allow_all, ...(allow_new === undefined ? {} : { allow_new }) };
}

const schemaPermissions = ({ read, write }: SchemaPermissionsBody): WrittenRules['schema_permissions'] => ({
  read: schemaPermission(read),
  write: schemaPermission(write),
});

const schemaPermission = ({
  schema_ids = [],
  allow_all = false,
}: SchemaPermissionBody = {}): SchemaPermission => ({
  schema_ids,
  allow_all,
});

const tagFilters = ({
  include_all,
  include_any,
  exclude_any,
}: TagFiltersBody): WrittenRules['tag_filters'] => ({
  include_all: trimmed(include_all),
  include_any: trimmed(include_any),
  exclude_any: trimmed(exclude_any),
});

const trimmed = (names: string[] = []): string[] => names.map((name) => name.trim());
