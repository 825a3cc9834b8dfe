import { Body, Controller, Delete, Get, Header, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Accounts } from '../application/accounts.service.js';
import { LogIns } from '../application/log-ins.service.js';
import { type UserCaller } from '../domain/caller.js';
import { CurrentUserCaller } from './caller.js';
import { AccessTokenDto, LogInsDto, ReauthenticateBody } from './dto/log-ins.dto.js';
import { presentAccessToken, presentLogIn } from './presenters.js';

/** The log-ins of a person (rule 1.3). */
@ApiTags('Accounts')
@Controller('auth')
export class LogInsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly logIns: LogIns,
  ) {}

  @Get('sessions')
  @Endpoint({
    summary: 'List your log-ins',
    description:
      'Your log-ins that can still be used. The network is coarse, and nobody else sees any of it.',
    requires: { callers: 'user' },
    endsAccess: true,
    answers: LogInsDto,
  })
  async list(@CurrentUserCaller() { userId, logIn }: UserCaller): Promise<LogInsDto> {
    const living = await this.logIns.living(userId);
    return { sessions: living.map((one) => presentLogIn(one, logIn.id)), total: living.length };
  }

  @Delete('sessions')
  @Endpoint({
    summary: 'Log out everywhere',
    description:
      'Ends every log-in of this account, the calling one included: access tokens are refused from the next request on.',
    requires: { callers: 'user' },
    endsAccess: true,
    status: 204,
  })
  async endAll(@CurrentUserCaller() { userId }: UserCaller): Promise<void> {
    await this.logIns.endAll(userId);
  }

  @Delete('sessions/:auth_session_id')
  @Endpoint({
    summary: 'End a log-in',
    description: 'Its refresh token is invalid at once, its access tokens from the next request on.',
    requires: { callers: 'user' },
    endsAccess: true,
    status: 204,
    errors: ['NOT_FOUND'],
  })
  async end(
    @CurrentUserCaller() { userId }: UserCaller,
    @Param('auth_session_id') id: string,
  ): Promise<void> {
    await this.logIns.endOne(userId, id);
  }

  @Post('reauthenticate')
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Prove your identity again',
    description:
      'For operations that answer 401 `REAUTHENTICATION_REQUIRED`. The log-in stays the same and counts as fresh for five ' +
      'minutes; the refresh token stays valid. Wrong passwords count like failed log-ins. For an account with a second factor a ' +
      'right password is answered with 401 `SECOND_FACTOR_REQUIRED`, as by POST /auth/login; continue with ' +
      'POST /auth/reauthenticate/second-factor.',
    requires: { callers: 'user' },
    endsAccess: true,
    answers: AccessTokenDto,
    errors: ['SECOND_FACTOR_REQUIRED'],
  })
  async reauthenticate(
    @CurrentUserCaller() caller: UserCaller,
    @Body() { password }: ReauthenticateBody,
  ): Promise<AccessTokenDto> {
    return presentAccessToken(await this.accounts.reauthenticate(caller, password));
  }
}
