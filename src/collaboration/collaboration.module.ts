import { Module } from '@nestjs/common';
import { GraphModule } from '../graph/index.js';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { BlockedUsersService } from './application/blocked-users.service.js';
import { ConnectionsService } from './application/connections.service.js';
import { DepartureService } from './application/departure.service.js';
import { FollowRecords } from './application/follow-records.js';
import { FollowsService } from './application/follows.service.js';
import { GroupGraphs } from './application/group-graphs.service.js';
import { GroupRecords } from './application/group-records.js';
import { GroupSharesService } from './application/group-shares.service.js';
import { GroupsService } from './application/groups.service.js';
import { InvitationsService } from './application/invitations.service.js';
import { MembersService } from './application/members.service.js';
import { ShareBounds } from './application/share-bounds.service.js';
import { ShareEnds } from './application/share-ends.service.js';
import { ShareLog } from './application/share-log.js';
import { ShareRecords } from './application/share-records.js';
import { ShareSubjects } from './application/share-subjects.js';
import { SharesService } from './application/shares.service.js';
import { BlockedUsersController } from './http/blocked-users.controller.js';
import { CollaborationLocators } from './http/collaboration.locators.js';
import { FollowsController } from './http/follows.controller.js';
import { GroupConnectionsController } from './http/group-connections.controller.js';
import { GroupGraphsController } from './http/group-graphs.controller.js';
import { GroupInvitationsController } from './http/group-invitations.controller.js';
import { GroupMembersController } from './http/group-members.controller.js';
import { GroupProfilesController } from './http/group-profiles.controller.js';
import { GroupsController } from './http/groups.controller.js';
import { GroupPresenter } from './http/group.presenter.js';
import { InvitationPresenter } from './http/invitation.presenter.js';
import { SharePresenter } from './http/share.presenter.js';
import { SharingController } from './http/sharing.controller.js';
import { BlockedUsersRepository } from './infrastructure/blocked-users.repository.js';
import { ClosedLogs } from './infrastructure/closed-logs.queries.js';
import { ConnectionsRepository } from './infrastructure/connections.repository.js';
import { DeparturesQueries } from './infrastructure/departures.queries.js';
import { FollowsRepository } from './infrastructure/follows.repository.js';
import { GroupGraphsQueries } from './infrastructure/group-graphs.queries.js';
import { GroupsRepository } from './infrastructure/groups.repository.js';
import { InvitationsRepository } from './infrastructure/invitations.repository.js';
import { ShareBoundsQueries } from './infrastructure/share-bounds.queries.js';
import { ShareEndsRepository } from './infrastructure/share-ends.repository.js';
import { SharesRepository } from './infrastructure/shares.repository.js';

/** Shares, follows and groups (rules 10). */
@Module({
  imports: [IdentityModule, PrivacyModule, GraphModule],
  controllers: [
    SharingController,
    BlockedUsersController,
    FollowsController,
    // Registered first, so that the word `invitations` is not read as a group id.
    GroupInvitationsController,
    GroupsController,
    GroupMembersController,
    GroupConnectionsController,
    GroupGraphsController,
    GroupProfilesController,
  ],
  providers: [
    SharesService,
    SharePresenter,
    ShareBounds,
    ShareBoundsQueries,
    ShareRecords,
    ShareEnds,
    ShareEndsRepository,
    ShareLog,
    ClosedLogs,
    ShareSubjects,
    SharesRepository,
    BlockedUsersService,
    BlockedUsersRepository,
    FollowsService,
    FollowRecords,
    FollowsRepository,
    GroupsService,
    GroupRecords,
    GroupSharesService,
    GroupGraphs,
    GroupGraphsQueries,
    GroupsRepository,
    MembersService,
    InvitationsService,
    InvitationPresenter,
    GroupPresenter,
    InvitationsRepository,
    ConnectionsService,
    ConnectionsRepository,
    CollaborationLocators,
    DepartureService,
    DeparturesQueries,
  ],
})
export class CollaborationModule {}
