import {
  APP_KINDS,
  type AppKind,
  RequestedPermissionsDto,
  type Scope,
  SCOPES,
  SESSION_ENDS,
  type SessionEnd,
} from '../../../identity/index.js';
import { ID, TIME } from '../../../kernel/http/openapi/examples.js';
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
} from '../../../kernel/http/fields/fields.js';
import { NamedDto, NamedUserDto } from '../../../kernel/http/answers/names.js';
import { PageDto, PageQuery } from '../../../kernel/http/answers/page.js';
import { AUTHORIZATION_STATUSES, type AuthorizationStatus } from '../../domain/authorization.js';
import { UpdateProfileBody } from './exposure-profiles.dto.js';
import { VerbCountsDto } from './verb-counts.dto.js';

const EXPIRY = {
  nullable: true,
  description: 'In the future. Null: it does not end by itself.',
  example: '2030-01-31T12:00:00.000Z',
};
// A malformed id reads as absent, however long it is: 404, like an unknown one (rules 11).
const REFERENCE = { format: 'uuid', ...ID };
const APP = { ...REFERENCE, description: 'Id of an app; its developer has it from POST or GET /apps.' };
const PROFILE = { ...REFERENCE, description: 'Id of one of your profiles, from GET /exposure-profiles.' };
const MISSING = { description: 'Such as `tags.propose` or `schemas.write:<id>`.', example: ['tags.propose'] };

export class PreviewQuery {
  @StringField(APP)
  app_id: string;
}

const REQUEST_VERSION = { example: 'q8Zr2mVnT0yW5cXbK1dLpA' };

const SAVE_MODES = ['overwrite', 'save_as_new'] as const;
export type SaveMode = (typeof SAVE_MODES)[number];

export class ApproveBody {
  @StringField(APP)
  app_id: string;

  @StringField(PROFILE)
  exposure_profile_id: string;

  @NestedField(() => UpdateProfileBody, {
    ...optional,
    nullable: true,
    description: 'Fields of the profile to change while approving; needs save_mode.',
  })
  customizations?: UpdateProfileBody | null;

  @EnumField(SAVE_MODES, {
    ...optional,
    nullable: true,
    description: 'The target of customizations: the profile, or a copy of it.',
    example: 'save_as_new',
  })
  save_mode?: SaveMode | null;

  @StringField({
    ...optional,
    nullable: true,
    min: 1,
    max: 100,
    trim: true,
    isName: true,
    description: 'Name of the copy; required with save_as_new.',
    example: 'Work only, for the reading list',
  })
  new_profile_name?: string | null;

  @DateField({ ...EXPIRY, ...optional })
  expires_at?: Date | null;

  @StringField({
    ...optional,
    nullable: true,
    max: 100,
    example: null,
    description:
      'From the preview that you were shown. If the app has changed since, nothing is approved. Absent: the one that you ' +
      'were last shown, where there is one.',
  })
  request_version?: string | null;
}

export class UpdateAuthorizationBody {
  @StringField({ ...PROFILE, ...optional })
  exposure_profile_id?: string;

  @DateField({ ...EXPIRY, ...optional })
  expires_at?: Date | null;

  @StringArrayField({
    ...optional,
    maxItems: SCOPES.length,
    each: { enum: SCOPES },
    description: 'The scopes that remain: some of those approved. The others need a new request of the app.',
    example: [...SCOPES],
  })
  scopes?: Scope[];
}

/** The program behind an app, for the person who let it in. */
class ClientDto {
  @StringField({ example: 'Reading list' })
  name: string;

  @StringField({
    nullable: true,
    description: 'The site that vouches for the app; null for none.',
    example: null,
  })
  host: string | null;

  @BooleanField({ description: 'True if a site vouches for the app.', example: false })
  verified: boolean;

  @EnumField(APP_KINDS, {
    description:
      'The developer registered it here, a document on its site describes it, or it registered itself.',
    example: 'registered',
  })
  kind: AppKind;
}

export class AuthorizationDto {
  @UuidField(ID)
  id: string;

  @UuidField(ID)
  app_id: string;

  @StringField({ description: 'The current name of the app.', example: 'Reading list' })
  app_name: string;

  @StringField({
    nullable: true,
    description: 'Its name when you approved it; null for approvals older than this field.',
    example: 'Reading list',
  })
  app_name_at_approval: string | null;

  @UuidField(ID)
  user_id: string;

  @UuidField(ID)
  exposure_profile_id: string;

  @EnumField(AUTHORIZATION_STATUSES, { example: 'active' })
  status: AuthorizationStatus;

  @NestedField(() => RequestedPermissionsDto, { description: 'The ceiling as approved.' })
  requested_permissions: RequestedPermissionsDto;

  @BooleanField({ description: 'The app now requests more than was approved.', example: false })
  upgrade_pending: boolean;

  @DateField(TIME)
  created_at: Date;

  @DateField(TIME)
  updated_at: Date;

  @DateField(EXPIRY)
  expires_at: Date | null;

  @DateField({ ...TIME, nullable: true })
  revoked_at: Date | null;

  @NestedField(() => NamedDto)
  app: NamedDto;

  @NestedField(() => NamedUserDto, { nullable: true, description: 'You; null for the app.' })
  user: NamedUserDto | null;

  @NestedField(() => NamedDto, { nullable: true, description: 'Null for the app.' })
  profile: NamedDto | null;

  @DateField({
    ...TIME,
    nullable: true,
    description: 'The last use that the access log knows, of 90 days; null for the app.',
  })
  last_used_at: Date | null;

