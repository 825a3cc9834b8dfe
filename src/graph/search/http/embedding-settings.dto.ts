import {
  EnumField,
  IntegerField,
  NestedField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { ID } from '../../../kernel/http/openapi/examples.js';
import { EMBEDDING_STATES } from '../application/embedding-settings.service.js';

const PROFILE =
  'The exposure profile that decides: the text of nodes that it does not show in full is never sent. Null: off.';

export class EmbeddingSettingsBody {
  @StringField({ nullable: true, min: 1, max: 64, description: PROFILE, example: null })
  profile_id: string | null;
}

class EmbeddingServiceDto {
  @StringField({ description: 'Where texts are sent.', example: 'api.example.org' })
  host: string;

  @StringField({ example: 'text-embedding-3-small' })
  model: string;
}

export class EmbeddingSettingsDto {
  @UuidField({ nullable: true, description: PROFILE, ...ID })
  profile_id: string | null;

  @EnumField(EMBEDDING_STATES, {
    description:
      '`off`; `removing`: vectors that the service has made are being removed; `working`: texts wait for their vectors; `up_to_date`: every text that may be sent has been.',
    example: 'off',
  })
  state: (typeof EMBEDDING_STATES)[number];

  @IntegerField({ description: 'Vectors that the service has made.', example: 0 })
  vectors: number;

  @NestedField(() => EmbeddingServiceDto, {
    nullable: true,
    description: "The operator's service for vectors. Null: there is none, and nothing can be switched on.",
  })
  service: EmbeddingServiceDto | null;
}
