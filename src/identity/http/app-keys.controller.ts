import { Body, Controller, Delete, Get, Header, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { PageQuery } from '../../kernel/http/answers/page.js';
import { ApiKeys } from '../application/api-keys.service.js';
import { Apps } from '../application/apps.service.js';
import { type App } from '../domain/app.js';
import { CreatedKeyDto, CreateKeyBody, KeysDto } from './dto/apps.dto.js';
import { presentIssuedKey, presentKey } from './presenters.js';

const developer = (verb: string): Requirement => ({
  callers: 'user',
  resource: { kind: 'app', param: 'app_id', verb },
});

/** Keys of an app; several may be valid at once, so that one can replace another without a gap (rule 1.6). */
@ApiTags('Apps')
@Controller('apps/:app_id/keys')
export class AppKeysController {
  constructor(
    private readonly apps: Apps,
    private readonly keys: ApiKeys,
  ) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Create a key',
    description:
      'The key is shown in this answer and never again. Several can be valid at once, so that one can replace another.',
    requires: { ...developer('edit'), stepUp: 'always' },
    status: 201,
    answers: CreatedKeyDto,
    errors: ['QUOTA_EXCEEDED'],
  })
  async create(
    @Located('app') app: App,
    @Body() { name, expires_at }: CreateKeyBody,
  ): Promise<CreatedKeyDto> {
    return presentIssuedKey(await this.apps.addKey(app, { name, expiresAt: expires_at }));
  }

  @Get()
  @Endpoint({
    summary: 'List the keys of an app, without their secrets',
    description: 'For the developer of the app: beginning and last four characters of each, never the key.',
    requires: developer('read'),
    answers: KeysDto,
  })
  async list(@Located('app') app: App, @Query() page: PageQuery): Promise<KeysDto> {
    const { keys, total } = await this.keys.listOfApp(app.id, page);
    return { keys: keys.map(presentKey), total, limit: page.limit, offset: page.offset };
  }

  @Delete(':key_id')
  @Endpoint({
    summary: 'Delete a key',
    description: 'For the developer of the app. It stops working with the next request.',
    requires: developer('edit'),
    endsAccess: true,
    status: 204,
  })
  async delete(@Located('app') app: App, @Param('key_id') keyId: string): Promise<void> {
    await this.keys.revoke(app.id, keyId);
  }
}
