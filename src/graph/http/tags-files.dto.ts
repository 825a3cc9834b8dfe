import { ID, TIME } from '../../kernel/http/examples.js';
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
import { PageDto } from '../../kernel/http/page.js';

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

export class TaggedFilesDto extends PageDto {
  @NestedArrayField(() => TaggedFileDto)
  files: TaggedFileDto[];
}
