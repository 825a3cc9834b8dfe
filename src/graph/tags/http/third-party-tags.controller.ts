import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { TagsService } from '../application/tags.service.js';
import { CreatedTagDto, ThirdPartyTagBody } from './tags.dto.js';
import { TagPresenter } from './tags.presenter.js';

/** Tags created by an app that names its user only if its key is not bound to one (rule 1.9). */
@ApiTags('Tags')
@Controller('third-party/tags')
export class ThirdPartyTagsController {
  constructor(
    private readonly tags: TagsService,
    private readonly presenter: TagPresenter,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Create a tag for the user of the key',
    description:
      'A user key names its user, and an app key with exactly one active authorization names that user; otherwise X-User-ID ' +
      'names the user.',
    requires: { callers: 'key', user: 'derived', permission: 'tags.create_new' },
    status: 201,
    answers: CreatedTagDto,
    errors: ['TAG_ALREADY_EXISTS', 'USER_REQUIRED'],
  })
  async create(@CurrentAccess() access: Access, @Body() body: ThirdPartyTagBody): Promise<CreatedTagDto> {
    return this.presenter.presentCreated(access, await this.tags.create(access, body));
  }
}
