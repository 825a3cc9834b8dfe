import { ApiProperty } from '@nestjs/swagger';
import { AnyValuesOf } from '../../../kernel/http/fields/any-values.js';
import { ID, TIME } from '../../../kernel/http/openapi/examples.js';
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
import { LimitField, OffsetField, PageField, PageQuery } from '../../../kernel/http/answers/page.js';
import { FieldsField } from '../../../kernel/http/lean/lean-fields.js';
import {
  DATA_TYPES,
  type DataType,
  type JsonObject,
  STRUCTURE_TYPES,
  type StructureType,
} from '../../common/index.js';
import { NODE_LIMITS } from '../../nodes/index.js';

const SELECTED = { of: 'files', example: 'filename,size' };
const FILE = {
  type: 'string',
  format: 'binary',
  description: 'The one file of the body, with a file name.',
  example: '(the bytes of boat.pdf)',
} as const;
const METADATA = {
  optional: true,
  description:
    'A JSON object for the metadata of the node. What the service knows of the file goes before it.',
  example: '{"properties":{"project":"boat"}}',
};

/** The parts of POST /nodes/upload. */
export class UploadNodeBody {
  @ApiProperty(FILE)
  file?: unknown;

  @StringField({
    optional: true,
    description:
      'A JSON array of names of tags (1 to 100 characters), made where needed, or ids of own tags; at most 50 different ones.',
    example: '["sea","plans"]',
  })
  tags?: string;

  @StringField(METADATA)
  metadata?: string;
}

/** The parts of POST /raw-files. */
export class UploadFileBody {
  @ApiProperty(FILE)
  file?: unknown;

  @StringField({ optional: true, description: 'Ids of tags, separated by commas.', example: ID.example })
  tag_ids?: string;

  @StringField(METADATA)
  metadata?: string;

  @EnumField(DATA_TYPES, { optional: true, description: 'Detected when absent.', example: 'document' })
  data_type?: DataType;

  @StringField({
    optional: true,
    pattern: /^[A-Za-z0-9_.+-]{1,32}$/,
    expected: '1 to 32 letters, digits, _ . + or -',
    description: 'The extension of the name when absent.',
    example: 'pdf',
  })
  format?: string;

  @EnumField(STRUCTURE_TYPES, { default: 'unstructured', example: 'unstructured' })
  structure_type: StructureType;
}

/** The JSON values in the parts. */
export class UploadTags {
  @StringArrayField()
  tags: string[];
}

export class UploadMetadata {
  @ObjectField()
  metadata: JsonObject;
}

/** Documents {@link WrittenFileBody}. */
export class ChangeFileBody {
  @StringField({ optional: true, min: 1, max: NODE_LIMITS.title, example: 'letter.pdf' })
  filename?: string;

  @ObjectField({
    ...nullish,
    description: 'Replaces everything but the facts that the service records; null clears it.',
    example: { properties: { project: 'boat' } },
  })
  metadata?: JsonObject | null;
}

/** The accepted body of PUT, see {@link AnyValuesOf}. */
export class WrittenFileBody extends AnyValuesOf(ChangeFileBody) {}

export class FileTagBody {
  @StringField({ description: 'Id of the tag, from GET /tags.', ...ID })
  tag_id: string;
}

export class FilesQuery {
  @EnumField(DATA_TYPES, { optional: true, description: 'Only files of this kind.' })
  data_type?: DataType;

  @StringField({ optional: true, max: 255, description: 'A media type, such as application/pdf.' })
  content_type?: string;

  @StringField({ optional: true, description: 'Files with this tag.' })
  tag_id?: string;

  @CommaListField({ optional: true, description: 'Files with any of these tags.' })
  tag_ids?: string[];

  @PageField()
  page: number;

  @LimitField({ default: 20, max: 100 })
  per_page: number;

  @LimitField({ max: 100, goesBefore: 'per_page' })
  limit?: number;

  @OffsetField({ goesBefore: 'page' })
  offset?: number;

  @FieldsField(() => FileDto, SELECTED)
  fields?: string[];
}

export class FileFieldsQuery {
  @FieldsField(() => FileDto, SELECTED)
  fields?: string[];
}

export class TaggedFilesQuery extends PageQuery {
  @FieldsField(() => FileDto, SELECTED)
  fields?: string[];
}

/** The query of a signed link. */
export class FileLinkQuery {
  @StringField({ optional: true, description: 'The caller who requested the link.' })
  caller?: string;

  @StringField({ optional: true, description: 'The end of the link, in seconds since 1970.' })
  expires?: string;

  @StringField({ optional: true, description: 'The signature of file, caller and end.' })
  signature?: string;
}

/** A file as the raw-files family shows it (rule 6.3). */
export class FileDto {
  @UuidField(ID)
  id: string;

  @StringField({ ...nullish, example: 'letter.pdf' })
  filename?: string | null;

  @StringField({ ...nullish, example: 'application/pdf' })
  content_type?: string | null;

  @IntegerField({
    ...nullish,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    example: 20480,
    description: 'Bytes.',
  })
  size?: number | null;

  @EnumField(DATA_TYPES, { example: 'document' })
  data_type: string;

  @StringField({ ...nullish, example: 'pdf' })
  format?: string | null;

  @EnumField(STRUCTURE_TYPES, { example: 'unstructured' })
  structure_type: string;

  @UuidField({ ...ID, optional: true })
  owner_id?: string;

  @StringArrayField({ optional: true, each: { uuid: true }, example: [ID.example] })
  tag_ids?: string[];

  @ObjectField({ ...nullish, description: 'Present at detail full.' })
  metadata?: Record<string, unknown> | null;

  @DateField({ ...TIME, nullable: true })
  created_at: string;

  @DateField({ ...TIME, nullable: true })
  updated_at: string;
}

export class TaggedFilesDto {
  @NestedArrayField(() => FileDto)
  files: FileDto[];

  @IntegerField({ min: 0, example: 1 })
  total: number;

  @IntegerField({ min: 1, example: 20 })
  limit: number;

  @IntegerField({ min: 0, example: 0 })
  offset: number;
}

export class FilesDto extends TaggedFilesDto {
  @IntegerField({ min: 1, example: 1 })
  page: number;

  @IntegerField({ min: 1, example: 20 })
  per_page: number;
}

export class DeletedFileDto {
  @StringField({ example: 'File deleted' })
  message: string;

  @UuidField(ID)
  id: string;
}

export class FileTagDto {
  @UuidField(ID)
  file_id: string;

  @UuidField(ID)
  tag_id: string;
}

export class RemovedFileTagDto extends FileTagDto {
  @BooleanField({ example: true })
  removed: boolean;

  @BooleanField({ description: 'True if the file was deleted with its last tag.', example: false })
  node_deleted: boolean;
}

export class FileLinkDto {
  @StringField({
    format: 'uri',
    description: 'Works without other credentials, as long as you may download the file yourself.',
    example: 'http://127.0.0.1:3000/api/v1/raw-files/9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94/content?caller=app',
  })
  download_url: string;

  @StringField({ format: 'date-time', example: '2026-01-31T12:05:00.000Z' })
  expires_at: string;
}
