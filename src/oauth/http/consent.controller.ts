import { Body, Controller, Get, Header, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentUser, StepUp, type User } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { profileFields } from '../../privacy/index.js';
import { type AllowedTerms, Consents } from '../application/consents.service.js';
import { Devices } from '../application/devices.service.js';
import {
  ConsentDto,
  ConsentQuery,
  DecideBody,
  DecidedDto,
  DeviceBody,
  DeviceRequestDto,
} from './consent.dto.js';
import { ConsentPresenter } from './consent.presenter.js';

/** Decisions of people about clients that ask for access (rule 14.6), for the console. */
@ApiTags('OAuth')
@Controller('oauth')
export class ConsentController {
  constructor(
    private readonly consents: Consents,
    private readonly devices: Devices,
    private readonly presenter: ConsentPresenter,
    private readonly stepUp: StepUp,
  ) {}

  @Get('consent')
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Get a request for consent',
    description: 'The client that asks, what it asks for, and your profiles with what each lacks for it.',
    requires: { callers: 'user' },
    answers: ConsentDto,
    errors: ['CONSENT_EXPIRED', 'REQUEST_CHANGED'],
  })
  async get(@CurrentUser() user: User, @Query() { request }: ConsentQuery): Promise<ConsentDto> {
    return this.presenter.present(await this.consents.page(user.id, request), user);
  }

  @Post('consent')
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Allow or deny a request for consent',
    description:
      'To allow needs a log-in from the last five minutes. It authorizes the app with the scopes and the profile that you ' +
      'choose, and replaces the terms of an app that is connected already, for all of its devices.',
    requires: { callers: 'user', stepUp: 'sometimes' },
    answers: DecidedDto,
    errors: [
      'CONSENT_EXPIRED',
      'REQUEST_CHANGED',
      'NOT_FOUND',
      'NODE_NOT_FOUND',
      'PROFILE_INSUFFICIENT',
      'PROFILE_NAME_EXISTS',
      'INVALID_TRANSFORMATION',
    ],
  })
  async decide(
    @CurrentUser() user: User,
    @Body() body: DecideBody,
    @Req() request: Request,
  ): Promise<DecidedDto> {
    if (body.decision === 'deny') return { redirect_to: await this.consents.deny(body.request) };
    this.stepUp.require(request);
    return { redirect_to: await this.consents.allow(user.id, body.request, termsOf(body)) };
  }

  @Post('device')
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Find a device that waits',
    description: 'The request of the device that shows this code, for the consent page.',
    requires: { callers: 'user' },
    limit: { name: 'POST /oauth/device', perMinute: 10 },
    answers: DeviceRequestDto,
    errors: ['NOT_FOUND'],
  })
  async device(@Body() { user_code }: DeviceBody): Promise<DeviceRequestDto> {
    return { request: await this.devices.requestOf(user_code) };
  }
}

/** @throws VALIDATION_ERROR where no profile is named, or two */
function termsOf({ scopes = [], exposure_profile_id, new_profile, expires_at }: DecideBody): AllowedTerms {
  const id = exposure_profile_id ?? null;
  const made = new_profile ?? null;
  if ((id === null) === (made === null))
    throw DomainError.validation('exposure_profile_id', 'or new_profile is required to allow, not both');
  const profile =
    made === null ? { id: (id as string).toLowerCase() } : { ...profileFields(made), name: made.name };
  return { scopes, profile, expiresAt: expires_at ?? null };
}
