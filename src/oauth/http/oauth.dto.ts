import { SCOPES } from '../../identity/index.js';
import {
  AnyArrayField,
  BooleanField,
  IntegerField,
  optional,
  StringArrayField,
  StringField,
} from '../../kernel/http/fields/fields.js';

const text = (description: string, example?: string) => ({
  ...optional,
  max: 4096,
  description,
  ...(example === undefined ? {} : { example }),
});
const CLIENT_ID = text(
  'Id of an app, or the address of a client’s document.',
  '7d9f6a62-1f0c-4b2e-9a53-4c9be1d2a7f1',
);

/** The credentials of a client in a form; the header `Authorization: Basic` may carry them instead. */
class ClientFields {
  @StringField(CLIENT_ID)
  client_id?: string;

  @StringField(text('A key of the app; public clients send none.'))
  client_secret?: string;
}

export class TokenBody extends ClientFields {
  @StringField({ ...text('The grant.', 'authorization_code') })
  grant_type?: string;

  @StringField(text('The code of the answer.'))
  code?: string;

  @StringField(text('As in the request.', 'http://localhost:51234/callback'))
  redirect_uri?: string;

  @StringField(text('The text from which the challenge was made (RFC 7636).'))
  code_verifier?: string;

  @StringField(text('A refresh token.'))
  refresh_token?: string;

  @StringField(text('The code of a waiting device.'))
  device_code?: string;

  @StringField(text('Fewer scopes than before, for this access token only.', 'graph:read'))
  scope?: string;

  @StringField(text('The address that the token is for (RFC 8707).'))
  resource?: string;
}

export class TokenDto {
  @StringField({ example: 'pig_at_<43 characters><checksum>' })
  access_token: string;

  @StringField({ example: 'Bearer' })
  token_type: string;

  @IntegerField({ description: 'Seconds.', example: 86_400 })
  expires_in: number;

  @StringField({ example: 'pig_rt_<43 characters><checksum>' })
  refresh_token: string;

  @StringField({ description: 'The granted scopes.', example: 'graph:read graph:propose' })
  scope: string;

  @AnyArrayField({ ...optional, description: 'As granted, where the request had such details (RFC 9396).' })
  authorization_details?: object[];
}

export class TokenTextBody extends ClientFields {
  @StringField(text('An access token or a refresh token.'))
  token?: string;

  @StringField(text('`access_token` or `refresh_token`; not needed.'))
  token_type_hint?: string;
}

/** An empty object, whatever the token was (RFC 7009, 2.2). */
export class RevokedTokenDto {}

export class IntrospectionDto {
  @BooleanField({ example: true })
  active: boolean;

  @StringField({ ...optional, example: 'graph:read' })
  scope?: string;

  @StringField({ ...optional })
  client_id?: string;

  @StringField({ ...optional, example: 'Bearer' })
  token_type?: string;

  @IntegerField({ ...optional, description: 'Unix time.', example: 1_900_000_000 })
  exp?: number;

  @IntegerField({ ...optional, description: 'Unix time.', example: 1_899_913_600 })
  iat?: number;

  @StringField({ ...optional, description: 'Id of the person.' })
  sub?: string;

  @StringField({ ...optional, example: 'https://graph.example.org' })
  aud?: string;

  @StringField({ ...optional, example: 'https://graph.example.org' })
  iss?: string;

  @StringField({ ...optional, description: 'Id of the authorization.' })
  authorization_id?: string;
}

export class PushBody extends ClientFields {
  @StringField(text('Always code.', 'code'))
  response_type?: string;

  @StringField(text('Always query.', 'query'))
  response_mode?: string;

  @StringField(text('One of the client.', 'http://localhost:51234/callback'))
  redirect_uri?: string;

  @StringField(text('Comes back unchanged.'))
  state?: string;

  @StringField(text('By S256 (RFC 7636).'))
  code_challenge?: string;

