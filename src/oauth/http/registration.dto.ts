import {
  AnyField,
  IntegerField,
  optional,
  StringArrayField,
  StringField,
} from '../../kernel/http/fields/fields.js';

const REDIRECTS = ['http://127.0.0.1:51234/callback'];
const GRANTS = ['authorization_code', 'refresh_token'];

/** The metadata of a client (RFC 7591, 2). The domain checks it, because its errors have codes of their own. */
export class RegistrationBody {
  @AnyField({ ...optional, description: 'A text of up to 100 characters.', example: 'Reading list' })
  client_name?: unknown;

  @AnyField({
    ...optional,
    description: 'Up to 20 absolute URIs without fragments, with http only for localhost.',
    example: REDIRECTS,
  })
  redirect_uris?: unknown;

  @AnyField({ ...optional, description: 'Those that are not supported are left out.', example: GRANTS })
  grant_types?: unknown;

  @AnyField({ ...optional, description: 'Always code.', example: ['code'] })
  response_types?: unknown;

  @AnyField({ ...optional, description: 'Any other method is replaced by none.', example: 'none' })
  token_endpoint_auth_method?: unknown;
}

export class RegistrationDto {
  @StringField({ example: '7d9f6a62-1f0c-4b2e-9a53-4c9be1d2a7f1' })
  client_id: string;

  @IntegerField({ description: 'Unix time.', example: 1_899_913_600 })
  client_id_issued_at: number;

  @StringField({ example: 'Reading list' })
  client_name: string;

  @StringArrayField({ example: REDIRECTS })
  redirect_uris: string[];

  @StringArrayField({ example: GRANTS })
  grant_types: string[];

  @StringArrayField({ example: ['code'] })
  response_types: string[];

  @StringField({ example: 'none' })
  token_endpoint_auth_method: string;
}
