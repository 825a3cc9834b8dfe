import { Body, Controller, Delete, Get, Header, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { StepUp } from '../../identity/index.js';
import { type ErrorCode } from '../../kernel/errors/catalogue.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { pageWithinBytes } from '../../kernel/http/answers/page-within-bytes.js';
import { ifVersionMatches, setEtag } from '../../kernel/http/preconditions.js';
import { ExposureProfiles } from '../application/exposure-profiles.service.js';
import { type Access } from '../domain/access.js';
import { type ExposureProfile } from '../domain/exposure-profile.js';
import { CurrentAccess } from './current-access.js';
import {
  CreateProfileBody,
  DeletedProfileDto,
  ExposureProfileDetailDto,
  ExposureProfileDto,
  ExposureProfilesDto,
  FromTemplateBody,
  ProfileQuery,
  ProfilesQuery,
  UpdateProfileBody,
} from './dto/exposure-profiles.dto.js';
import { presentProfile, presentProfileDetail, presentYaml } from './exposure-profiles.presenter.js';
import { profileFields } from './profile-fields.js';

const profile = (verb: string): Requirement => ({
  callers: 'user',
  resource: { kind: 'exposure_profile', param: 'profile_id', verb },
});
const FROM_BODY: ErrorCode[] = [
  'PROFILE_NAME_EXISTS',
  'INVALID_TRANSFORMATION',
  'NOT_FOUND',
  'NODE_NOT_FOUND',
];

const RULES = {
  description: 'What colleagues may see.',
  tag_permissions: { discover: { allow_all: true }, read: { allow_all: true }, create: { allow_all: true } },
  schema_permissions: { read: { allow_all: true }, write: { schema_ids: ['__freeform__'] } },
  tag_filters: { exclude_any: ['private'] },
  transformations: [{ type: 'pii_redaction', config: { entities: ['email', 'phone'] } }],
  max_detail_level: 'full',
};

/** Privacy filters, for their owner only (specification, Exposure profiles). */
@ApiTags('Exposure profiles')
@Controller('exposure-profiles')
export class ExposureProfilesController {
  constructor(
    private readonly profiles: ExposureProfiles,
    private readonly stepUp: StepUp,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Create an exposure profile',
    description: 'A profile with only a name allows nothing. Names of tags are resolved when it is saved.',
    requires: { callers: 'user' },
    status: 201,
    answers: ExposureProfileDto,
    errors: FROM_BODY,
    example: { name: 'Work only', ...RULES },
  })
  async create(
    @CurrentAccess() access: Access,
    @Body() body: CreateProfileBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExposureProfileDto> {
    const created = await this.profiles.create(access.ownerId, profileFields(body));
    setEtag(response, created.version);
    return presentProfile(created, access.vocabulary);
  }

  @Get()
  @Endpoint({
    summary: 'List your exposure profiles',
    description: 'Your own, with all their rules; apps never see them.',
    requires: { callers: 'user' },
    answers: ExposureProfilesDto,
  })
  async list(@CurrentAccess() access: Access, @Query() query: ProfilesQuery): Promise<ExposureProfilesDto> {
    const { is_active, limit, offset } = query;
    const { items: exposure_profiles, ...page } = await pageWithinBytes<ExposureProfile, ExposureProfileDto>({
      limit,
      offset,
      read: async (room) => {
        const { profiles: rows, total } = await this.profiles.list(access.ownerId, {
          isActive: is_active,
          ...room,
        });
        return { rows, total };
      },
      show: (profiles) => profiles.map((found) => presentProfile(found, access.vocabulary)),
      isWhole: () => false,
    });
    return { exposure_profiles, ...page };
  }

  // Declared before :profile_id, which would match the word as an id.
  @Get('default')
  @Endpoint({
    summary: 'Get your default exposure profile',
    description: 'Made from the transparent template if you have none.',
    requires: { callers: 'user' },
    answers: ExposureProfileDetailDto,
  })
  async getDefault(
    @CurrentAccess() access: Access,
    @Query() query: ProfileQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExposureProfileDetailDto> {
    const found = await this.profiles.getDefault(access.ownerId);
    setEtag(response, found.version);
    return presentProfileDetail(found, access.vocabulary, query);
  }

  @Post('from-template')
  @Endpoint({
    summary: 'Create an exposure profile from a template',
    description:
      '`transparent` allows everything, `restrictive` only the names of tags, in least detail. It never becomes the default.',
    requires: { callers: 'user' },
    status: 201,
    answers: ExposureProfileDto,
    errors: ['PROFILE_NAME_EXISTS'],
  })
  async createFromTemplate(
    @CurrentAccess() access: Access,
    @Body() { template, name }: FromTemplateBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExposureProfileDto> {
    const created = await this.profiles.createFromTemplate(access.ownerId, template, name);
    setEtag(response, created.version);
    return presentProfile(created, access.vocabulary);
  }

  @Get(':profile_id')
  @Endpoint({
    summary: 'Get an exposure profile',
    description: 'Only your own; others’ count as absent.',
    requires: profile('read'),
    answers: ExposureProfileDetailDto,
  })
  get(
    @CurrentAccess() access: Access,
    @Located('exposure_profile') located: ExposureProfile,
    @Query() query: ProfileQuery,
    @Res({ passthrough: true }) response: Response,
  ): ExposureProfileDetailDto {
    setEtag(response, located.version);
    return presentProfileDetail(located, access.vocabulary, query);
  }

  @Get(':profile_id/yaml')
  @Header('Content-Type', 'application/yaml')
  @Endpoint({
    summary: 'Get an exposure profile as YAML',
    description: 'Only your own, as one YAML document with the same fields.',
    requires: profile('read'),
    produces: 'application/yaml',
  })
  getYaml(@CurrentAccess() access: Access, @Located('exposure_profile') located: ExposureProfile): string {
    return presentYaml(located, access.vocabulary);
  }

  @Put(':profile_id')
  @Endpoint({
    summary: 'Change an exposure profile',
    description:
      'Takes effect on the next request of every app. Fields that are present replace as a whole. More rights through a ' +
      'profile that an app is authorized with, or that is shared with a group, need a log-in from the last five minutes.',
    requires: { ...profile('edit'), stepUp: 'sometimes' },
    endsAccess: true,
    answers: ExposureProfileDto,
    errors: [...FROM_BODY, 'PRECONDITION_FAILED'],
    example: RULES,
  })
  async update(
    @CurrentAccess() access: Access,
    @Located('exposure_profile') located: ExposureProfile,
    @Body() body: UpdateProfileBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExposureProfileDto> {
    const updated = await this.profiles.update(located, profileFields(body), {
      precondition: ifVersionMatches(request),
      confirm: this.stepUp.confirmation(request),
    });
    setEtag(response, updated.version);
    return presentProfile(updated, access.vocabulary);
  }

  @Delete(':profile_id')
  @Endpoint({
    summary: 'Delete an exposure profile',
    description:
      'Not the default one, and not while authorizations through it are active. Ended ones go with it.',
    requires: profile('delete'),
    endsAccess: true,
    answers: DeletedProfileDto,
    errors: ['DEFAULT_PROFILE', 'ACTIVE_AUTHORIZATIONS', 'PROFILE_IN_USE', 'PRECONDITION_FAILED'],
  })
  async delete(
    @Located('exposure_profile') located: ExposureProfile,
    @Req() request: Request,
  ): Promise<DeletedProfileDto> {
    await this.profiles.delete(located, ifVersionMatches(request));
    return { message: 'Exposure profile deleted', id: located.id };
  }
}
