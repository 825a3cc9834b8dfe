import { Body, Controller, Delete, Get, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { StepUp } from '../../identity/index.js';
import { type Room } from '../../kernel/database/page-bytes.js';
import { type ErrorCode } from '../../kernel/errors/catalogue.js';
import { pageWithinBytes, type RowsOfList } from '../../kernel/http/answers/page-within-bytes.js';
import { PageQuery } from '../../kernel/http/answers/page.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { ifVersionMatches, setEtag } from '../../kernel/http/preconditions.js';
import {
  Accesses,
  asItsMemberSees,
  CreateProfileBody,
  DeletedProfileDto,
  type ExposureProfile,
  ExposureProfileDto,
  ExposureProfiles,
  presentProfile,
  profileFields,
  SharesQueries,
  type TagVocabulary,
  UpdateProfileBody,
} from '../../privacy/index.js';
import { discovers } from '../../graph/index.js';
import { GroupGraphs } from '../application/group-graphs.service.js';
import { type Membership } from '../domain/group.js';
import { GroupProfilesDto } from './groups.dto.js';

const group = (verb: 'member' | 'admin'): Requirement => ({
  callers: 'user',
  resource: { kind: 'group', param: 'group_id', verb },
});
const PROFILE: Requirement = {
  callers: 'user',
  resource: { kind: 'group_profile', param: 'profile_id', verb: 'edit' },
};
const FROM_BODY: ErrorCode[] = [
  'NOT_A_MEMBER',
  'ADMIN_REQUIRED',
  'PROFILE_NAME_EXISTS',
  'INVALID_TRANSFORMATION',
  'NODE_NOT_FOUND',
];
const ALL_SCHEMAS = { read: { allow_all: true }, write: { allow_all: true } };

/**
 * Exposure profiles whose owner is a group: they limit what members other than admins may see and do in it
 * (rule 10.6). The specification gives such members tag permissions only, so a profile created without
 * schema permissions does not limit schemas.
 */
@ApiTags('Groups')
@Controller('groups/:group_id/exposure-profiles')
export class GroupProfilesController {
  constructor(
    private readonly profiles: ExposureProfiles,
    private readonly accesses: Accesses,
    private readonly stamps: SharesQueries,
    private readonly stepUp: StepUp,
    private readonly graphs: GroupGraphs,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Create an exposure profile of a group',
    description:
      'Ids and names of tags are those of the group. A profile with only a name allows nothing; without ' +
      '`schema_permissions` it limits no schema.',
    requires: group('admin'),
    status: 201,
    answers: ExposureProfileDto,
    errors: FROM_BODY,
  })
  async create(
    @Located('group') { group: { id } }: Membership,
    @Body() body: CreateProfileBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExposureProfileDto> {
    const fields = { ...body, schema_permissions: body.schema_permissions ?? ALL_SCHEMAS };
    const created = await this.profiles.create(id, profileFields(neverDefault(fields)));
    return this.present(created, response);
  }

  @Get()
  @Endpoint({
    summary: 'List the exposure profiles of a group, oldest first',
    description:
      'All profiles for admins of the group. Other members get the one that is assigned to them, with its permissions for ' +
      'tags that they may discover and for schemas, without what it hides. The `version` of a profile, in quotes, is its ETag.',
    requires: group('member'),
    answers: GroupProfilesDto,
    errors: ['NOT_A_MEMBER'],
  })
  async list(
    @Located('group') membership: Membership,
    @Query() { limit, offset }: PageQuery,
  ): Promise<GroupProfilesDto> {
    const { id } = membership.group;
    const vocabulary = await this.vocabularyOf(id);
    const { items: exposure_profiles, ...page } = await pageWithinBytes<ExposureProfile, ExposureProfileDto>({
      limit,
      offset,
      read: (room) => this.listedFor(membership, room),
      show: (profiles) => profiles.map((profile) => presentProfile(profile, vocabulary)),
      isWhole: () => false,
    });
    return { exposure_profiles, ...page };
  }

  @Put(':profile_id')
  @Endpoint({
    summary: 'Change an exposure profile of a group',
    description:
      'Takes effect on the next request of every member it is assigned to. More rights through one that is assigned need a ' +
      'log-in from the last five minutes.',
    requires: { ...PROFILE, stepUp: 'sometimes' },
    endsAccess: true,
    answers: ExposureProfileDto,
    errors: [...FROM_BODY, 'NOT_FOUND', 'PRECONDITION_FAILED'],
  })
  async update(
    @Located('group_profile') located: ExposureProfile,
    @Body() body: UpdateProfileBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExposureProfileDto> {
    const updated = await this.profiles.update(located, profileFields(neverDefault(body)), {
      precondition: ifVersionMatches(request),
      confirm: this.stepUp.confirmation(request),
    });
    return this.present(updated, response);
  }

  @Delete(':profile_id')
  @Endpoint({
    summary: 'Delete an exposure profile of a group',
    description: 'Refused while the profile is assigned to a member.',
    requires: PROFILE,
    endsAccess: true,
    answers: DeletedProfileDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED', 'PROFILE_IN_USE', 'PRECONDITION_FAILED'],
  })
  async delete(
    @Located('group_profile') located: ExposureProfile,
    @Req() request: Request,
  ): Promise<DeletedProfileDto> {
    await this.profiles.delete(located, ifVersionMatches(request));
    return { message: 'Exposure profile deleted', id: located.id };
  }

  private async listedFor(
    membership: Membership,
    { limit, offset }: Room,
  ): Promise<RowsOfList<ExposureProfile>> {
    const { group: of, member } = membership;
    if (member.role === 'admin') {
      const { profiles: rows, total } = await this.profiles.list(of.id, { limit, offset });
      return { rows, total };
    }
    if (member.exposure_profile_id === null) return { rows: [], total: 0 };
    const assigned = await this.profiles.get(of.id, member.exposure_profile_id);
    const access = await this.graphs.accessOf(membership);
    const rows = [asItsMemberSees(assigned, (tagId) => discovers(access, tagId))];
    return { rows: rows.slice(offset, offset + limit), total: 1 };
  }

  private async present(profile: ExposureProfile, response: Response): Promise<ExposureProfileDto> {
    setEtag(response, profile.version);
    return presentProfile(profile, await this.vocabularyOf(profile.ownerId));
  }

  private async vocabularyOf(groupId: string): Promise<TagVocabulary> {
    const stamps = await this.stamps.stamps([groupId]);
    return this.accesses.vocabularyOf(groupId, stamps.get(groupId));
  }
}

/** A group has no default profile: members without one read all. */
const neverDefault = <T extends UpdateProfileBody>(body: T): T => ({ ...body, is_default: undefined });
