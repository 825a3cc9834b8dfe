import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Locators } from '../../kernel/http/locators.js';
import { isId } from '../../kernel/ids.js';
import { accessOf } from '../../privacy/index.js';
import { tagNotFound } from '../application/tags.service.js';
import { grants, mayDiscover } from '../domain/tag-rights.js';
import { type Tag } from '../domain/tag.js';
import { TagsRepository } from '../infrastructure/tags.repository.js';

/** Looks up `:tag_id` for the verbs `read` (may know it) and `edit` (may change and delete it, decisions 4.15). */
@Injectable()
export class TagLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly tags: TagsRepository,
  ) {}

  onModuleInit(): void {
    this.locators.register('tag', (request, id, verb) => this.locate(request, id.toLowerCase(), verb));
  }

  private async locate(request: Request, id: string, verb: string): Promise<Tag> {
    const access = accessOf(request);
    const tag = isId(id) && mayDiscover(access, id) ? await this.tags.find(access.ownerId, id) : null;
    if (tag === null) throw tagNotFound();
    if (verb !== 'read' && !grants(access.tags.edit, id)) {
      throw new DomainError('PERMISSION_DENIED', `You may not ${verb} this tag`);
    }
    return tag;
  }
}
