import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { PASSKEY_PAGE, PASSKEY_SCRIPT } from './passkey-page.js';

/**
 * The page for passkeys, outside the version prefix and the same for everybody: its contents come from the
 * API.
 */
@ApiTags('Accounts')
@Controller('account')
export class PasskeyPageController {
  @Get('passkeys')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  @Endpoint({
    summary: 'Open the page for passkeys',
    description:
      'A page for people to log in with a passkey or the password, and to add and remove passkeys.',
    requires: 'public',
    produces: 'text/html',
  })
  page(): string {
    return PASSKEY_PAGE;
  }

  @Get('passkeys.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  @Endpoint({
    summary: 'Get the script of the page for passkeys',
    description: 'The same for everybody.',
    requires: 'public',
    produces: 'text/javascript',
  })
  script(): string {
    return PASSKEY_SCRIPT;
  }
}
