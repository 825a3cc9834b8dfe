import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HeldRows } from '../../kernel/held-rows.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { ProposalReverting } from '../application/proposal-reverting.service.js';
import { ProposalsService } from '../application/proposals.service.js';
import { countNamed } from '../domain/named-things.js';
import { type Proposal } from '../domain/proposal.js';
import { isExcerpt, ProposalDiffPresenter } from './proposal-diff.presenter.js';
import { ProposalDiffDto, ProposalDiffQuery, RevertedProposalDto } from './proposal-review.dto.js';

/** Aids for reviewing proposals, beyond the specification. */
@ApiTags('Proposals')
@Controller('proposals/:proposal_id')
export class ProposalReviewController {
  constructor(
    private readonly diffs: ProposalDiffPresenter,
    private readonly reverting: ProposalReverting,
    private readonly proposals: ProposalsService,
    private readonly held: HeldRows,
  ) {}

  @Get('diff')
  @Endpoint({
    summary: 'Compare a proposal with the current graph',
    holdsNoSecret: true,
    description:
      'Before and after for each node, field and relationship that you may read; conflicts are marked. An answer about one ' +
      'action or entity is an excerpt: an approval without `expected_revision` does not count it as shown.',
    requires: { callers: 'any', resource: { kind: 'proposal', param: 'proposal_id', verb: 'read' } },
    answers: ProposalDiffDto,
  })
  async diff(
    @CurrentAccess() access: Access,
    @Located('proposal') proposal: Proposal,
    @Query() query: ProposalDiffQuery,
  ): Promise<ProposalDiffDto> {
    if (!isExcerpt(query)) await this.proposals.remember(access, [proposal]);
    return this.diffs.present(access, proposal, query);
  }

  @Post('revert')
  @Endpoint({
    summary: 'Revert an applied proposal',
    description:
      'Writes new versions, once. Later changes by others stay and are listed in `not_undone`, field by field.',
    requires: {
      callers: 'user',
      stepUp: 'sometimes',
      resource: { kind: 'proposal', param: 'proposal_id', verb: 'revert' },
    },
    answers: RevertedProposalDto,
    errors: ['INVALID_STATE_TRANSITION'],
  })
  async revert(
    @CurrentAccess() access: Access,
    @Located('proposal') { id, steps }: Proposal,
  ): Promise<RevertedProposalDto> {
    const revert = () => this.reverting.revert(access, id);
    const { proposal, undone, notUndone } = await this.held.run(countNamed(steps), revert);
    return { status: proposal.status, message: 'Proposal undone', id, undone, not_undone: notUndone };
  }
}
