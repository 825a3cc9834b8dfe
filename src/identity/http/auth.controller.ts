import { Body, Controller, Get, Header, Patch, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Quotas } from '../../kernel/change-log/quotas.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Accounts } from '../application/accounts.service.js';
import { LogIns } from '../application/log-ins.service.js';
import { SecondFactors } from '../application/second-factors.service.js';
import { Users } from '../application/users.service.js';
import { type UserCaller } from '../domain/caller.js';
import { type Device } from '../domain/log-in.js';
import { type User } from '../domain/user.js';
import { CurrentDevice, CurrentUser, CurrentUserCaller } from './caller.js';
import {
  ChangePasswordBody,
  LogInBody,
  REFRESH_TOKEN,
  RefreshBody,
  RegisterBody,
  SignedInDto,
  TokensDto,
  UpdateMeBody,
} from './dto/auth.dto.js';
import { OwnAccountDto } from './dto/own-account.dto.js';
import { StepUp } from './step-up.js';
import { presentOwnAccount, presentSignedIn, presentTokens } from './presenters.js';
import { SessionCookies } from './session-cookies.js';

/** Keeps tokens out of every cache (RFC 6749, 5.1). */
const NoStore = (): MethodDecorator => Header('Cache-Control', 'no-store');

const REFRESH_EXAMPLE = { refresh_token: REFRESH_TOKEN.example };

