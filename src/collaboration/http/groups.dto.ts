import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  optional,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { NamedDto, NamedUserDto } from '../../kernel/http/answers/names.js';
import { PageDto } from '../../kernel/http/answers/page.js';
import { ExposureProfileDto } from '../../privacy/index.js';
import {
  DELETION_POLICIES,
  type DeletionPolicy,
  type InvitationStatus,
  type Role,
  ROLES,
} from '../domain/group.js';

const NAME = { min: 1, max: 100, trim: true, isName: true, example: 'Sailing crew' };
const DESCRIPTION = { nullable: true, max: 2_000, example: 'What we know about the boat.' };
const POLICY = {
  description: 'When the last admin leaves: the group ends, or the longest-standing member becomes admin.',
  example: 'disband',
};
export const MESSAGE = { nullable: true, max: 1_000, example: 'Come aboard.' };
const TOTAL = { min: 0, example: 1 };
const PROFILE = {
  nullable: true,
  description: "One of the group's exposure profiles; without one a member reads all and writes nothing.",
  ...ID,
};

export class CreateGroupBody {
  @StringField(NAME)
  name: string;

  @StringField({ ...DESCRIPTION, ...optional })
  description?: string | null;

  @EnumField(DELETION_POLICIES, { ...POLICY, default: 'disband' })
  deletion_policy: DeletionPolicy;
}

export class UpdateGroupBody {
  @StringField({ ...NAME, ...optional })
  name?: string;

  @StringField({ ...DESCRIPTION, ...optional })
  description?: string | null;

  @EnumField(DELETION_POLICIES, { ...POLICY, ...optional })
  deletion_policy?: DeletionPolicy;
}

export class GroupDto {
  @UuidField(ID)
  id: string;

  @StringField(NAME)
  name: string;

  @StringField(DESCRIPTION)
  description: string | null;

  @EnumField(DELETION_POLICIES, POLICY)
  deletion_policy: DeletionPolicy;

  @UuidField(ID)
  created_by: string;

  @DateField(TIME)
  created_at: Date;

  @DateField(TIME)
  updated_at: Date;

  @BooleanField({ example: true })
  is_active: boolean;

  @IntegerField({ min: 1, example: 1 })
  member_count: number;

  @EnumField(ROLES, { example: 'admin' })
  my_role: Role;
}

export class GroupsDto {
  @NestedArrayField(() => GroupDto)
  groups: GroupDto[];

  @IntegerField(TOTAL)
  total: number;
}

export class DisbandedGroupDto {
  @StringField({ example: 'Group disbanded' })
  message: string;

  @UuidField(ID)
  id: string;
}

export class UpdateMemberBody {
  @EnumField(ROLES, { ...optional, example: 'member' })
  role?: Role;

  @StringField({ ...PROFILE, ...optional, format: 'uuid' })
  exposure_profile_id?: string | null;
}

export class MemberDto {
  @UuidField(ID)
  user_id: string;

  @StringField({ nullable: true, example: 'ines' })
  username: string | null;

  @EnumField(ROLES, { example: 'member' })
  role: Role;

  @UuidField(PROFILE)
  exposure_profile_id: string | null;

  @DateField(TIME)
  joined_at: Date;

  @NestedField(() => NamedDto, { nullable: true, description: 'Shown to admins of the group.' })
  exposure_profile: NamedDto | null;
}

export class MembersDto {
  @NestedArrayField(() => MemberDto)
  members: MemberDto[];

  @IntegerField(TOTAL)
  total: number;
}

export class LeftGroupDto {
  @StringField({ example: 'Member removed' })
  message: string;

  @BooleanField({ description: 'True if the group continues.', example: true })
  group_active: boolean;

  @UuidField({ nullable: true, description: 'The member who has become admin.', ...ID, example: null })
  new_admin_id: string | null;
}

export class InviteBody {
  @StringField({ format: 'uuid', ...ID, description: 'Found by `GET /users?username=`.' })
  user_id: string;

  @EnumField(ROLES, { default: 'member' })
  role: Role;

  @StringField({
    ...PROFILE,
    ...optional,
    format: 'uuid',
    description:
      "One of the group's exposure profiles, or null for none: a member without one reads all and writes nothing. Left out: the profile that the user had as a member before.",
  })
  exposure_profile_id?: string | null;

  @StringField({ ...MESSAGE, ...optional })
  message?: string | null;
}

export class AnswerBody {
  @EnumField(['accept', 'decline'], { example: 'accept' })
  action: 'accept' | 'decline';
}

export class InvitationDto {
  @UuidField(ID)
  id: string;

  @UuidField(ID)
  group_id: string;

  @StringField(NAME)
  group_name: string;

  @UuidField(ID)
  invited_user_id: string;

  @UuidField(ID)
  invited_by: string;

  @EnumField(ROLES, { example: 'member' })
  role: Role;

  @UuidField({
    ...PROFILE,
    ...optional,
    description: 'The profile of the future member; shown to admins of the group.',
  })
  exposure_profile_id?: string | null;

  @StringField(MESSAGE)
  message: string | null;

  @EnumField(['pending', 'accepted', 'declined', 'cancelled'], { example: 'pending' })
  status: InvitationStatus;

  @DateField(TIME)
  created_at: Date;

  @DateField({ nullable: true, example: null })
  responded_at: Date | null;

  @NestedField(() => NamedDto)
  group: NamedDto;

  @NestedField(() => NamedUserDto, { nullable: true })
  invited_user: NamedUserDto | null;

  @NestedField(() => NamedUserDto, { nullable: true, description: 'The admin who invites.' })
  inviter: NamedUserDto | null;

  @NestedField(() => NamedDto, { ...optional, nullable: true, description: 'Shown to admins of the group.' })
  exposure_profile?: NamedDto | null;
}

export class InvitationsDto extends PageDto {
  @NestedArrayField(() => InvitationDto)
  invitations: InvitationDto[];
}

export class GroupShareBody {
  @StringField({ format: 'uuid', description: 'One of your own exposure profiles.', ...ID })
  exposure_profile_id: string;
}

export class GroupShareDto {
  @UuidField(ID)
  group_id: string;

  @UuidField(ID)
  user_id: string;

  @UuidField(ID)
  exposure_profile_id: string;

  @BooleanField({ example: true })
  is_active: boolean;

  @DateField(TIME)
  created_at: Date;

  @DateField(TIME)
  updated_at: Date;

  @NestedField(() => NamedDto)
  group: NamedDto;

  @NestedField(() => NamedUserDto, { nullable: true, description: 'You.' })
  user: NamedUserDto | null;

  @NestedField(() => NamedDto, { nullable: true })
  exposure_profile: NamedDto | null;
}

export class RevokedGroupShareDto {
  @StringField({ example: 'The group no longer sees your data' })
  message: string;

  @UuidField(ID)
  group_id: string;
}

export class GroupProfilesDto extends PageDto {
  @NestedArrayField(() => ExposureProfileDto)
  exposure_profiles: ExposureProfileDto[];
}
