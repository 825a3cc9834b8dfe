import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { acceptedCoding } from '../../kernel/http/answers/compression.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { ConsoleFiles } from './console-files.js';
import { isPage } from './page-paths.js';

/** The routes of this controller, outside the version prefix. */
export const CONSOLE_PATHS = ['console', 'console/assets/:file', 'console/*page'];

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The page may load and call this service alone, and be framed by nobody. Forms are sent by its script: the answer to a
 * consent leads to the app's address, which `form-action` would have to name.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The console for people, outside the version prefix and the same for everybody: its contents come from the API. */
@ApiTags('Console')
@Controller('console')
export class ConsoleController {
  constructor(private readonly files: ConsoleFiles) {}

  @Get()
  @Endpoint({
    summary: 'Open the console',
    description: 'A page for people to log in and to see, change and end what apps may do.',
    requires: 'public',
    produces: 'text/html',
  })
  home(@Req() request: Request, @Res() response: Response): void {
    this.sendPage(request, response);
  }

  @Get('assets/:file')
  @Endpoint({
    summary: 'Get a file of the console',
    description: 'Its name changes with its contents, so caches need not ask for it again.',
    requires: 'public',
    produces: 'text/javascript',
    errors: ['NOT_FOUND'],
  })
  asset(@Param('file') name: string, @Res() response: Response): void {
    const file = this.files.asset(name);
    if (file === null) throw new DomainError('NOT_FOUND', 'The console has no such file');
    const coding = acceptedCoding(response);
    response.setHeader('Content-Type', file.type);
    response.setHeader('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
    response.vary('Accept-Encoding');
    if (coding !== null) response.setHeader('Content-Encoding', coding);
    response.send(file.bytes[coding ?? 'identity']);
  }

  @Get('*page')
  @Endpoint({
    summary: 'Open a page of the console',
    description:
      'The same page as /console: its script shows what the path names. For other paths it says that there is no such ' +
      'page, with the status 404.',
    requires: 'public',
    produces: 'text/html',
    alsoStatus: 404,
  })
  page(@Req() request: Request, @Res() response: Response): void {
    if (!isPage(request.path.replace(/^\/console\/|\/$/g, ''))) response.status(404);
    this.sendPage(request, response);
  }

  private sendPage({ path }: Request, response: Response): void {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Security-Policy', POLICY);
    // An app may open the consent in a window of its own and wait for it to come back.
    response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
    response.send(this.files.pageAt(path));
  }
}
