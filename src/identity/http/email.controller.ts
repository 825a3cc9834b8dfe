import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { EmailVerifications } from '../application/email-verifications.service.js';
import { type User } from '../domain/user.js';
import { CurrentUser } from './caller.js';
import { LetterOnItsWayDto, LinkBody } from './dto/mail.dto.js';

/** The e-mail address of an account (rule 1.21). */
@ApiTags('Accounts')
@Controller('auth/email')
export class EmailController {
  constructor(private readonly verifications: EmailVerifications) {}

  @Post('verification')
  @Endpoint({
    summary: 'Ask for a link to verify your e-mail address',
    description:
      'A letter was sent when you registered; this sends another one, at most five an hour (429), and ends the link of the ' +
      'earlier one. 409 `INVALID_STATE_TRANSITION` when the address is verified, `MAIL_NOT_CONFIGURED` where the service ' +
      'sends no letters.',
    requires: { callers: 'user' },
    status: 202,
    answers: LetterOnItsWayDto,
    errors: ['INVALID_STATE_TRANSITION', 'MAIL_NOT_CONFIGURED'],
  })
  async request(@CurrentUser() user: User): Promise<LetterOnItsWayDto> {
    await this.verifications.request(user);
    return { message: 'A letter is on its way to your e-mail address' };
  }

  @Post('verify')
  @Endpoint({
    summary: 'Verify an e-mail address by the link of a letter',
    description: 'The link is good once and for a day. Nobody has to be logged in.',
    requires: 'public',
    status: 204,
    errors: ['INVALID_LINK'],
  })
  async verify(@Body() { token }: LinkBody): Promise<void> {
    await this.verifications.verify(token);
  }
}
