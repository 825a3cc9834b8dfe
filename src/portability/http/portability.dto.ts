import { IntegerField, NestedField, StringField } from '../../kernel/http/fields/fields.js';

const ROWS = { example: 3 };

export class ImportedRowsDto {
  @IntegerField({ ...ROWS, description: 'Deleted ones included.' })
  nodes: number;

  @IntegerField(ROWS)
  relationships: number;

  @IntegerField(ROWS)
  tags: number;

  @IntegerField(ROWS)
  schemas: number;

  @IntegerField(ROWS)
  exposure_profiles: number;

  @IntegerField(ROWS)
  files: number;

  @IntegerField(ROWS)
  embeddings: number;

  @IntegerField(ROWS)
  sessions: number;

  @IntegerField({ ...ROWS, description: 'Entries of the change log.' })
  changes: number;
}

export class ImportedDto {
  @NestedField(() => ImportedRowsDto)
  imported: ImportedRowsDto;
}

export class EraseAccountBody {
  @StringField({
    max: 1000,
    format: 'password',
    description: 'The password of the account.',
    example: 'correct horse battery',
  })
  password: string;
}
