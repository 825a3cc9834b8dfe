import { Body, Controller, Header, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Config } from '../../config/config.js';
import { CurrentDevice, type Device } from '../../identity/index.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { AuthorizationRequests } from '../application/authorization-requests.service.js';
import { Clients } from '../application/clients.service.js';
import { Devices } from '../application/devices.service.js';
import { type Parameters, refuseOversized, wishesIn } from '../domain/authorization-request.js';
import { shownUserCode } from '../domain/code-text.js';
import { clientCredentialsOf } from './client-credentials.js';
import { DeviceAuthorizationBody, DeviceAuthorizationDto, PushBody, PushedDto } from './oauth.dto.js';

const LIMIT = { name: 'oauth requests', perMinute: 600 };

/** Requests that clients begin without a browser: pushed ones, and those of devices. */
@ApiTags('OAuth')
@Controller('oauth')
export class PushedRequestsController {
  constructor(
    private readonly clients: Clients,
    private readonly requests: AuthorizationRequests,
    private readonly devices: Devices,
    private readonly config: Config,
  ) {}

  @Post('par')
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Push an authorization request',
    description:
      'Checks the parameters of a request, and answers a request_uri that stands for them (RFC 9126).',
    requires: 'public',
    takesForm: true,
    limit: LIMIT,
    status: 201,
    answers: PushedDto,
    oauthErrors: [
      'invalid_client',
      'invalid_target',
      'invalid_authorization_details',
      'unsupported_response_type',
    ],
  })
  async push(@Req() request: Request, @Body() body: PushBody): Promise<PushedDto> {
    const client = await this.clients.introduce(clientCredentialsOf(request, body));
    const { requestUri, expiresInSeconds } = this.requests.push(client, { ...body });
    return { request_uri: requestUri, expires_in: expiresInSeconds };
  }

  @Post('device_authorization')
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Connect a device without a browser',
    description:
      'Answers a code that the person types at the address in the answer, on any other device (RFC 8628).',
    requires: 'public',
    takesForm: true,
    limit: { name: 'oauth devices', perMinute: 60 },
    answers: DeviceAuthorizationDto,
    oauthErrors: ['invalid_client', 'invalid_target', 'invalid_authorization_details'],
  })
  async device(
    @Req() request: Request,
    @Body() body: DeviceAuthorizationBody,
    @CurrentDevice() { userAgent }: Device,
  ): Promise<DeviceAuthorizationDto> {
    const client = await this.clients.introduce(clientCredentialsOf(request, body));
    const parameters = { ...body } as Parameters;
    refuseOversized(parameters);
    const wishes = wishesIn(parameters, client.app, this.config.publicUrl);
    const begun = await this.devices.begin(client, { ...wishes, device: userAgent });
    const code = shownUserCode(begun.userCode);
    const page = `${this.config.publicUrl}/console/device`;
    return {
      device_code: begun.deviceCode,
      user_code: code,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${code}`,
      expires_in: begun.expiresInSeconds,
      interval: begun.intervalSeconds,
    };
  }
}
