import {
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  ObjectField,
  StringArrayField,
  StringField,
  UuidField,
} from '../../kernel/http/fields.js';

const ID = { example: '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f' };
const TIME = { example: '2026-01-31T12:00:00.000Z' };
const DATA_TYPES = ['text', 'image', 'audio', 'video', 'document', 'other'];

/** A file as the raw-files family shows it (decisions 6.3). */
export class TaggedFileDto {
  @UuidField(ID)
  id: string;

  @StringField({ optional: true, nullable: true, example: 'letter.pdf' })
  filename?: string | null;

  @StringField({ optional: true, nullable: true, example: 'application/pdf' })
  content_type?: string | null;

  @IntegerField({
    optional: true,
    nullable: true,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    example: 20480,
    description: 'Bytes.',
  })
  size?: number | null;

  @EnumField(DATA_TYPES, { example: 'document' })
  data_type: string;

  @StringField({ optional: true, nullable: true, example: 'pdf' })
  format?: string | null;

  @EnumField(['structured', 'unstructured'], { example: 'unstructured' })
  structure_type: string;

  @UuidField({ ...ID, optional: true })
  owner_id?: string;

  @StringArrayField({ optional: true, each: { uuid: true }, example: [ID.example] })
  tag_ids?: string[];

  @ObjectField({ optional: true, nullable: true, description: 'At detail full.' })
  metadata?: Record<string, unknown> | null;

  @DateField(TIME)
  created_at: string;

  @DateField(TIME)
  updated_at: string;
}

export class TaggedFilesDto {
  @NestedArrayField(() => TaggedFileDto)
  files: TaggedFileDto[];

  @IntegerField({ min: 0, example: 1 })
  total: number;

  @IntegerField({ min: 1, example: 20 })
  limit: number;

  @IntegerField({ min: 0, example: 0 })
  offset: number;
}
