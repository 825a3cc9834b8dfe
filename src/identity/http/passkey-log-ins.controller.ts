import { Body, Controller, Header, Ip, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { PasskeyLogIns } from '../application/passkey-log-ins.service.js';
import { type UserCaller } from '../domain/caller.js';
import { type Device } from '../domain/log-in.js';
import { CurrentDevice, CurrentUserCaller } from './caller.js';
import { SignedInDto } from './dto/auth.dto.js';
import { AccessTokenDto } from './dto/log-ins.dto.js';
import { LogInPasskeyBody, PasskeyRequestDto, UsePasskeyBody } from './dto/passkeys.dto.js';
import { presentAccessToken, presentCeremony, presentSignedIn } from './presenters.js';
import { SessionCookies } from './session-cookies.js';

const NoStore = (): MethodDecorator => Header('Cache-Control', 'no-store');

/** Log-ins and proofs of identity by passkey, in two steps (rule 1.23). */
@ApiTags('Accounts')
@Controller('auth')
export class PasskeyLogInsController {
  constructor(
    private readonly logIns: PasskeyLogIns,
    private readonly cookies: SessionCookies,
  ) {}

  @Post('login/passkey/options')
  @NoStore()
  @Endpoint({
    summary: 'Begin a log-in by passkey',
    description:
      'The same for everybody: the person chooses their account on the device. Continue with POST /auth/login/passkey within five minutes.',
    requires: 'public',
    answers: PasskeyRequestDto,
    errors: ['PASSKEYS_NOT_CONFIGURED'],
  })
  async logInOptions(): Promise<PasskeyRequestDto> {
    return presentCeremony(await this.logIns.logInOptions());
  }

  @Post('login/passkey')
  @NoStore()
  @Endpoint({
    summary: 'Log in with a passkey',
    description:
      'The answer equals that of POST /auth/login. The device has verified the person, so no second factor is needed. Each ' +
      'challenge is valid for one answer; after `INVALID_CHALLENGE` begin again. Answers that are refused count like failed log-ins.',
    requires: 'public',
    answers: SignedInDto,
    errors: ['UNAUTHORIZED', 'INVALID_CHALLENGE', 'PERMISSION_DENIED', 'PASSKEYS_NOT_CONFIGURED'],
  })
  async logIn(
    @Body() { credential, session }: LogInPasskeyBody,
    @CurrentDevice() device: Device,
    @Req() request: Request,
  ): Promise<SignedInDto> {
    if (session !== undefined) this.cookies.refuseOtherOrigins(request);
    const signedIn = await this.logIns.logIn(credential, device);
    return this.cookies.deliver(request, session, presentSignedIn(signedIn));
  }

  @Post('reauthenticate/passkey/options')
  @NoStore()
  @Endpoint({
    summary: 'Begin to prove your identity again by passkey',
    description: 'Continue with POST /auth/reauthenticate/passkey in the same session, within five minutes.',
    requires: { callers: 'user' },
    endsAccess: true,
    answers: PasskeyRequestDto,
    errors: ['PASSKEYS_NOT_CONFIGURED'],
  })
  async stepUpOptions(@CurrentUserCaller() caller: UserCaller): Promise<PasskeyRequestDto> {
    return presentCeremony(await this.logIns.stepUpOptions(caller));
  }

  @Post('reauthenticate/passkey')
  @NoStore()
  @Endpoint({
    summary: 'Prove your identity again by passkey',
    description:
      'The answer equals that of POST /auth/reauthenticate, without the password and without a second factor. Answers that are ' +
      'refused count like failed log-ins.',
    requires: { callers: 'user' },
    endsAccess: true,
    answers: AccessTokenDto,
    errors: ['INVALID_CHALLENGE', 'PASSKEYS_NOT_CONFIGURED'],
  })
  async stepUp(
    @CurrentUserCaller() caller: UserCaller,
    @Body() { credential }: UsePasskeyBody,
    @Ip() address: string,
  ): Promise<AccessTokenDto> {
    return presentAccessToken(await this.logIns.stepUp(caller, credential, address));
  }
}
