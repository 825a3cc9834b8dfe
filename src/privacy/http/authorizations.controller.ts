import { Body, Controller, Delete, Get, Header, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentUser, StepUp, type User } from '../../identity/index.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { ID } from '../../kernel/http/openapi/examples.js';
import { Located } from '../../kernel/http/locators.js';
import { ApprovalPreviews } from '../application/approval-previews.service.js';
import { Authorizations } from '../application/authorizations.service.js';
import { type Access } from '../domain/access.js';
import { AuthorizationsQueries, type KnownAuthorization } from '../infrastructure/authorizations.queries.js';
import { approvalOf } from './approval.js';
import { AuthorizationPresenter, presentPreview } from './authorizations.presenter.js';
import { CurrentAccess } from './current-access.js';
import {
  ApproveBody,
  ApprovedDto,
  AuthorizationDto,
  AuthorizationsDto,
  AuthorizationsQuery,
  PreviewDto,
  PreviewQuery,
  RevokedAuthorizationDto,
  UpdateAuthorizationBody,
} from './dto/authorizations.dto.js';

/** The most authorizations of a page with counts: each takes several statements. */
const MOST_COUNTED = 20;

const authorization = (verb: string): Requirement => ({
  callers: 'user',
  resource: { kind: 'authorization', param: 'authorization_id', verb },
});

/** The apps that a user has authorized, and the profile of each (rules 2.1-2.5). */
@ApiTags('Authorizations')
@Controller('authorizations')
export class AuthorizationsController {
  constructor(
    private readonly authorizations: Authorizations,
    private readonly previews: ApprovalPreviews,
    private readonly queries: AuthorizationsQueries,
    private readonly presenter: AuthorizationPresenter,
    private readonly stepUp: StepUp,
  ) {}

  @Get('preview')
  @Endpoint({
    summary: 'Preview an authorization',
    description:
      'The app, what it requests, and which of your profiles grant that. Send its `request_version` when you approve.',
    requires: { callers: 'user' },
    answers: PreviewDto,
    errors: ['NOT_FOUND'],
  })
  async preview(@CurrentAccess() access: Access, @Query() { app_id }: PreviewQuery): Promise<PreviewDto> {
    return presentPreview(await this.previews.preview(access.ownerId, app_id));
  }

  @Post()
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Authorize an app',
    description:
      'The profile must grant everything that the app requests. If the app is already authorized, its profile and ' +
      'ceiling are replaced: 200 instead of 201, without a user key. `request_version` names the request that you were shown; if the ' +
      'app has changed since, it is 409 `REQUEST_CHANGED` and nothing is written. Without it, the request of your last preview counts.',
    requires: { callers: 'user', stepUp: 'always' },
    status: 201,
    alsoStatus: 200,
    answers: ApprovedDto,
    errors: [
      'NOT_FOUND',
      'NODE_NOT_FOUND',
      'REQUEST_CHANGED',
      'PROFILE_INSUFFICIENT',
      'PROFILE_NAME_EXISTS',
      'INVALID_TRANSFORMATION',
    ],
    example: { app_id: ID.example, exposure_profile_id: ID.example },
  })
  async approve(
    @CurrentAccess() access: Access,
    @CurrentUser() user: User,
    @Body() body: ApproveBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ApprovedDto> {
    const approved = await this.authorizations.approve(access.ownerId, approvalOf(body));
    response.status(approved.userKey === null ? 200 : 201);
    return this.presenter.presentApproved(approved, user);
  }

  @Get()
  @Endpoint({
    summary: 'List your authorizations',
    description:
      'All your authorizations, past and present, with the approved permissions, the names of app and profile, and the last ' +
      'use; nobody else sees them.',
    requires: { callers: 'user' },
    endsAccess: true,
    answers: AuthorizationsDto,
  })
  async list(
    @CurrentAccess() access: Access,
    @CurrentUser() user: User,
    @Query() query: AuthorizationsQuery,
  ): Promise<AuthorizationsDto> {
    const { include_node_counts: isCounted } = query;
    const room = isCounted ? { ...query, limit: Math.min(query.limit, MOST_COUNTED) } : query;
    const page = await this.presenter.presentPage(room, user, (part) =>
      this.queries.listOf(access.ownerId, { ...query, ...part }),
    );
    return isCounted ? this.presenter.withCounts(access, page) : page;
  }

  @Get(':authorization_id')
  @Endpoint({
    summary: 'Get an authorization',
    description: 'Only your own; others’ count as absent.',
    requires: authorization('read'),
    answers: AuthorizationDto,
  })
  get(
    @Located('authorization') located: KnownAuthorization,
    @CurrentUser() user: User,
  ): Promise<AuthorizationDto> {
    return this.presenter.present(located, user);
  }

  @Patch(':authorization_id')
  @Endpoint({
    summary: 'Change an authorization',
    description:
      'Sets another profile or another end, or leaves out scopes. This can renew an expired authorization, not a revoked one. ' +
      'Another profile and a later end need a log-in from the last five minutes.',
    requires: { ...authorization('edit'), stepUp: 'sometimes' },
    endsAccess: true,
    answers: AuthorizationDto,
    errors: ['NOT_FOUND', 'PROFILE_INSUFFICIENT', 'INVALID_STATE_TRANSITION'],
  })
  async update(
    @CurrentAccess() access: Access,
    @CurrentUser() user: User,
    @Located('authorization') located: KnownAuthorization,
    @Body() { exposure_profile_id, expires_at, scopes }: UpdateAuthorizationBody,
    @Req() request: Request,
  ): Promise<AuthorizationDto> {
    const confirm = this.stepUp.confirmation(request);
    const profileId = exposure_profile_id?.toLowerCase();
    const revision = { profileId, expiresAt: expires_at, scopes, confirm };
    const revised = await this.authorizations.revise(access.ownerId, located.authorization.id, revision);
    return this.presenter.present(revised, user);
  }

  @Delete(':authorization_id')
  @Endpoint({
    summary: 'Revoke an authorization',
    description: 'The next request of the app is refused.',
    requires: authorization('delete'),
    endsAccess: true,
    answers: RevokedAuthorizationDto,
  })
  async revoke(
    @CurrentAccess() access: Access,
    @Located('authorization') located: KnownAuthorization,
  ): Promise<RevokedAuthorizationDto> {
    const { id } = await this.authorizations.revoke(access.ownerId, located.authorization.id);
    return { message: 'Authorization revoked', id, status: 'revoked' };
  }
}