/** Accounts and log-in (rules 1.1-1.3). */
@ApiTags('Accounts')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly accounts: Accounts,
    private readonly logIns: LogIns,
    private readonly users: Users,
    private readonly secondFactors: SecondFactors,
    private readonly stepUp: StepUp,
    private readonly quotas: Quotas,
    private readonly cookies: SessionCookies,
  ) {}

  @Post('register')
  @NoStore()
  @Endpoint({
    summary: 'Register',
    description:
      'Requires no log-in. E-mail address and username are unique without regard to case; you are logged in at once.',
    requires: 'public',
    status: 201,
    answers: SignedInDto,
    errors: ['EMAIL_EXISTS', 'USERNAME_EXISTS', 'PERMISSION_DENIED'],
  })
  async register(
    @Body() { is_public, session, ...body }: RegisterBody,
    @CurrentDevice() device: Device,
    @Req() request: Request,
  ): Promise<SignedInDto> {
    if (session !== undefined) this.cookies.refuseOtherOrigins(request);
    const signedIn = await this.accounts.register({ ...body, isPublic: is_public }, device);
    return this.cookies.deliver(request, session, presentSignedIn(signedIn));
  }

  @Post('login')
  @NoStore()
  @Endpoint({
    summary: 'Log in',
    description:
      'After ten failures for one account each further attempt has to wait (429), 5 seconds and then twice as long each ' +
      'time, at most 15 minutes. Devices and networks that logged in before do not wait for strangers. 100 failures in 15 ' +
      'minutes from one address are answered with 429, except to a device that sends `earlier_refresh_token`. For an account with a second factor a right password is answered with ' +
      '401 `SECOND_FACTOR_REQUIRED` and, in `details`, a `challenge` for POST /auth/login/second-factor and the `methods` that ' +
      'can answer it.',
    requires: 'public',
    secretField: 'earlier_refresh_token',
    answers: SignedInDto,
    errors: ['UNAUTHORIZED', 'SECOND_FACTOR_REQUIRED', 'PERMISSION_DENIED'],
  })
  async logIn(
    @Body() { earlier_refresh_token: earlier, session, ...body }: LogInBody,
    @CurrentDevice() device: Device,
    @Req() request: Request,
  ): Promise<SignedInDto> {
    const held = session === undefined ? null : this.cookies.read(request);
    const signedIn = await this.accounts.logIn(
      { ...body, earlierToken: earlier ?? held ?? undefined },
      device,
    );
    return this.cookies.deliver(request, session, presentSignedIn(signedIn));
  }

  @Post('refresh')
  @NoStore()
  @Endpoint({
    summary: 'Exchange a refresh token for new tokens',
    description:
      'Each refresh token is valid once. Using one again ends its log-in with all tokens. A log-in ends when it ' +
      'was not refreshed for 30 days, and after 90 days in any case.',
    requires: 'public',
    secretField: 'refresh_token',
    answers: TokensDto,
    example: REFRESH_EXAMPLE,
    errors: ['UNAUTHORIZED', 'PERMISSION_DENIED'],
  })
  async refresh(
    @Body() body: RefreshBody,
    @CurrentDevice() device: Device,
    @Req() request: Request,
  ): Promise<TokensDto> {
    if (body.session !== undefined) this.cookies.refuseOtherOrigins(request);
    const presented = { text: this.tokenOf(body, request), isInCookie: body.refresh_token === undefined };
    const tokens = await this.logIns.refresh(presented, device);
    return this.cookies.deliver(request, body.session, presentTokens(tokens));
  }

  @Post('logout')
  @Endpoint({
    summary: 'Log out',
    description: 'Ends this log-in: its refresh token at once, its access tokens with their next request.',
    requires: 'public',
    secretField: 'refresh_token',
    endsAccess: true,
    status: 204,
    example: REFRESH_EXAMPLE,
    errors: ['PERMISSION_DENIED'],
  })
  async logOut(@Body() body: RefreshBody, @Req() request: Request): Promise<void> {
    if (body.session !== undefined) this.cookies.refuseOtherOrigins(request);
    await this.logIns.endByToken(this.tokenOf(body, request));
    if (body.session !== undefined) this.cookies.clear(request);
  }

  @Get('me')
  @Endpoint({
    summary: 'Get your account',
    description:
      'Your own account with its e-mail address, second factors and quotas, which nobody else can see. The same quotas ' +
      'are in the header `X-Quota` of answers to your own writes.',
    requires: { callers: 'user' },
    answers: OwnAccountDto,
  })
  async me(@CurrentUser() user: User): Promise<OwnAccountDto> {
    return this.presented(user);
  }

  @Patch('me')
  @Endpoint({
    summary: 'Change username or visibility',
    description:
      'Omitted fields stay unchanged. A profile that is not public still has a name that others can look up. Turning `is_public` ' +
      'on needs a log-in from the last five minutes.',
    requires: { callers: 'user', stepUp: 'sometimes' },
    endsAccess: true,
    answers: OwnAccountDto,
    errors: ['USERNAME_EXISTS'],
  })
  async updateMe(
    @CurrentUser() user: User,
    @Body() { username, is_public }: UpdateMeBody,
    @Req() request: Request,
  ): Promise<OwnAccountDto> {
    const changes = { username, isPublic: is_public };
    const changed = await this.users.update(user.id, changes, this.stepUp.confirmation(request));
    return this.presented(changed);
  }

  @Post('password')
  @Endpoint({
    summary: 'Change the password',
    description:
      'Ends every log-in of this account, the calling one included: access tokens are refused from the next request on.',
    requires: { callers: 'user' },
    endsAccess: true,
    status: 204,
  })
  async changePassword(
    @CurrentUserCaller() caller: UserCaller,
    @Body() { current_password: current, new_password: next }: ChangePasswordBody,
  ): Promise<void> {
    await this.accounts.changePassword(caller, { current, next });
  }

  /** The refresh token of the body, else of the cookie where the body names that; none is an unknown one. */
  private tokenOf({ refresh_token: sent, session }: RefreshBody, request: Request): string {
    if (sent !== undefined) return sent;
    if (session === undefined)
      throw DomainError.validation('refresh_token', 'must be sent, or `session` in its place');
    return this.cookies.read(request) ?? '';
  }

  private async presented(user: User): Promise<OwnAccountDto> {
    const factors = await this.secondFactors.enrolled(user.id);
    const standing = { limits: this.quotas.limitsOf(user.tier), used: await this.quotas.used(user.id) };
    return presentOwnAccount(user, factors, standing);
  }
}
