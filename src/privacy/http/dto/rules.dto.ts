import { OnlyKnownFields } from '../../../kernel/http/fields/field-metadata.js';
import { BooleanField, NestedField, optional, StringArrayField } from '../../../kernel/http/fields/fields.js';
import { TAG_NAME_LENGTH } from '../../domain/tags/tag-name.js';

/** The bound of every list of a rule: each node read is compared with the lists. */
export const MANY = 1_000;
const TAG_ID = 'c41d7e52-08b9-4f63-a2e7-5d90b3f81a6c';
const TAG_IDS = { maxItems: MANY, description: 'Ids of own tags.', example: [TAG_ID] };
const TAG_NAMES = {
  maxItems: MANY,
  each: { min: 1, max: TAG_NAME_LENGTH, pattern: /\S/, expected: 'a name' },
  example: ['work'],
};
const ALLOW_ALL = { description: 'Every tag, and nodes without any.', example: false };
const ALLOW_NEW = {
  description:
    'Tags that do not exist yet; counts only where every tag may be discovered. Absent: the same as allow_all.',
  example: false,
};
const SCHEMA_IDS = {
  maxItems: MANY,
  description: 'Ids of schemas; `__freeform__` means nodes without one.',
  example: ['__freeform__'],
};

/** `allow_new` has no effect here; it is accepted for callers who write all permissions in one form. */
@OnlyKnownFields(['allow_new'])
class TagPermissionBody {
  @StringArrayField({ ...TAG_IDS, ...optional })
  tag_ids?: string[];

  @BooleanField({ ...ALLOW_ALL, ...optional })
  allow_all?: boolean;
}

@OnlyKnownFields()
export class AssigningPermissionBody extends TagPermissionBody {
  @BooleanField({ ...ALLOW_NEW, ...optional })
  allow_new?: boolean;
}

/** Absent verbs are not granted. */
@OnlyKnownFields()
export class TagPermissionsBody {
  @NestedField(() => TagPermissionBody, { ...optional, description: 'See that tags exist: names only.' })
  discover?: TagPermissionBody;

  @NestedField(() => TagPermissionBody, { ...optional, description: 'Read nodes with these tags.' })
  read?: TagPermissionBody;

  @NestedField(() => AssigningPermissionBody, {
    ...optional,
    description: 'Suggest changes that need your approval.',
  })
  propose?: AssigningPermissionBody;

  @NestedField(() => AssigningPermissionBody, { ...optional, description: 'Change nodes directly.' })
  edit?: AssigningPermissionBody;

  @NestedField(() => AssigningPermissionBody, { ...optional, description: 'Create nodes without approval.' })
  create?: AssigningPermissionBody;

  @NestedField(() => TagPermissionBody, {
    ...optional,
    description: 'Delete nodes. Absent: the same as edit.',
  })
  delete?: TagPermissionBody;
}

@OnlyKnownFields()
export class SchemaPermissionBody {
  @StringArrayField({ ...SCHEMA_IDS, ...optional })
  schema_ids?: string[];

  @BooleanField({ ...optional, example: false })
  allow_all?: boolean;
}

@OnlyKnownFields()
export class SchemaPermissionsBody {
  @NestedField(() => SchemaPermissionBody, optional)
  read?: SchemaPermissionBody;

  @NestedField(() => SchemaPermissionBody, optional)
  write?: SchemaPermissionBody;
}

@OnlyKnownFields()
export class TagFiltersBody {
  @StringArrayField({ ...TAG_NAMES, ...optional, description: 'Names: a node must have all of these tags.' })
  include_all?: string[];

  @StringArrayField({
    ...TAG_NAMES,
    ...optional,
    description: 'Names: a node must have at least one of these tags.',
  })
  include_any?: string[];

  @StringArrayField({ ...TAG_NAMES, ...optional, description: 'Names: a node must have none of these tags.' })
  exclude_any?: string[];
}

class TagPermissionDto {
  @StringArrayField(TAG_IDS)
  tag_ids: string[];

  @BooleanField(ALLOW_ALL)
  allow_all: boolean;
}

class AssigningPermissionDto extends TagPermissionDto {
  @BooleanField({ ...ALLOW_NEW, ...optional })
  allow_new?: boolean;
}

export class TagPermissionsDto {
  @NestedField(() => TagPermissionDto)
  discover: TagPermissionDto;

  @NestedField(() => TagPermissionDto)
  read: TagPermissionDto;

  @NestedField(() => AssigningPermissionDto)
  propose: AssigningPermissionDto;

  @NestedField(() => AssigningPermissionDto)
  edit: AssigningPermissionDto;

  @NestedField(() => AssigningPermissionDto)
  create: AssigningPermissionDto;

  @NestedField(() => TagPermissionDto, optional)
  delete?: TagPermissionDto;
}

class SchemaPermissionDto {
  @StringArrayField(SCHEMA_IDS)
  schema_ids: string[];

  @BooleanField({ example: false })
  allow_all: boolean;
}

export class SchemaPermissionsDto {
  @NestedField(() => SchemaPermissionDto)
  read: SchemaPermissionDto;

  @NestedField(() => SchemaPermissionDto)
  write: SchemaPermissionDto;
}

export class TagFiltersDto {
  @StringArrayField(TAG_NAMES)
  include_all: string[];

  @StringArrayField(TAG_NAMES)
  include_any: string[];

  @StringArrayField(TAG_NAMES)
  exclude_any: string[];
}
