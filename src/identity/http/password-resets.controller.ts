import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { PasswordResets } from '../application/password-resets.service.js';
import { EmailBody, LetterOnItsWayDto, ResetPasswordBody } from './dto/mail.dto.js';

/** Endpoints for people who can no longer log in (rule 1.19). */
@ApiTags('Accounts')
@Controller('auth/password')
export class PasswordResetsController {
  constructor(private readonly resets: PasswordResets) {}

  @Post('reset-request')
  @Endpoint({
    summary: 'Request a link to choose a new password',
    description:
      'The answer is the same with or without an account. An e-mail is sent to the address if it is the verified one of an ' +
      'account, at most five an hour; a newer link ends the earlier ones. 409 `MAIL_NOT_CONFIGURED` where the service ' +
      'sends no e-mails.',
    requires: 'public',
    status: 202,
    answers: LetterOnItsWayDto,
    errors: ['MAIL_NOT_CONFIGURED'],
  })
  async request(@Body() { email }: EmailBody): Promise<LetterOnItsWayDto> {
    await this.resets.request(email);
    return { message: 'If the address is the verified one of an account, an e-mail is on its way to it' };
  }

  @Post('reset')
  @Endpoint({
    summary: 'Choose a new password with the link from an e-mail',
    description:
      'The link is valid once and for an hour. Ends every log-in of the account and removes its passkeys: access tokens ' +
      'are refused from the next request on. An authenticator app stays.',
    requires: 'public',
    status: 204,
    errors: ['INVALID_LINK'],
  })
  async reset(@Body() { token, new_password }: ResetPasswordBody): Promise<void> {
    await this.resets.reset(token, new_password);
  }
}
