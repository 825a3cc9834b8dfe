import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Locators } from '../../kernel/http/locators.js';
import { isId } from '../../kernel/ids.js';
import { type Access, accessOf, sees, setAccess } from '../../privacy/index.js';
import { relationshipNotFound } from '../application/relationships.service.js';
import { type EdgeWithEnds, isReadable } from '../domain/relationship-view.js';
import { RelationshipsQueries } from '../infrastructure/relationships.queries.js';

/** Looks up `:relationship_id` for the verbs `read` (both ends are readable) and `edit` (the from-node is editable, decisions 3.19). */
@Injectable()
export class RelationshipLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly relationships: RelationshipsQueries,
  ) {}

  onModuleInit(): void {
    this.locators.register('relationship', (request, id, verb) => this.locate(request, id, verb));
  }

  private async locate(request: Request, id: string, verb: string): Promise<EdgeWithEnds> {
    const { access, found } = await this.find(request, id);
    if (found === null || !isReadable(access, found)) throw relationshipNotFound();
    if (verb !== 'read' && !sees(access.nodes.edit, found.from)) {
      throw new DomainError('PERMISSION_DENIED', `You may not ${verb} this relationship`);
    }
    return found;
  }

  /** After the own ones those between nodes that somebody shares; the request then goes on with the access to their owner. */
  private async find(request: Request, id: string): Promise<{ access: Access; found: EdgeWithEnds | null }> {
    const access = accessOf(request);
    const own = isId(id) ? await this.relationships.find(access.ownerId, id) : null;
    const received = own === null && isId(id) ? await this.relationships.findReceived(access, id) : null;
    if (received === null) return { access, found: own };
    if (isReadable(received.access, received.found)) setAccess(request, received.access);
    return received;
  }
}
