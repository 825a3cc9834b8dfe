import { Body, Controller, Delete, Header, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Accounts } from '../application/accounts.service.js';
import { SecondFactors } from '../application/second-factors.service.js';
import { SecondSteps } from '../application/second-steps.service.js';
import { type UserCaller } from '../domain/caller.js';
import { type Device } from '../domain/log-in.js';
import { type User } from '../domain/user.js';
import { CurrentDevice, CurrentUser, CurrentUserCaller } from './caller.js';
import { SignedInDto } from './dto/auth.dto.js';
import { AccessTokenDto } from './dto/log-ins.dto.js';
import {
  BegunTotpDto,
  CHALLENGE_EXAMPLE,
  ChallengeAnswerBody,
  FactorProofBody,
  LogInAnswerBody,
  proofOf,
  RecoveryCodesDto,
  TotpCodeBody,
} from './dto/second-factors.dto.js';
import { presentAccessToken, presentSignedIn } from './presenters.js';
import { SessionCookies } from './session-cookies.js';

/** Keeps tokens and secrets out of every cache. */
const NoStore = (): MethodDecorator => Header('Cache-Control', 'no-store');

/** Authenticator apps, recovery codes, and the second step of a log-in (rule 1.20). */
@ApiTags('Accounts')
@Controller('auth')
export class SecondFactorsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly secondFactors: SecondFactors,
    private readonly secondSteps: SecondSteps,
    private readonly cookies: SessionCookies,
  ) {}

  @Post('login/second-factor')
  @NoStore()
  @Endpoint({
    summary: 'Finish a log-in with the second factor',
    description:
      'After POST /auth/login answered 401 `SECOND_FACTOR_REQUIRED`. A challenge lasts five minutes and takes five answers; ' +
      'after `INVALID_CHALLENGE` begin again with the password. Wrong answers count like failed log-ins.',
    requires: 'public',
    secretField: 'challenge',
    answers: SignedInDto,
    example: { challenge: CHALLENGE_EXAMPLE, code: '287082' },
    errors: ['UNAUTHORIZED', 'INVALID_CHALLENGE', 'PERMISSION_DENIED'],
  })
  async logIn(
    @Body() { challenge, session, ...body }: LogInAnswerBody,
    @CurrentDevice() device: Device,
    @Req() request: Request,
  ): Promise<SignedInDto> {
    if (session !== undefined) this.cookies.refuseOtherOrigins(request);
    const signedIn = await this.accounts.finishLogIn({ challenge, proof: proofOf(body) }, device);
    return this.cookies.deliver(request, session, presentSignedIn(signedIn));
  }

  @Post('reauthenticate/second-factor')
  @NoStore()
  @Endpoint({
    summary: 'Finish proving your identity again',
    description:
      'After POST /auth/reauthenticate answered 401 `SECOND_FACTOR_REQUIRED`, in the same session. Wrong answers count like ' +
      'failed log-ins.',
    requires: { callers: 'user' },
    endsAccess: true,
    answers: AccessTokenDto,
    example: { challenge: CHALLENGE_EXAMPLE, code: '287082' },
    errors: ['INVALID_CHALLENGE'],
  })
  async reauthenticate(
    @CurrentUserCaller() caller: UserCaller,
    @Body() { challenge, ...body }: ChallengeAnswerBody,
  ): Promise<AccessTokenDto> {
    const answer = { challenge, proof: proofOf(body) };
    return presentAccessToken(await this.secondSteps.stepUp(caller, answer));
  }

  @Post('totp')
  @NoStore()
  @Endpoint({
    summary: 'Begin to enrol an authenticator app',
    description:
      'Nothing changes before POST /auth/totp/confirm, which must come within ten minutes. The secret is not shown again; ' +
      'beginning again makes another one.',
    requires: { callers: 'user', stepUp: 'always' },
    status: 201,
    answers: BegunTotpDto,
    errors: ['SECOND_FACTOR_EXISTS'],
  })
  async beginTotp(@CurrentUser() user: User): Promise<BegunTotpDto> {
    const { secret, otpauthUrl } = await this.secondFactors.beginTotp(user);
    return { secret, otpauth_url: otpauthUrl };
  }

  @Post('totp/confirm')
  @NoStore()
  @Endpoint({
    summary: 'Enrol the authenticator app with its first code',
    description:
      'From now on the password alone is not sufficient to log in, and all your other sessions end. The recovery codes stand in for ' +
      'the app when it is lost.',
    requires: { callers: 'user', stepUp: 'always' },
    answers: RecoveryCodesDto,
    errors: ['SECOND_FACTOR_EXISTS', 'NO_SECOND_FACTOR'],
  })
  async confirmTotp(
    @CurrentUserCaller() caller: UserCaller,
    @Body() { code }: TotpCodeBody,
  ): Promise<RecoveryCodesDto> {
    return { recovery_codes: await this.secondFactors.confirmTotp(caller, code) };
  }

  @Delete('totp')
  @Endpoint({
    summary: 'Remove the authenticator app',
    description:
      'Send a code of it, or a recovery code. The recovery codes are removed with it, and the password alone logs in again.',
    requires: { callers: 'user', stepUp: 'always' },
    endsAccess: true,
    status: 204,
    takesBody: true,
    example: { code: '287082' },
    errors: ['NO_SECOND_FACTOR'],
  })
  async removeTotp(@CurrentUserCaller() caller: UserCaller, @Body() body: FactorProofBody): Promise<void> {
    await this.secondFactors.removeTotp(caller, proofOf(body));
  }

  @Post('recovery-codes')
  @NoStore()
  @Endpoint({
    summary: 'Make new recovery codes',
    description: 'All earlier codes are invalid from now on.',
    requires: { callers: 'user', stepUp: 'always' },
    status: 201,
    answers: RecoveryCodesDto,
    errors: ['NO_SECOND_FACTOR'],
  })
  async replaceRecoveryCodes(@CurrentUserCaller() caller: UserCaller): Promise<RecoveryCodesDto> {
    return { recovery_codes: await this.secondFactors.replaceRecoveryCodes(caller) };
  }
}
