import { Module } from '@nestjs/common';
import { GraphModule } from '../graph/index.js';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { ApprovedDisclosures } from './application/approved-disclosures.service.js';
import { BaseConflicts } from './application/base-conflicts.js';
import { EdgeDisclosures } from './application/edge-disclosures.service.js';
import { ExpectedNodes } from './application/expected-nodes.js';
import { NodeDisclosures } from './application/node-disclosures.service.js';
import { ProposalApplying } from './application/proposal-applying.service.js';
import { ProposalDisclosures } from './application/proposal-disclosures.service.js';
import { ProposalPreparation } from './application/proposal-preparation.service.js';
import { ProposalReverting } from './application/proposal-reverting.service.js';
import { ProposalSubmission } from './application/proposal-submission.service.js';
import { ProposalsService } from './application/proposals.service.js';
import { StepComparisons } from './application/step-comparisons.js';
import { StepRunner } from './application/step-runner.service.js';
import { ActionDiffs } from './http/action-diffs.presenter.js';
import { DiffNames } from './http/diff-names.presenter.js';
import { SimilarWarnings } from './http/similar-warnings.js';
import { ProposalDiffPresenter } from './http/proposal-diff.presenter.js';
import { ProposalEventsController } from './http/proposal-events.controller.js';
import { ProposalEventsPresenter } from './http/proposal-events.presenter.js';
import { ProposalReviewController } from './http/proposal-review.controller.js';
import { ProposalPresenter } from './http/proposal.presenter.js';
import { ProposalSubmissionsController } from './http/proposal-submissions.controller.js';
import { ProposalsController } from './http/proposals.controller.js';
import { ProposalsLocator } from './http/proposals.locator.js';
import { ComparedStateQueries } from './infrastructure/compared-state.queries.js';
import { EarlierStatesQueries } from './infrastructure/earlier-states.queries.js';
import { EventPositions } from './infrastructure/event-positions.js';
import { GraphChangesQueries } from './infrastructure/graph-changes.queries.js';
import { ProposalEventsQueries } from './infrastructure/proposal-events.queries.js';
import { ProposalsRepository } from './infrastructure/proposals.repository.js';

/** Changes that apps suggest and users review (rules 8). */
@Module({
  imports: [IdentityModule, PrivacyModule, GraphModule],
  // `proposals/events` comes before `proposals/:proposal_id`, which would match its word as an id.
  controllers: [
    ProposalEventsController,
    ProposalSubmissionsController,
    ProposalsController,
    ProposalReviewController,
  ],
  providers: [
    ProposalsService,
    ProposalSubmission,
    ProposalPreparation,
    ProposalApplying,
    ProposalReverting,
    ProposalDiffPresenter,
    ActionDiffs,
    DiffNames,
    SimilarWarnings,
    ProposalDisclosures,
    ApprovedDisclosures,
    EdgeDisclosures,
    NodeDisclosures,
    StepRunner,
    StepComparisons,
    BaseConflicts,
    ExpectedNodes,
    ProposalsRepository,
    ProposalEventsQueries,
    GraphChangesQueries,
    EarlierStatesQueries,
    ComparedStateQueries,
    EventPositions,
    ProposalsLocator,
    ProposalPresenter,
    ProposalEventsPresenter,
  ],
})
export class ProposalsModule {}
