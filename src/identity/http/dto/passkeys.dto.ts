import { CHALLENGE_LIFETIME_MS } from '../../domain/challenge.js';
import { type CreatedAnswer, type UsedAnswer } from '../../domain/passkey.js';
import { ID, TIME } from '../../../kernel/http/openapi/examples.js';
import {
  DateField,
  IntegerField,
  NestedArrayField,
  NestedField,
  ObjectField,
  optional,
  StringArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { SessionField, type SessionKind } from './auth.dto.js';

const CREDENTIAL_ID = {
  max: 1400,
  description: 'As the browser sent it, in base64url.',
  example: 'bXktcGFzc2tleS1uci0x',
};
const BASE64URL = { max: 12_000, format: 'base64url' };
const CLIENT_DATA = {
  ...BASE64URL,
  description: 'Contains the challenge; each is valid for one answer.',
  example: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiLi4uIn0',
};
const NAME = {
  min: 1,
  max: 100,
  trim: true,
  isName: true,
  description: 'Your own name for the passkey, such as its place.',
  example: 'My phone',
};

class CreatedResponse {
  @StringField(CLIENT_DATA)
  clientDataJSON: string;

  @StringField({
    ...BASE64URL,
    description: 'Contains the public key. Statements about the maker of the device are ignored.',
    example: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
  })
  attestationObject: string;

  @StringArrayField({
    ...optional,
    maxItems: 10,
    each: { max: 32, pattern: /^[a-z-]+$/, expected: 'small letters and dashes' },
    description: 'Ways to the device, sent to browsers with later challenges.',
    example: ['internal', 'hybrid'],
  })
  transports?: string[];
}

class UsedResponse {
  @StringField(CLIENT_DATA)
  clientDataJSON: string;

  @StringField({ ...BASE64URL, example: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ' })
  authenticatorData: string;

  @StringField({ ...BASE64URL, example: 'MEUCIQDx5Q' })
  signature: string;

  @StringField({
    ...optional,
    max: 100,
    description: 'The account of the passkey; needed to log in.',
    example: 'my9sHjpHTQiMXR8Oemstl',
  })
  userHandle?: string;
}

abstract class Credential {
  @StringField(CREDENTIAL_ID)
  id: string;

  @StringField({ ...CREDENTIAL_ID, description: 'The same.' })
  rawId: string;

  @StringField({ max: 40, description: 'Always `public-key`.', example: 'public-key' })
  type: string;
}

class CreatedCredential extends Credential implements CreatedAnswer {
  @NestedField(() => CreatedResponse)
  response: CreatedResponse;
}

class UsedCredential extends Credential implements UsedAnswer {
  @NestedField(() => UsedResponse)
  response: UsedResponse;
}

export class AddPasskeyBody {
  @StringField(NAME)
  name: string;

  @NestedField(() => CreatedCredential, {
    description: 'The answer of `navigator.credentials.create`, by `toJSON()`.',
  })
  credential: CreatedCredential;
}

export class UsePasskeyBody {
  @NestedField(() => UsedCredential, {
    description: 'The answer of `navigator.credentials.get`, by `toJSON()`.',
  })
  credential: UsedCredential;
}

export class LogInPasskeyBody extends UsePasskeyBody {
  @SessionField()
  session?: SessionKind;
}

export class RenamePasskeyBody {
  @StringField(NAME)
  name: string;
}

abstract class Options {
  @IntegerField({
    description: 'Seconds until the challenge expires.',
    example: CHALLENGE_LIFETIME_MS / 1000,
  })
  expires_in: number;
}

const OPTIONS_SCHEMA = {
  additionalProperties: true,
  properties: { challenge: { type: 'string', format: 'base64url' } },
};

export class PasskeyCreationDto extends Options {
  @ObjectField({
    schema: OPTIONS_SCHEMA,
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON` and then `navigator.credentials.create`.',
    example: {
      challenge: 'pDFqVqkYJtFmGZhEwbHOx0YMFnSZDq3xUyCzDbsRo1c',
      rp: { id: 'graph.example', name: 'Personal Identity Graph' },
    },
  })
  public_key: object;
}

export class PasskeyRequestDto extends Options {
  @ObjectField({
    schema: OPTIONS_SCHEMA,
    description:
      'For `PublicKeyCredential.parseRequestOptionsFromJSON` and then `navigator.credentials.get`.',
    example: {
      challenge: 'pDFqVqkYJtFmGZhEwbHOx0YMFnSZDq3xUyCzDbsRo1c',
      rpId: 'graph.example',
      userVerification: 'required',
    },
  })
  public_key: object;
}

export class PasskeyDto {
  @UuidField(ID)
  id: string;

  @StringField(NAME)
  name: string;

  @DateField(TIME)
  created_at: Date;

  @DateField({ ...TIME, nullable: true })
  last_used_at: Date | null;

  @DateField({
    ...TIME,
    nullable: true,
    description:
      'The last time when its answer was refused because its counter went back: a copy of it may exist. Remove it then.',
  })
  copy_suspected_at: Date | null;
}

export class PasskeysDto {
  @NestedArrayField(() => PasskeyDto, { description: 'The oldest first.' })
  passkeys: PasskeyDto[];

  @IntegerField({ min: 0, example: 1 })
  total: number;
}
