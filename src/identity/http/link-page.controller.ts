import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { LINK_PAGE, LINK_SCRIPT } from './link-page.js';

/**
 * The page behind the links in e-mails, outside the version prefix. It is the same for everybody: secrets are
 * in fragments.
 */
@ApiTags('Accounts')
@Controller('account')
export class LinkPageController {
  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  @Endpoint({
    summary: 'Open the page behind the links in e-mails',
    description:
      'When a button is pressed, the page sends the text after `#` in the link to the endpoint of the link’s purpose.',
    requires: 'public',
    produces: 'text/html',
  })
  page(): string {
    return LINK_PAGE;
  }

  @Get('link.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  @Endpoint({
    summary: 'Get the script of the page behind the links in e-mails',
    description: 'The same for everybody.',
    requires: 'public',
    produces: 'text/javascript',
  })
  script(): string {
    return LINK_SCRIPT;
  }
}
