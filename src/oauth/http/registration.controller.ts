import { Body, Controller, Header, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Registrations } from '../application/registrations.service.js';
import { RegistrationBody, RegistrationDto } from './registration.dto.js';

/** The registrations of one network: the servers of an assistant register a client for each connection, from a few addresses. */
const LIMIT = { name: 'oauth registrations', perMinute: 120 };

/** The registration of clients by themselves (RFC 7591; rule 14.3e). */
@ApiTags('OAuth')
@Controller('oauth/register')
export class RegistrationController {
  constructor(private readonly registrations: Registrations) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Register a client',
    description:
      'Makes a public client, as it describes itself, and answers its client_id (RFC 7591). No site vouches for it: people ' +
      'see its name as not verified. 404 where the operator has closed registration.',
    requires: 'public',
    limit: LIMIT,
    status: 201,
    answers: RegistrationDto,
    errors: ['NOT_FOUND'],
    oauthErrors: ['invalid_client_metadata', 'invalid_redirect_uri'],
  })
  async register(@Body() body: RegistrationBody): Promise<RegistrationDto> {
    const { app, grantTypes } = await this.registrations.register(body);
    return {
      client_id: app.id,
      client_id_issued_at: Math.floor(app.createdAt.getTime() / 1000),
      client_name: app.name,
      redirect_uris: app.redirectUris,
      grant_types: grantTypes,
      response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
      token_endpoint_auth_method: 'none',
    };
  }
}
