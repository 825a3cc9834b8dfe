import { TIERS } from '../../../config/config.js';
import { ID, TIME } from '../../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  DateField,
  EnumField,
  NestedArrayField,
  NestedField,
  StringArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { PageDto } from '../../../kernel/http/answers/page.js';
import { CLIENT_LEVELS, type ClientLevel } from '../../domain/app.js';
import { RedirectUrisField, WebAddressField } from './address-fields.js';
import { RequestedPermissionsDto } from './requested-permissions.dto.js';

const NAME = { min: 1, max: 100, trim: true, isName: true, example: 'Reading list' };
const DESCRIPTION = { max: 2000, nullable: true, example: 'Keeps the books you want to read.' };
const HOMEPAGE = { nullable: true, example: 'https://reading.example.org' };
const REDIRECTS = { example: ['https://reading.example.org/callback'] };
const LEVEL = { description: 'L1: native app. L2: third-party app.', example: 'L2' };
const KEY = { description: 'The secret; shown only now.', example: 'pig_live_<30 characters><checksum>' };
const KEY_NAME = { max: 100, isName: true, nullable: true, example: 'server 2' };

const NOT_FOR_USERS = { optional: true, description: 'Absent for user keys.' };

export class CreateAppBody {
  @StringField(NAME)
  name: string;

  @StringField({ ...DESCRIPTION, optional: true })
  description?: string | null;

  @WebAddressField({ ...HOMEPAGE, optional: true })
  homepage_url?: string | null;

  @RedirectUrisField({ ...REDIRECTS, default: [] })
  redirect_uris: string[];

  @EnumField(CLIENT_LEVELS, { ...LEVEL, default: 'L2' })
  client_level: ClientLevel;

  @NestedField(() => RequestedPermissionsDto)
  requested_permissions: RequestedPermissionsDto;
}

export class UpdateAppBody {
  @StringField({ ...NAME, optional: true })
  name?: string;

  @StringField({ ...DESCRIPTION, optional: true })
  description?: string | null;

  @WebAddressField({ ...HOMEPAGE, optional: true })
  homepage_url?: string | null;

  @RedirectUrisField({ ...REDIRECTS, optional: true })
  redirect_uris?: string[];

  @EnumField(CLIENT_LEVELS, { ...LEVEL, optional: true })
  client_level?: ClientLevel;

  @NestedField(() => RequestedPermissionsDto, {
    optional: true,
    description: 'Replaces all requested permissions.',
  })
  requested_permissions?: RequestedPermissionsDto;

  @BooleanField({
    optional: true,
    description: 'false deactivates the app: requests with its keys are refused with 403.',
    example: true,
  })
  is_active?: boolean;
}

/** An app as every user who may approve it is shown it. */
class AppForUsersDto {
  @UuidField(ID)
  id: string;

  @StringField(NAME)
  name: string;

  @StringField(DESCRIPTION)
  description: string | null;

  @StringField({ ...HOMEPAGE, format: 'uri' })
  homepage_url: string | null;

  @EnumField(CLIENT_LEVELS, LEVEL)
  client_level: ClientLevel;

  @NestedField(() => RequestedPermissionsDto)
  requested_permissions: RequestedPermissionsDto;
}

/** An app as its developer and its own keys are shown it. */
export class AppDto extends AppForUsersDto {
  @StringArrayField(REDIRECTS)
  redirect_uris: string[];

  @UuidField(ID)
  owner_id: string;

  @EnumField(TIERS, { example: 'free' })
  tier: string;

  @BooleanField({ example: true })
  is_active: boolean;

  @DateField(TIME)
  created_at: Date;

  @DateField(TIME)
  updated_at: Date;
}

export class CurrentAppDto extends AppForUsersDto {
  @StringArrayField({ ...REDIRECTS, ...NOT_FOR_USERS })
  redirect_uris?: string[];

  @UuidField({ ...ID, ...NOT_FOR_USERS })
  owner_id?: string;

  @EnumField(TIERS, { example: 'free', ...NOT_FOR_USERS })
  tier?: string;

  @BooleanField({ example: true, ...NOT_FOR_USERS })
  is_active?: boolean;

  @DateField({ ...TIME, ...NOT_FOR_USERS })
  created_at?: Date;

  @DateField({ ...TIME, ...NOT_FOR_USERS })
  updated_at?: Date;
}

export class CreatedAppDto extends AppDto {
  @StringField({ ...KEY, optional: true, description: 'The secret of the first key; shown only now.' })
  api_key?: string;
}

export class AppsDto extends PageDto {
  @NestedArrayField(() => AppDto)
  apps: AppDto[];
}

export class DeletedAppDto {
  @StringField({ example: 'App deleted' })
  message: string;

  @UuidField(ID)
  id: string;
}

export class CreateKeyBody {
  @StringField({ ...KEY_NAME, optional: true })
  name?: string | null;

  @DateField({
    optional: true,
    nullable: true,
    description: 'In the future. Absent or null: the key does not expire.',
    example: '2030-01-31T12:00:00.000Z',
  })
  expires_at?: Date | null;
}

export class KeyDto {
  @UuidField(ID)
  id: string;

  @StringField(KEY_NAME)
  name: string | null;

  @StringField({ description: 'The first characters, for recognizing the key.', example: 'pig_live_Ab3d' })
  prefix: string;

  @StringField({ example: 'x9Zk' })
  last_four: string;

  @DateField(TIME)
  created_at: Date;

  @DateField({ nullable: true, example: '2030-01-31T12:00:00.000Z' })
  expires_at: Date | null;
}

export class CreatedKeyDto extends KeyDto {
  @StringField({ ...KEY, optional: true })
  api_key?: string;
}

export class KeysDto extends PageDto {
  @NestedArrayField(() => KeyDto)
  keys: KeyDto[];
}
