import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/index.js';
import { PrivacyModule } from '../../privacy/index.js';
import { CommonModule } from '../common/index.js';
import { ListsModule } from '../lists/index.js';
import { NodesModule } from '../nodes/index.js';
import { EdgeMoves } from './application/edge-moves.service.js';
import { RelationshipsService } from './application/relationships.service.js';
import { NeighborhoodController } from './http/neighborhood.controller.js';
import { NodeRelationshipsController } from './http/node-relationships.controller.js';
import { RelationshipPages } from './http/relationship-pages.js';
import { RelationshipsController } from './http/relationships.controller.js';
import { RelationshipLocator } from './http/relationships.locator.js';
import { RelationshipPresenter } from './http/relationships.presenter.js';
import { LoggedEdges } from './infrastructure/logged-edges.queries.js';
import { Neighborhoods } from './infrastructure/neighborhood.queries.js';
import { RelationshipsAsShown } from './infrastructure/relationships-as-shown.js';
import { RelationshipsQueries } from './infrastructure/relationships.queries.js';
import { RelationshipsRepository } from './infrastructure/relationships.repository.js';

/** Relationships (rule 4.16). */
@Module({
  imports: [IdentityModule, PrivacyModule, CommonModule, ListsModule, NodesModule],
  controllers: [NeighborhoodController, NodeRelationshipsController, RelationshipsController],
  providers: [
    RelationshipsService,
    RelationshipsRepository,
    RelationshipsQueries,
    LoggedEdges,
    Neighborhoods,
    RelationshipsAsShown,
    RelationshipLocator,
    RelationshipPresenter,
    RelationshipPages,
    EdgeMoves,
  ],
  exports: [
    RelationshipsService,
    RelationshipsRepository,
    RelationshipsQueries,
    RelationshipPresenter,
    LoggedEdges,
    EdgeMoves,
  ],
})
export class RelationshipsModule {}
