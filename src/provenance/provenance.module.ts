import { Module } from '@nestjs/common';
import { GraphModule } from '../graph/index.js';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { ContributionFollower } from './application/contribution-follower.js';
import { SessionsService } from './application/sessions.service.js';
import { AnalyticsController } from './http/analytics.controller.js';
import { ContributionsController } from './http/contributions.controller.js';
import { GraphSnapshotController } from './http/graph-snapshot.controller.js';
import { HistoryPresenter } from './http/history.presenter.js';
import { NodeHistoryController } from './http/node-history.controller.js';
import { SessionsController } from './http/sessions.controller.js';
import { SessionLocator } from './http/sessions.locator.js';
import { SessionsPresenter } from './http/sessions.presenter.js';
import { ContributionsQueries } from './infrastructure/contributions.queries.js';
import { ContributionStepsQueries } from './infrastructure/contribution-steps.queries.js';
import { ContributionCorrections } from './infrastructure/contribution-corrections.js';
import { GraphSnapshotQueries } from './infrastructure/graph-snapshot.queries.js';
import { HistoryQueries } from './infrastructure/history.queries.js';
import { SessionsRepository } from './infrastructure/sessions.repository.js';

/** History: authors, times and earlier states (rules 7.1-7.6). */
@Module({
  imports: [IdentityModule, PrivacyModule, GraphModule],
  controllers: [
    NodeHistoryController,
    ContributionsController,
    SessionsController,
    AnalyticsController,
    GraphSnapshotController,
  ],
  providers: [
    HistoryQueries,
    HistoryPresenter,
    ContributionsQueries,
    ContributionStepsQueries,
    ContributionCorrections,
    ContributionFollower,
    GraphSnapshotQueries,
    SessionsRepository,
    SessionsService,
    SessionsPresenter,
    SessionLocator,
  ],
})
export class ProvenanceModule {}
