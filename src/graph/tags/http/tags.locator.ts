import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { Locators } from '../../../kernel/http/locators.js';
import { isId } from '../../../kernel/ids.js';
import { type Access, accessOf, setAccess } from '../../../privacy/index.js';
import { grants, mayDiscover, tagNotFound } from '../../common/index.js';
import { type Tag } from '../domain/tag.js';
import { TagsQueries } from '../infrastructure/tags.queries.js';
import { TagsRepository } from '../infrastructure/tags.repository.js';

/**
 * Locates `:tag_id` for the verbs `read` (the caller may know it) and `edit` (may change and delete it,
 * rule 4.15).
 */
@Injectable()
export class TagLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly tags: TagsRepository,
    private readonly queries: TagsQueries,
  ) {}

  onModuleInit(): void {
    this.locators.register('tag', ['read', 'edit'], (request, id, verb) =>
      this.locate(request, id.toLowerCase(), verb),
    );
  }

  private async locate(request: Request, id: string, verb: 'read' | 'edit'): Promise<Tag> {
    const { access, tag } = await this.find(request, id);
    if (tag === null) throw tagNotFound();
    if (verb !== 'read' && !grants(access.tags.edit, id)) {
      throw new DomainError('PERMISSION_DENIED', `You may not ${verb} this tag`);
    }
    return tag;
  }

  /**
   * A tag of the caller, or one on a shared node; the request then continues with the access to its owner.
   */
  private async find(request: Request, id: string): Promise<{ access: Access; tag: Tag | null }> {
    const access = accessOf(request);
    if (!isId(id)) return { access, tag: null };
    // Looked up in any case: a hidden tag would otherwise be answered sooner than an absent one.
    const found = await this.tags.find(access.ownerId, id);
    const own = mayDiscover(access, id) ? found : null;
    const received = own === null ? await this.queries.findReceived(access, id) : null;
    if (received === null) return { access, tag: own };
    setAccess(request, received.access);
    return received;
  }
}
