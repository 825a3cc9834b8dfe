import { Module } from '@nestjs/common';
import { GraphModule } from '../graph/index.js';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { Comparison } from './application/comparison.service.js';
import { Cursors } from './application/cursors.service.js';
import { Feeds } from './application/feeds.service.js';
import { NodeFeed } from './application/node-feed.js';
import { Pulls } from './application/pulls.service.js';
import { Sync } from './application/sync.service.js';
import { SyncRequests } from './http/sync-request.js';
import { LongPoll } from './http/long-poll.js';
import { SyncController } from './http/sync.controller.js';
import { SyncStream } from './http/sync-stream.js';
import { LoggedEdgesQueries } from './infrastructure/logged-edges.queries.js';
import { LoggedNodesQueries } from './infrastructure/logged-nodes.queries.js';
import { LoggedTagsQueries } from './infrastructure/logged-tags.queries.js';
import { SyncPositions } from './infrastructure/sync-positions.queries.js';

/**
 * Replicas of the part of a graph that a caller can see, kept exact by cursors over the change log (rules 7.7-7.11).
 */
@Module({
  imports: [IdentityModule, PrivacyModule, GraphModule],
  controllers: [SyncController],
  providers: [
    Sync,
    Pulls,
    Comparison,
    NodeFeed,
    Feeds,
    Cursors,
    LoggedNodesQueries,
    LoggedEdgesQueries,
    LoggedTagsQueries,
    SyncPositions,
    SyncRequests,
    LongPoll,
    SyncStream,
  ],
})
export class SyncModule {}
