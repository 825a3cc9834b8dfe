import { Body, Controller, Delete, Get, Header, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Passkeys } from '../application/passkeys.service.js';
import { type UserCaller } from '../domain/caller.js';
import { CurrentUserCaller } from './caller.js';
import {
  AddPasskeyBody,
  PasskeyCreationDto,
  PasskeyDto,
  PasskeysDto,
  RenamePasskeyBody,
} from './dto/passkeys.dto.js';
import { presentCeremony, presentPasskey } from './presenters.js';

/** A person's own passkeys (rule 1.23). */
@ApiTags('Accounts')
@Controller('auth/passkeys')
export class PasskeysController {
  constructor(private readonly passkeys: Passkeys) {}

  @Post('options')
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Begin to add a passkey',
    description: 'Nothing changes before POST /auth/passkeys, which must come within five minutes.',
    requires: { callers: 'user', stepUp: 'always' },
    answers: PasskeyCreationDto,
    errors: ['PASSKEYS_NOT_CONFIGURED', 'TOO_MANY_PASSKEYS'],
  })
  async options(@CurrentUserCaller() caller: UserCaller): Promise<PasskeyCreationDto> {
    return presentCeremony(await this.passkeys.creationOptions(caller));
  }

  @Post()
  @Endpoint({
    summary: 'Add a passkey',
    description:
      'Send the credential that the browser made. A passkey logs you in without your password and without a code. All your other ' +
      'sessions end.',
    requires: { callers: 'user', stepUp: 'always' },
    status: 201,
    answers: PasskeyDto,
    errors: ['INVALID_CHALLENGE', 'PASSKEYS_NOT_CONFIGURED', 'PASSKEY_EXISTS', 'TOO_MANY_PASSKEYS'],
  })
  async add(
    @CurrentUserCaller() caller: UserCaller,
    @Body() { name, credential }: AddPasskeyBody,
  ): Promise<PasskeyDto> {
    return presentPasskey(await this.passkeys.add(caller, { name, answer: credential }));
  }

  @Get()
  @Endpoint({
    summary: 'List your passkeys',
    description: 'All of them, at most 20.',
    requires: { callers: 'user' },
    answers: PasskeysDto,
  })
  async list(@CurrentUserCaller() { userId }: UserCaller): Promise<PasskeysDto> {
    const passkeys = await this.passkeys.listOf(userId);
    return { passkeys: passkeys.map(presentPasskey), total: passkeys.length };
  }

  @Patch(':passkey_id')
  @Endpoint({
    summary: 'Rename a passkey',
    description: 'The name is for yourself; your device keeps its own.',
    requires: { callers: 'user' },
    answers: PasskeyDto,
    errors: ['NOT_FOUND'],
  })
  async rename(
    @CurrentUserCaller() { userId }: UserCaller,
    @Param('passkey_id') id: string,
    @Body() { name }: RenamePasskeyBody,
  ): Promise<PasskeyDto> {
    return presentPasskey(await this.passkeys.rename(userId, id, name));
  }

  @Delete(':passkey_id')
  @Endpoint({
    summary: 'Remove a passkey',
    description:
      'It can no longer log in, and all your other sessions end. Your password stays. Delete it on your device as well.',
    requires: { callers: 'user', stepUp: 'always' },
    endsAccess: true,
    status: 204,
    errors: ['NOT_FOUND'],
  })
  async remove(@CurrentUserCaller() caller: UserCaller, @Param('passkey_id') id: string): Promise<void> {
    await this.passkeys.remove(caller, id);
  }
}
