import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { Locators } from '../../../kernel/http/locators.js';
import { isId } from '../../../kernel/ids.js';
import { accessOf, sees, setAccess } from '../../../privacy/index.js';
import { relationshipNotFound } from '../../common/index.js';
import { type EdgeWithEnds, isReadable } from '../domain/relationship-view.js';
import { RelationshipsQueries } from '../infrastructure/relationships.queries.js';

/**
 * Locates `:relationship_id` for the verbs `read` (both ends are readable) and `edit` (the from-node is
 * editable, rule 3.19).
 */
@Injectable()
export class RelationshipLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly relationships: RelationshipsQueries,
  ) {}

  onModuleInit(): void {
    this.locators.register('relationship', ['read', 'edit'], (request, id, verb) =>
      this.locate(request, id, verb),
    );
  }

  private async locate(request: Request, id: string, verb: 'read' | 'edit'): Promise<EdgeWithEnds> {
    const caller = accessOf(request);
    const { access, found } = isId(id)
      ? await this.relationships.reach(caller, id)
      : { access: caller, found: null };
    if (found === null || !isReadable(access, found)) throw relationshipNotFound();
    // The request for an edge between shared nodes continues with the access to their owner.
    if (access !== caller) setAccess(request, access);
    if (verb !== 'read' && !sees(access.nodes.edit, found.from)) {
      throw new DomainError('PERMISSION_DENIED', `You may not ${verb} this relationship`);
    }
    return found;
  }
}