  @StringField(text('Always S256.', 'S256'))
  code_challenge_method?: string;

  @StringField(text('Scopes, with spaces between them.', 'graph:read graph:propose'))
  scope?: string;

  @StringField(text('The address that tokens are for (RFC 8707).'))
  resource?: string;

  @StringField(text('JSON: an array with one object of type graph_access (RFC 9396).'))
  authorization_details?: string;

  @StringField(text('Refused: request objects are not supported.'))
  request?: string;

  @StringField(text('The address of pushed parameters (RFC 9126).'))
  request_uri?: string;
}

export class PushedDto {
  @StringField({ example: 'urn:ietf:params:oauth:request_uri:<text>' })
  request_uri: string;

  @IntegerField({ description: 'Seconds.', example: 600 })
  expires_in: number;
}

export class DeviceAuthorizationBody extends ClientFields {
  @StringField(text('Scopes, with spaces between them.', 'graph:read'))
  scope?: string;

  @StringField(text('The address that tokens are for (RFC 8707).'))
  resource?: string;

  @StringField(text('JSON: an array with one object of type graph_access (RFC 9396).'))
  authorization_details?: string;
}

export class DeviceAuthorizationDto {
  @StringField()
  device_code: string;

  @StringField({ example: 'BCDF-GHJK' })
  user_code: string;

  @StringField({ example: 'https://graph.example.org/console/device' })
  verification_uri: string;

  @StringField({ example: 'https://graph.example.org/console/device?user_code=BCDF-GHJK' })
  verification_uri_complete: string;

  @IntegerField({ description: 'Seconds.', example: 900 })
  expires_in: number;

  @IntegerField({ description: 'Seconds between two questions.', example: 5 })
  interval: number;
}

export class ServerMetadataDto {
  @StringField({ example: 'https://graph.example.org' })
  issuer: string;

  @StringField()
  authorization_endpoint: string;

  @StringField()
  token_endpoint: string;

  @StringField({ ...optional })
  registration_endpoint?: string;

  @StringField()
  revocation_endpoint: string;

  @StringField()
  introspection_endpoint: string;

  @StringField()
  pushed_authorization_request_endpoint: string;

  @StringField()
  device_authorization_endpoint: string;

  @StringArrayField({ example: [...SCOPES] })
  scopes_supported: string[];

  @StringArrayField({ example: ['code'] })
  response_types_supported: string[];

  @StringArrayField({ example: ['query'] })
  response_modes_supported: string[];

  @StringArrayField({ example: ['authorization_code', 'refresh_token'] })
  grant_types_supported: string[];

  @StringArrayField({ example: ['none', 'client_secret_basic'] })
  token_endpoint_auth_methods_supported: string[];

  @StringArrayField({ example: ['none', 'client_secret_basic'] })
  revocation_endpoint_auth_methods_supported: string[];

  @StringArrayField({ example: ['none', 'client_secret_basic'] })
  introspection_endpoint_auth_methods_supported: string[];

  @StringArrayField({ example: ['S256'] })
  code_challenge_methods_supported: string[];

  @StringArrayField({ example: ['graph_access'] })
  authorization_details_types_supported: string[];

  @BooleanField({ example: true })
  authorization_response_iss_parameter_supported: boolean;

  @BooleanField({ example: true })
  client_id_metadata_document_supported: boolean;

  @StringField({ example: 'https://graph.example.org/docs' })
  service_documentation: string;
}

export class ResourceMetadataDto {
  @StringField({ example: 'https://graph.example.org/mcp' })
  resource: string;

  @StringArrayField({ example: ['https://graph.example.org'] })
  authorization_servers: string[];

  @StringArrayField({ example: ['graph:read', 'graph:propose'] })
  scopes_supported: string[];

  @StringArrayField({ example: ['header'] })
  bearer_methods_supported: string[];

  @StringField({ example: 'Personal identity graph' })
  resource_name: string;
}
