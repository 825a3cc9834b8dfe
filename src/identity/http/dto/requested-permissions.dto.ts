import { OnlyKnownFields } from '../../../kernel/http/fields/field-metadata.js';
import { BooleanField, NestedField, StringArrayField } from '../../../kernel/http/fields/fields.js';

const absent = { optional: true, description: 'Absent is false.' };

/** The permissions that an app may request for tags and the nodes that carry them (rule 1.14c). */
@OnlyKnownFields()
class RequestedTags {
  @BooleanField({ ...absent, description: 'See that tags exist. Absent is false.', example: true })
  discover?: boolean;

  @BooleanField({ ...absent, description: 'Read nodes. Absent is false.', example: true })
  read?: boolean;

  @BooleanField({
    ...absent,
    description: 'Suggest changes that the user approves. Absent is false.',
    example: false,
  })
  propose?: boolean;

  @BooleanField({ ...absent, description: 'Create nodes. Absent is false.', example: true })
  create?: boolean;

  @BooleanField({ ...absent, description: 'Change nodes. Absent is false.', example: false })
  edit?: boolean;

  @BooleanField({ ...absent, description: 'Short for create and edit. Absent is false.', example: false })
  write?: boolean;

  @BooleanField({ optional: true, description: 'Delete nodes. Absent: as for edit.', example: false })
  delete?: boolean;
}

@OnlyKnownFields()
class RequestedFiles {
  @BooleanField({ ...absent, example: false })
  read?: boolean;
}

@OnlyKnownFields()
class RequestedSchemasDto {
  @StringArrayField({
    optional: true,
    maxItems: 1000,
    each: { min: 1, max: 100 },
    description: 'Ids of schemas; `__freeform__` means nodes without one.',
    example: ['__freeform__'],
  })
  schema_ids?: string[];

  @BooleanField({ ...absent, example: false })
  allow_all?: boolean;
}

@OnlyKnownFields()
class RequestedSchemaAccess {
  @NestedField(() => RequestedSchemasDto, { optional: true })
  read?: RequestedSchemasDto;

  @NestedField(() => RequestedSchemasDto, { optional: true })
  write?: RequestedSchemasDto;
}

/** The permissions that an app requests: its ceiling. Absent ones are not requested. */
@OnlyKnownFields()
export class RequestedPermissionsDto {
  @NestedField(() => RequestedTags, { optional: true })
  tags?: RequestedTags;

  @NestedField(() => RequestedFiles, { optional: true })
  files?: RequestedFiles;

  @NestedField(() => RequestedSchemaAccess, { optional: true })
  schemas?: RequestedSchemaAccess;
}
