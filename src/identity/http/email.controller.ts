import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { EmailChanges } from '../application/email-changes.service.js';
import { EmailVerifications } from '../application/email-verifications.service.js';
import { type UserCaller } from '../domain/caller.js';
import { type User } from '../domain/user.js';
import { CurrentUser, CurrentUserCaller } from './caller.js';
import { ChangeEmailBody, LetterOnItsWayDto, LinkBody, ResetPasswordBody } from './dto/mail.dto.js';

/** The e-mail address of an account (rule 1.21). */
@ApiTags('Accounts')
@Controller('auth/email')
export class EmailController {
  constructor(
    private readonly verifications: EmailVerifications,
    private readonly changes: EmailChanges,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Request a change of your e-mail address',
    description:
      'An e-mail with a link goes to the new address, at most five an hour (429); nothing changes before the link is used. ' +
      'The answer is the same for a free and a taken address. A newer request and a new password end the link. 409 ' +
      '`MAIL_NOT_CONFIGURED` where the service sends no mail.',
    requires: { callers: 'user', stepUp: 'always' },
    status: 202,
    answers: LetterOnItsWayDto,
    errors: ['MAIL_NOT_CONFIGURED'],
  })
  async change(
    @CurrentUserCaller() caller: UserCaller,
    @Body() { email, password }: ChangeEmailBody,
  ): Promise<LetterOnItsWayDto> {
    await this.changes.request(caller, email, password);
    return { message: 'An e-mail is on its way to the new e-mail address' };
  }

  @Post('confirm')
  @Endpoint({
    summary: 'Change the e-mail address with the link from an e-mail',
    description:
      'The link is valid once and for a day. The address is the verified one of the account from now on, and the old one ' +
      'is sent an e-mail; if it was verified, with a link for POST /auth/email/undo. 409 `EMAIL_EXISTS` when another account ' +
      'has the address, or can return to it.',
    requires: 'public',
    status: 204,
    errors: ['INVALID_LINK', 'EMAIL_EXISTS'],
  })
  async confirm(@Body() { token }: LinkBody): Promise<void> {
    await this.changes.confirm(token);
  }

  @Post('undo')
  @Endpoint({
    summary: 'Restore the old e-mail address with the link from an e-mail',
    description:
      'The link is valid once and for seven days, even if the account’s address and password have changed since. Sets a ' +
      'new password and ends every log-in and passkey, and the links of changes that came after.',
    requires: 'public',
    status: 204,
    errors: ['INVALID_LINK'],
  })
  async undo(@Body() { token, new_password }: ResetPasswordBody): Promise<void> {
    await this.changes.undo(token, new_password);
  }

  @Post('verification')
  @Endpoint({
    summary: 'Request a link to verify your e-mail address',
    description:
      'An e-mail was sent when you registered; this sends another one, at most five an hour (429), and ends the link of the ' +
      'earlier one. 409 `INVALID_STATE_TRANSITION` when the address is verified, `MAIL_NOT_CONFIGURED` where the service ' +
      'sends no e-mails.',
    requires: { callers: 'user' },
    status: 202,
    answers: LetterOnItsWayDto,
    errors: ['INVALID_STATE_TRANSITION', 'MAIL_NOT_CONFIGURED'],
  })
  async request(@CurrentUser() user: User): Promise<LetterOnItsWayDto> {
    await this.verifications.request(user);
    return { message: 'An e-mail is on its way to your e-mail address' };
  }

  @Post('verify')
  @Endpoint({
    summary: 'Verify an e-mail address with the link from an e-mail',
    description: 'The link is valid once and for a day. No log-in is needed.',
    requires: 'public',
    status: 204,
    errors: ['INVALID_LINK'],
  })
  async verify(@Body() { token }: LinkBody): Promise<void> {
    await this.verifications.verify(token);
  }
}