  @StringField({
    nullable: true,
    description: 'The reason that the app stated.',
    example: 'Weekly review of goals',
  })
  purpose: string | null;

  @StringArrayField({
    description: 'The permissions as approved, as scopes of OAuth.',
    example: ['graph:read'],
  })
  scopes: Scope[];

  @NestedField(() => ClientDto)
  client: ClientDto;

  @IntegerField({
    nullable: true,
    description: 'The number of devices that are connected by tokens; null for the app.',
    example: 1,
  })
  sessions: number | null;

  @NestedField(() => VerbCountsDto, {
    ...optional,
    nullable: true,
    description:
      'With include_node_counts: the number of your own nodes that the app may read, propose changes to, edit and delete; ' +
      'null for an app that may not be used now.',
  })
  node_counts?: VerbCountsDto | null;
}

export class ApprovedDto extends AuthorizationDto {
  @StringField({
    ...optional,
    description: 'Key of the app bound to this authorization; shown only now, not when one was replaced.',
    example: 'pig_user_<30 characters><checksum>',
  })
  user_key?: string;
}

export class AuthorizationsQuery extends PageQuery {
  @EnumField(AUTHORIZATION_STATUSES, {
    ...optional,
    description: 'Only those of this status.',
    example: 'active',
  })
  status?: AuthorizationStatus;

  @BooleanField({
    default: false,
    description: 'Adds node_counts to each authorization, of at most 20 on a page.',
  })
  include_node_counts: boolean;
}

export class AuthorizationsDto extends PageDto {
  @NestedArrayField(() => AuthorizationDto)
  authorizations: AuthorizationDto[];
}

const SESSION_STATUSES = ['active', 'ended'] as const;
type SessionStatus = (typeof SESSION_STATUSES)[number];

export class AppSessionsQuery extends PageQuery {
  @EnumField(SESSION_STATUSES, {
    default: 'active',
    description: 'Those that are connected, or those that have ended in the last 90 days.',
    example: 'active',
  })
  status: SessionStatus;
}

class AppSessionDto {
  @UuidField(ID)
  id: string;

  @EnumField(SESSION_STATUSES, { example: 'active' })
  status: SessionStatus;

  @StringField({
    nullable: true,
    description: 'The device as its client says it; null if it says none.',
    example: 'Claude Code on a laptop',
  })
  device: string | null;

  @StringArrayField({ example: ['graph:read'] })
  scopes: Scope[];

  @DateField(TIME)
  created_at: Date;

  @DateField({ ...TIME, description: 'The last time that the device was issued tokens.' })
  last_used_at: Date;

  @DateField({ ...TIME, nullable: true, example: null })
  ended_at: Date | null;

  @EnumField(SESSION_ENDS, {
    nullable: true,
    description:
      'The reason of its end. `refresh_token_reused`, `code_reused`: what it connected with was used a second time, by ' +
      'somebody who may have copied it. `unused`: its tokens expired. Null for ends before reasons were stored.',
    example: null,
  })
  end_reason: SessionEnd | null;
}

export class AppSessionsDto extends PageDto {
  @NestedArrayField(() => AppSessionDto)
  sessions: AppSessionDto[];
}

export class EndedSessionDto {
  @StringField({ example: 'Session ended' })
  message: string;

  @UuidField(ID)
  id: string;
}

export class RevokedAuthorizationDto {
  @StringField({ example: 'Authorization revoked' })
  message: string;

  @UuidField(ID)
  id: string;

  @EnumField(['revoked'], { example: 'revoked' })
  status: 'revoked';
}

class PreviewedApp {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'Reading list' })
  name: string;

  @StringField({ nullable: true, example: 'Keeps the books you want to read.' })
  description: string | null;

  @StringField({ nullable: true, format: 'uri', example: 'https://reading.example.org' })
  homepage_url: string | null;

  @EnumField(['L1', 'L2'], { example: 'L2' })
  client_level: string;
}

class PreviewedProfile {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'Work only' })
  name: string;

  @BooleanField({ example: false })
  is_default: boolean;

  @BooleanField({ description: 'Grants everything that the app requests.', example: false })
  satisfies: boolean;

  @StringArrayField(MISSING)
  missing: string[];
}

export class PreviewDto {
  @NestedField(() => PreviewedApp)
  app: PreviewedApp;

  @NestedField(() => RequestedPermissionsDto)
  requested_permissions: RequestedPermissionsDto;

  @StringField({
    ...REQUEST_VERSION,
    description:
      'Changes whenever the app changes its requests or its description; POST /authorizations ' + 'takes it.',
  })
  request_version: string;

  @NestedArrayField(() => PreviewedProfile)
  profiles: PreviewedProfile[];
}

export class CurrentAuthorizationDto {
  @NestedField(() => AuthorizationDto)
  authorization: AuthorizationDto;

  @NestedField(() => RequestedPermissionsDto, { description: 'The permissions that the app requests now.' })
  requested_permissions: RequestedPermissionsDto;

  @NestedField(() => RequestedPermissionsDto, { description: 'The permissions that the profile grants.' })
  granted_permissions: RequestedPermissionsDto;

  @NestedField(() => RequestedPermissionsDto, {
    description: 'The effective permissions: requested and granted.',
  })
  effective_permissions: RequestedPermissionsDto;

  @StringArrayField({ ...MISSING, description: 'Requested and not effective, such as `tags.propose`.' })
  missing: string[];
}
