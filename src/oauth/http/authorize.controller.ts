import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { AuthorizationRequests, UnsafeRequest } from '../application/authorization-requests.service.js';
import { type Parameters } from '../domain/authorization-request.js';
import { errorPage, errorPageOf } from './error-page.js';
import { PushBody } from './oauth.dto.js';

/** The address to which a client sends the person's browser (RFC 6749, 4.1.1; rule 14.6). */
@ApiTags('OAuth')
@Controller('oauth/authorize')
export class AuthorizeController {
  constructor(private readonly requests: AuthorizationRequests) {}

  @Get()
  @ApiQuery({ type: PushBody })
  @Endpoint({
    summary: 'Ask a person for access',
    description:
      'Sends the browser to the consent page, or back to the client with an error. An unknown client or redirect URI ' +
      'is answered by a page.',
    requires: 'public',
    status: 302,
    errorPage: errorPageOf,
  })
  async authorize(@Req() request: Request, @Res() response: Response): Promise<void> {
    // A pop-up must be able to answer the page that opened it.
    response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
    response.setHeader('Referrer-Policy', 'no-referrer');
    try {
      // Without a body, which would repeat the request.
      response
        .status(302)
        .location(await this.requests.locationOf(parametersOf(request)))
        .end();
    } catch (error) {
      if (!(error instanceof UnsafeRequest)) throw error;
      response.status(400).type('html').send(errorPage(error.message));
    }
  }
}

/** The parameters as sent; the last guard has refused those that are sent twice, and empty ones count as absent. */
function parametersOf({ query }: Request): Parameters {
  const sent = Object.entries(query).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return Object.fromEntries(sent.filter(([, value]) => value !== ''));
}
