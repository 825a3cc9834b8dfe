import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { Locators } from '../../kernel/http/locators.js';
import { isId } from '../../kernel/ids.js';
import { accessOf } from '../../privacy/index.js';
import { proposalNotFound } from '../application/proposals.service.js';
import { type Proposal } from '../domain/proposal.js';
import { ProposalsRepository } from '../infrastructure/proposals.repository.js';

/** The verbs of all routes: guards decide the permission, services the state. */
const VERBS = ['read', 'edit', 'approve', 'reject', 'apply', 'delete', 'revert'];

/**
 * Looks up `:proposal_id`: an app's own for this user, the user's of all apps; others are absent (rule 8.4).
 */
@Injectable()
export class ProposalsLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly proposals: ProposalsRepository,
  ) {}

  onModuleInit(): void {
    this.locators.register('proposal', VERBS, (request, id) => this.locate(request, id));
  }

  private async locate(request: Request, id: string): Promise<Proposal> {
    const { ownerId, actor } = accessOf(request);
    const proposal = isId(id) ? await this.proposals.find(ownerId, actor.appId, id.toLowerCase()) : null;
    if (proposal === null) throw proposalNotFound();
    return proposal;
  }
}
