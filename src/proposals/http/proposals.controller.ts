import { Body, Controller, Delete, Get, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { StepUp } from '../../identity/index.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { type JsonObject } from '../../graph/index.js';
import { Located } from '../../kernel/http/locators.js';
import { pageWithinBytes } from '../../kernel/http/answers/page-within-bytes.js';
import { checkIfMatch, setEtag } from '../../kernel/http/preconditions.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { ProposalsService } from '../application/proposals.service.js';
import { type Enrichment, type Proposal, proposalWire } from '../domain/proposal.js';
import { ProposalsRepository } from '../infrastructure/proposals.repository.js';
import { statusOfApp } from './app-status.js';
import { ProposalPresenter } from './proposal.presenter.js';
import {
  AppliedProposalDto,
  ApprovedProposalDto,
  DeletedProposalDto,
  ProposalDto,
  ProposalsDto,
  RejectedProposalDto,
} from './proposals-answers.dto.js';
import {
  ApproveProposalBody,
  EnrichProposalBody,
  ProposalsQuery,
  RejectProposalBody,
} from './proposals.dto.js';

const located = (callers: Requirement['callers'], verb: string, permission?: string): Requirement => ({
  callers,
  resource: { kind: 'proposal', param: 'proposal_id', verb },
  ...(permission === undefined ? {} : { permission }),
});

/** Changes that apps suggest and users review (specification, Proposals; rules 8). */
@ApiTags('Proposals')
@Controller('proposals')
export class ProposalsController {
  constructor(
    private readonly proposals: ProposalsService,
    private readonly repository: ProposalsRepository,
    private readonly presenter: ProposalPresenter,
    private readonly stepUp: StepUp,
  ) {}

  @Get()
  @Endpoint({
    summary: 'List proposals, newest first',
    holdsNoSecret: true,
    description: 'An app receives its own for this user, the user those of all apps.',
    requires: { callers: 'any' },
    answers: ProposalsDto,
  })
  async list(@CurrentAccess() access: Access, @Query() query: ProposalsQuery): Promise<ProposalsDto> {
    const limit = query.limit ?? query.per_page;
    const offset = query.offset ?? (query.page - 1) * limit;
    const filter = { appId: access.actor.appId, status: query.status, graphView: query.graph_view };
    const { items, ...rest } = await pageWithinBytes<Proposal, JsonObject>({
      limit,
      offset,
      read: async (room) => {
        const { proposals: rows, total } = await this.repository.list(access.ownerId, { ...filter, ...room });
        return { rows, total };
      },
      show: async (proposals) => {
        await this.proposals.remember(access, proposals);
        return this.presenter.presentNamed(access, proposals.map(proposalWire));
      },
      // A proposal is shown whole to its app and to its user.
      isWhole: () => true,
    });
    const page = Math.floor(offset / limit) + 1;
    return { proposals: items as unknown as ProposalDto[], ...rest, page, per_page: limit };
  }

  @Get(':proposal_id')
  @Endpoint({
    summary: 'Get a proposal',
    holdsNoSecret: true,
    description:
      'An app sees the proposals that it made for this user; the user sees all. Others count as absent.',
    requires: located('any', 'read'),
    answers: ProposalDto,
  })
  async get(
    @CurrentAccess() access: Access,
    @Located('proposal') proposal: Proposal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProposalDto> {
    await this.proposals.remember(access, [proposal]);
    return this.present(access, proposal, response);
  }

  @Patch(':proposal_id')
  @Endpoint({
    summary: 'Enrich a proposal, or declare it ready',
    description:
      'By its app, in PENDING or READY_FOR_APPROVAL. Other content raises `revision` and makes it PENDING again, unless ' +
      'the request sets the status. A proposal that could never be applied does not become ready.',
    requires: located('key', 'edit', 'tags.propose'),
    answers: ProposalDto,
    errors: [
      'INVALID_STATE_TRANSITION',
      'PRECONDITION_FAILED',
      'NOT_FOUND',
      'NODE_NOT_FOUND',
      'LAST_TAG_REMOVAL',
      'INVALID_NODE_TYPE',
      'SCHEMA_NOT_FOUND',
    ],
    // Only the status is set: the example of approving names the submitted revision and action.
    example: { status: 'READY_FOR_APPROVAL' },
  })
  async enrich(
    @CurrentAccess() access: Access,
    @Located('proposal') located: Proposal,
    @Body() body: EnrichProposalBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProposalDto> {
    const enrichment = enrichmentOf(body);
    const precondition = (current: Proposal) => checkIfMatch(request, current.record.version);
    return this.present(
      access,
      await this.proposals.enrich(access, located, { enrichment, precondition }),
      response,
    );
  }

  @Post(':proposal_id/approve')
  @Endpoint({
    summary: 'Approve a proposal',
    description:
      'The whole, or action by action. `expected_revision` ensures that it is the revision you have reviewed. Without it the ' +
      'revision that you were last shown counts: if it was revised since, the answer is 409. With `apply` it is also applied, in ' +
      'the same transaction: if that is refused, it is not approved either.',
    requires: { ...located('user', 'approve'), stepUp: 'sometimes' },
    answers: ApprovedProposalDto,
    errors: ['INVALID_STATE_TRANSITION', 'REVISION_CONFLICT'],
  })
  async approve(
    @CurrentAccess() access: Access,
    @Located('proposal') proposal: Proposal,
    @Body() body: ApproveProposalBody,
    @Req() request: Request,
  ): Promise<ApprovedProposalDto> {
    const approval = {
      approved: body.approved_actions,
      rejected: body.rejected_actions,
      expectedRevision: body.expected_revision,
      message: body.message ?? null,
      confirm: this.stepUp.confirmation(request),
    };
    if (body.apply) {
      const applied = await this.proposals.approveAndApply(access, proposal, approval);
      const outcome = await this.presenter.presentOutcome(access, applied, 'approved and applied proposal');
      return outcome as unknown as ApprovedProposalDto;
    }
    const { record } = await this.proposals.approve(access, proposal, approval);
    return { status: record.status, message: record.message ?? 'Proposal approved' };
  }

  @Post(':proposal_id/reject')
  @Endpoint({
    summary: 'Reject a proposal',
    description:
      'By the user for whom it was made, until it is applied: rejecting an approved one takes the approval back. Nothing of it is applied.',
    requires: located('user', 'reject'),
    answers: RejectedProposalDto,
    errors: ['INVALID_STATE_TRANSITION'],
  })
  async reject(
    @CurrentAccess() access: Access,
    @Located('proposal') { id }: Proposal,
    @Body() { reason }: RejectProposalBody,
  ): Promise<RejectedProposalDto> {
    const { record } = await this.proposals.reject(access, id, reason ?? null);
    return { status: record.status, message: 'Proposal rejected', id };
  }

  @Post(':proposal_id/apply')
  @Endpoint({
    summary: 'Apply an approved proposal',
    description:
      'Once, by its app or the user, with the authority of the user. Actions that cannot be applied are listed in `errors` and undo ' +
      'only those about the same nodes that show something together with them; FAILED when nothing could be applied.',
    requires: located('any', 'apply', 'tags.propose'),
    answers: AppliedProposalDto,
    errors: ['PROPOSAL_NOT_APPROVED'],
  })
  async apply(
    @CurrentAccess() access: Access,
    @Located('proposal') proposal: Proposal,
  ): Promise<AppliedProposalDto> {
    const applied = await this.proposals.apply(access, proposal);
    const outcome = await this.presenter.presentOutcome(access, applied, 'applied proposal');
    return outcome as unknown as AppliedProposalDto;
  }

  @Delete(':proposal_id')
  @Endpoint({
    summary: 'Delete a proposal',
    description: 'By its app or the user; not once it is APPROVED or APPLIED.',
    requires: located('any', 'delete'),
    answers: DeletedProposalDto,
    errors: ['INVALID_STATE_TRANSITION', 'PRECONDITION_FAILED'],
  })
  async delete(
    @CurrentAccess() access: Access,
    @Located('proposal') { id }: Proposal,
    @Req() request: Request,
  ): Promise<DeletedProposalDto> {
    const precondition = (current: Proposal) => checkIfMatch(request, current.record.version);
    await this.proposals.withdraw(access, id, precondition);
    return { message: 'Proposal deleted', id };
  }

  private async present(access: Access, proposal: Proposal, response: Response): Promise<ProposalDto> {
    setEtag(response, proposal.record.version);
    return (await this.presenter.present(access, proposal)) as unknown as ProposalDto;
  }
}

/** @throws PERMISSION_DENIED for a status that an app may not set (rule 8.5) */
function enrichmentOf({ status: asked, tags, actions, ...content }: EnrichProposalBody): Enrichment {
  const status = asked === undefined ? undefined : statusOfApp(asked);
  const lists = {
    ...(tags === undefined ? {} : { tags: tags ?? [] }),
    ...(actions === undefined ? {} : { actions: actions ?? [] }),
  };
  return { status, content: { ...content, ...lists } };
}
