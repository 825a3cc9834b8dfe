import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint, type EndpointOptions, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { type Access, CurrentAccess, type ExposureProfile, profileFields } from '../../privacy/index.js';
import { Explanations } from '../application/explanations.service.js';
import { type PreviewRequest, Previews } from '../application/previews.service.js';
import { ExplainQuery, ExplanationDto } from './explanations.dto.js';
import { ExplanationPresenter } from './explanations.presenter.js';
import {
  DraftPreviewBody,
  DraftPreviewDto,
  PreviewBody,
  type PreviewQuestion,
  ProfilePreviewDto,
} from './previews.dto.js';
import { PreviewPresenter } from './previews.presenter.js';

const profile: Requirement = {
  callers: 'user',
  resource: { kind: 'exposure_profile', param: 'profile_id', verb: 'read' },
};

const LEAN: NonNullable<EndpointOptions['lean']> = {
  'sample.nodes': 'fields',
  'comparison.gained.nodes': 'fields',
  'comparison.lost.nodes': 'fields',
};

const requestOf = ({ app_id, compare_to, limit, offset }: PreviewQuestion): PreviewRequest => ({
  appId: app_id ?? null,
  compareTo: compare_to ?? null,
  limit,
  offset,
});

/** Explanations and previews of an exposure profile, from the rules themselves; only for its owner. */
@ApiTags('Exposure profiles')
@Controller('exposure-profiles')
export class ExplanationsController {
  constructor(
    private readonly explanations: Explanations,
    private readonly explanationPresenter: ExplanationPresenter,
    private readonly previews: Previews,
    private readonly previewPresenter: PreviewPresenter,
  ) {}

  @Get(':profile_id/explain')
  @Endpoint({
    summary: 'Explain the access of an app to a node',
    description:
      'Lists each rule with its verdict, and the first that decided, for reading, proposing, editing and deleting; then ' +
      'the outcome for each field. The rules are the parts of the very expression that decides.',
    requires: profile,
    answers: ExplanationDto,
    errors: ['NOT_FOUND', 'NODE_NOT_FOUND'],
  })
  async explain(
    @CurrentAccess() access: Access,
    @Located('exposure_profile') located: ExposureProfile,
    @Query() { node_id, app_id }: ExplainQuery,
  ): Promise<ExplanationDto> {
    const appId = app_id ?? null;
    const explanation = await this.explanations.of(access, located, { nodeId: node_id, appId });
    return this.explanationPresenter.present(located, appId, explanation);
  }

  @Post(':profile_id/preview')
  @Endpoint({
    summary: 'Preview the access of an app with this profile',
    description:
      'Counts the nodes that each verb reaches, and shows a page of them as the app would see them. With an unsaved edit, ' +
      'or with another profile, it also lists gained and lost nodes. Nothing is changed, and no app is authorized.',
    requires: profile,
    reads: true,
    holdsNoSecret: true,
    lean: LEAN,
    answers: ProfilePreviewDto,
    errors: ['NOT_FOUND', 'NODE_NOT_FOUND', 'INVALID_TRANSFORMATION'],
    example: { profile: { max_detail_level: 'summary', excluded_node_types: ['DIARY'] }, limit: 10 },
  })
  async preview(
    @CurrentAccess() access: Access,
    @Located('exposure_profile') located: ExposureProfile,
    @Body() body: PreviewBody,
  ): Promise<ProfilePreviewDto> {
    const edit = body.profile ? profileFields(body.profile) : null;
    const preview = await this.previews.of(access, located, { ...requestOf(body), edit });
    return this.previewPresenter.present({ id: located.id, isEdited: edit !== null }, body, preview);
  }

  @Post('preview')
  @Endpoint({
    summary: 'Preview the access of an app with an unsaved profile',
    description:
      'Answers what the preview of a saved profile with these rules would, so that a profile can be drawn up before it ' +
      'exists. Nothing is stored.',
    requires: { callers: 'user' },
    reads: true,
    holdsNoSecret: true,
    lean: LEAN,
    answers: DraftPreviewDto,
    errors: ['NOT_FOUND', 'NODE_NOT_FOUND', 'INVALID_TRANSFORMATION'],
    example: {
      profile: {
        tag_permissions: { read: { allow_all: true } },
        schema_permissions: { read: { allow_all: true } },
        max_detail_level: 'summary',
      },
      limit: 10,
    },
  })
  async previewDraft(
    @CurrentAccess() access: Access,
    @Body() body: DraftPreviewBody,
  ): Promise<DraftPreviewDto> {
    const preview = await this.previews.ofDraft(access, profileFields(body.profile), requestOf(body));
    return this.previewPresenter.presentDraft(body, preview);
  }
}
