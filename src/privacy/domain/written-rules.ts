import { DomainError } from '../../kernel/errors/domain-error.js';
import { parseTransformations } from './exposure/parse-transformations.js';
import {
  type NamedRules,
  type ProfileRules,
  type SchemaPermission,
  type TagPermission,
  type TagPermissions,
} from './profile-rules.js';
import { parseTagExpression } from './tags/tag-expression.js';

/** Rules as a caller writes them: shapes are checked, meanings are not yet. Absent fields stay unchanged. */
export type WrittenRules = {
  [F in keyof NamedRules]?: F extends 'date_range_start' | 'date_range_end'
    ? Date | null
    : F extends 'tag_expression'
      ? object | null
      : F extends 'transformations'
        ? unknown[]
        : NamedRules[F];
};

/**
 * The written fields in the one form that is stored: each id once and in lower case, times in UTC,
 * expressions and transformations read.
 * @throws VALIDATION_ERROR, INVALID_TRANSFORMATION
 */
export function readRules(written: WrittenRules): Partial<NamedRules> {
  const read: { [F in keyof NamedRules]: (value: never) => NamedRules[F] } = READERS;
  return Object.fromEntries(
    Object.entries(written)
      .filter(([field, value]) => value !== undefined && field in read)
      .map(([field, value]) => [
        field,
        (read[field as keyof NamedRules] as (value: unknown) => unknown)(value),
      ]),
  );
}

/** @throws VALIDATION_ERROR for a range that ends before it begins */
export function refuseEmptyRange({ date_range_start: start, date_range_end: end }: ProfileRules): void {
  if (start !== null && end !== null && Date.parse(start) > Date.parse(end)) {
    throw DomainError.validation('date_range_end', 'must not be before date_range_start');
  }
}

/** The ids that rules name, for checking that they exist. */
export function idsIn(rules: ProfileRules): { tags: string[]; nodes: string[]; schemas: string[] } {
  const { read, write } = rules.schema_permissions;
  return {
    tags: [
      ...Object.values(rules.tag_permissions).flatMap(({ tag_ids }) => tag_ids),
      ...rules.allowed_tag_ids,
      ...rules.excluded_tag_ids,
      ...ids(rules.transformations.flatMap(({ apply_to }) => apply_to?.tag_ids ?? [])),
    ],
    nodes: rules.allowed_node_ids,
    schemas: [...read.schema_ids, ...write.schema_ids],
  };
}

/** The paths of the lists in rules that hold one of these ids, such as `tag_permissions.read.tag_ids`. */
export function listsNaming(rules: ProfileRules, wanted: readonly string[]): string[] {
  const isWanted = (value: unknown) => typeof value === 'string' && wanted.includes(value.toLowerCase());
  const look = (value: unknown, path: string): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value) && value.some(isWanted)) return [path];
    return Object.entries(value).flatMap(([key, inner]) => look(inner, path === '' ? key : `${path}.${key}`));
  };
  return look(rules, '');
}

const unique = (values: string[]): string[] => [...new Set(values)];
const ids = (values: string[]): string[] => unique(values.map((id) => id.toLowerCase()));
const time = (value: Date | null): string | null => value?.toISOString() ?? null;

const READERS: { [F in keyof NamedRules]: (value: NonNullable<WrittenRules[F]>) => NamedRules[F] } = {
  tag_permissions: readTagPermissions,
  schema_permissions: ({ read, write }) => ({ read: readSchemas(read), write: readSchemas(write) }),
  tag_filters: ({ include_all, include_any, exclude_any }) => ({ include_all, include_any, exclude_any }),
  tag_expression: (value) => value && parseTagExpression(value),
  allowed_tag_ids: ids,
  excluded_tag_ids: ids,
  allowed_tags_logic: (value) => value,
  allowed_node_ids: ids,
  allowed_node_types: unique,
  excluded_node_types: unique,
  date_range_start: time,
  date_range_end: time,
  transformations: parseTransformations,
  max_detail_level: (value) => value,
};

function readTagPermissions(written: TagPermissions): TagPermissions {
  const { discover, read, propose, edit, create, delete: deleting } = written;
  return {
    discover: withoutNew(discover),
    read: withoutNew(read),
    propose: withNew(propose),
    edit: withNew(edit),
    create: withNew(create),
    ...(deleting === undefined ? {} : { delete: withoutNew(deleting) }),
  };
}

const withoutNew = ({ tag_ids, allow_all }: TagPermission): TagPermission => ({
  tag_ids: ids(tag_ids),
  allow_all,
});

/** Absent `allow_new` stays absent: it then follows allow_all (rule 3.7). */
function withNew({ allow_new, ...permission }: TagPermission): TagPermission {
  return { ...withoutNew(permission), ...(allow_new === undefined ? {} : { allow_new }) };
}

const readSchemas = ({ schema_ids, allow_all }: SchemaPermission): SchemaPermission => ({
  schema_ids: ids(schema_ids),
  allow_all,
});
