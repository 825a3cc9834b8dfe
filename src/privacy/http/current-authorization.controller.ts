import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type AppCaller, CurrentCaller } from '../../identity/index.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Authorizations } from '../application/authorizations.service.js';
import { LivingAuthorizations } from '../application/living-authorizations.service.js';
import { type Access } from '../domain/access.js';
import { AuthorizationsQueries } from '../infrastructure/authorizations.queries.js';
import { AuthorizationPresenter } from './authorizations.presenter.js';
import { CurrentAccess } from './current-access.js';
import {
  AuthorizationsDto,
  AuthorizationsQuery,
  CurrentAuthorizationDto,
  RevokedAuthorizationDto,
} from './dto/authorizations.dto.js';

/** An app's view of its own authorizations (rule 2.6). */
@ApiTags('Authorizations')
@Controller()
export class CurrentAuthorizationController {
  constructor(
    private readonly authorizations: Authorizations,
    private readonly living: LivingAuthorizations,
    private readonly queries: AuthorizationsQueries,
    private readonly presenter: AuthorizationPresenter,
  ) {}

  @Get('authorizations/current')
  @Endpoint({
    summary: 'Get the authorization that the app is using',
    description: 'The requested, the granted and the effective permissions.',
    requires: { callers: 'key' },
    answers: CurrentAuthorizationDto,
  })
  async current(@CurrentAccess() access: Access): Promise<CurrentAuthorizationDto> {
    const { known, summary } = await this.living.current(access);
    return this.presenter.presentCurrent(known, summary);
  }

  @Delete('authorizations/current')
  @Endpoint({
    summary: 'Give up access to the user',
    description: 'The app ends its own authorization: from the next request on it sees nothing of this user.',
    requires: { callers: 'key' },
    answers: RevokedAuthorizationDto,
  })
  async giveUp(@CurrentAccess() access: Access): Promise<RevokedAuthorizationDto> {
    const { id } = await this.authorizations.giveUp(access);
    return { message: 'Authorization revoked', id, status: 'revoked' };
  }

  @Get('apps/current/authorizations')
  @Endpoint({
    summary: 'List the authorizations of the calling app',
    description: 'A user key shows its own only.',
    requires: { callers: 'key', user: 'optional' },
    answers: AuthorizationsDto,
  })
  async list(
    @CurrentCaller() caller: AppCaller,
    @Query() query: AuthorizationsQuery,
  ): Promise<AuthorizationsDto> {
    return this.presenter.presentPage(query, null, (room) =>
      this.queries.listOfApp(caller.app.id, { ...query, ...room, only: caller.boundAuthorizationId }),
    );
  }
}
