import {
  APP_KINDS,
  type AppKind,
  RequestedPermissionsDto,
  type Scope,
  SCOPES,
} from '../../identity/index.js';
import { NamedDto } from '../../kernel/http/answers/names.js';
import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  optional,
  StringArrayField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import { CreateProfileBody } from '../../privacy/index.js';

const REQUEST = {
  max: 32_768,
  description: 'The text in the address of the consent page.',
  example: 'q8Zr2mVnT0yW5cXbK1dLpA',
};
const PLACES = ['web', 'this_computer', 'app', 'device'] as const;

export class ConsentQuery {
  @StringField(REQUEST)
  request: string;
}

class ConsentClientDto {
  @UuidField(ID)
  app_id: string;

  @StringField({ example: 'Claude Code' })
  name: string;

  @EnumField(APP_KINDS, { example: 'document' })
  kind: AppKind;

  @StringField({ nullable: true, description: 'The site that vouches for the client.', example: 'claude.ai' })
  host: string | null;

  @BooleanField({ description: 'True if a site vouches for the client.', example: true })
  verified: boolean;

  @StringField({ nullable: true, example: null })
  homepage_url: string | null;
}

class ReturnDto {
  @StringField({
    nullable: true,
    description: 'Null for a device.',
    example: 'http://localhost:51234/callback',
  })
  uri: string | null;

  @StringField({ nullable: true, description: 'Null for a device.', example: 'localhost:51234' })
  host: string | null;

  @EnumField(PLACES, { example: 'this_computer' })
  kind: (typeof PLACES)[number];
}

class AskedScopeDto {
  @EnumField(SCOPES, { example: 'graph:read' })
  scope: Scope;

  @BooleanField({ description: 'False: the person may leave it out.', example: true })
  required: boolean;
}

class SelectableProfileDto {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'Work only' })
  name: string;

  @BooleanField({ example: false })
  is_default: boolean;

  @StringArrayField({
    description: 'The scopes of this request that the profile does not grant.',
    example: [],
  })
  lacks: Scope[];
}

class ExistingDto {
  @UuidField(ID)
  authorization_id: string;

  @NestedField(() => NamedDto, { nullable: true })
  exposure_profile: NamedDto | null;

  @StringArrayField({ example: ['graph:read'] })
  scopes: Scope[];

  @DateField({ ...TIME, nullable: true })
  expires_at: Date | null;

  @IntegerField({ description: 'The number of connected devices.', example: 1 })
  sessions: number;
}

class ConsentUserDto {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'alice' })
  username: string;
}

export class ConsentDto {
  @NestedField(() => ConsentClientDto)
  client: ConsentClientDto;

  @NestedField(() => ReturnDto)
  returns_to: ReturnDto;

  @NestedArrayField(() => AskedScopeDto)
  scopes: AskedScopeDto[];

  @NestedField(() => RequestedPermissionsDto, {
    description: 'The permissions behind all scopes, with their schemas.',
  })
  permissions: RequestedPermissionsDto;

  @StringField({
    nullable: true,
    description: 'The reason that the app states.',
    example: 'Weekly review of goals',
  })
  purpose: string | null;

  @IntegerField({ description: 'The proposed length of the authorization, in days.', example: 90 })
  expires_in_days: number;

  @NestedArrayField(() => SelectableProfileDto, { description: 'Your profiles, narrowest first.' })
  profiles: SelectableProfileDto[];

  @NestedField(() => ExistingDto, {
    nullable: true,
    description: 'The authorization that allowing replaces.',
  })
  existing: ExistingDto | null;

  @NestedField(() => ConsentUserDto)
  user: ConsentUserDto;

  @DateField({ ...TIME, description: 'The end of the request.' })
  expires_at: Date;
}

const DECISIONS = ['allow', 'deny'] as const;

export class DecideBody {
  @StringField(REQUEST)
  request: string;

  @EnumField(DECISIONS, { example: 'deny' })
  decision: (typeof DECISIONS)[number];

  @StringArrayField({
    ...optional,
    maxItems: SCOPES.length,
    each: { enum: SCOPES },
    description: 'The scopes that you allow; required to allow.',
    example: ['graph:read'],
  })
  scopes?: Scope[];

  @StringField({ ...optional, nullable: true, format: 'uuid', description: 'One of your profiles.', ...ID })
  exposure_profile_id?: string | null;

  @NestedField(() => CreateProfileBody, {
    ...optional,
    nullable: true,
    description: 'A profile to create in place of an existing one.',
  })
  new_profile?: CreateProfileBody | null;

  @DateField({
    ...optional,
    nullable: true,
    description: 'The end; null or absent: none.',
    example: '2030-01-31T12:00:00.000Z',
  })
  expires_at?: Date | null;
}

export class DecidedDto {
  @StringField({
    nullable: true,
    description: 'The address to open next; null where a device was connected or refused.',
    example: 'http://localhost:51234/callback?code=…&state=…&iss=…',
  })
  redirect_to: string | null;
}

export class DeviceBody {
  @StringField({ min: 1, max: 40, description: 'The code that the device shows.', example: 'BCDF-GHJK' })
  user_code: string;
}

export class DeviceRequestDto {
  @StringField(REQUEST)
  request: string;
}
