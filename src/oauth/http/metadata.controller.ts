import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Config } from '../../config/config.js';
import { BASELINE, OFFLINE, SCOPES } from '../../identity/index.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { VERSION_PREFIX } from '../../kernel/http/version-prefix.js';
import { GRAPH_ACCESS } from '../domain/graph-access.js';
import { DEVICE_GRANT } from '../domain/registration.js';
import { ResourceMetadataDto, ServerMetadataDto } from './oauth.dto.js';

const CACHE = 'public, max-age=300';
const METHODS = ['none', 'client_secret_basic', 'client_secret_post'];

const RESOURCE = {
  summary: 'Describe the protected resource',
  description: 'The address that tokens are for, and the authorization server that issues them (RFC 9728).',
  requires: 'public' as const,
  answers: ResourceMetadataDto,
  oauthErrors: [],
};

/** The facts by which clients find their way (RFC 8414, RFC 9728; rule 14.1). Each address begins with PUBLIC_URL. */
@ApiTags('OAuth')
@Controller('.well-known')
export class MetadataController {
  constructor(private readonly config: Config) {}

  @Get('oauth-authorization-server')
  @Header('Cache-Control', CACHE)
  @Endpoint({
    summary: 'Describe the authorization server',
    description: 'Endpoints, grants and scopes (RFC 8414).',
    requires: 'public',
    answers: ServerMetadataDto,
    oauthErrors: [],
  })
  server(): ServerMetadataDto {
    const { publicUrl, oauth } = this.config;
    const at = (path: string): string => `${publicUrl}/oauth/${path}`;
    return {
      issuer: publicUrl,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      ...(oauth.registration === 'open' ? { registration_endpoint: at('register') } : {}),
      revocation_endpoint: at('revoke'),
      introspection_endpoint: at('introspect'),
      pushed_authorization_request_endpoint: at('par'),
      device_authorization_endpoint: at('device_authorization'),
      scopes_supported: [...SCOPES, OFFLINE],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
      token_endpoint_auth_methods_supported: METHODS,
      revocation_endpoint_auth_methods_supported: METHODS,
      introspection_endpoint_auth_methods_supported: METHODS,
      code_challenge_methods_supported: ['S256'],
      authorization_details_types_supported: [GRAPH_ACCESS],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: oauth.registration !== 'off',
      service_documentation: `${publicUrl}/docs`,
    };
  }

  /** The address alone means the MCP endpoint, to which clients connect that look there (connect.md F.4). */
  @Get('oauth-protected-resource')
  @Header('Cache-Control', CACHE)
  @Endpoint(RESOURCE)
  root(): ResourceMetadataDto {
    return this.resource('mcp');
  }

  @Get('oauth-protected-resource/mcp')
  @Header('Cache-Control', CACHE)
  @Endpoint(RESOURCE)
  mcp(): ResourceMetadataDto {
    return this.resource('mcp');
  }

  @Get('oauth-protected-resource/api/v1')
  @Header('Cache-Control', CACHE)
  @Endpoint(RESOURCE)
  api(): ResourceMetadataDto {
    return this.resource(VERSION_PREFIX);
  }

  private resource(path: string): ResourceMetadataDto {
    const { publicUrl } = this.config;
    return {
      resource: `${publicUrl}/${path}`,
      authorization_servers: [publicUrl],
      scopes_supported: [...BASELINE],
      bearer_methods_supported: ['header'],
      resource_name: 'Personal identity graph',
    };
  }
}
