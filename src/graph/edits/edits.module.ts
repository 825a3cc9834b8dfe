import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/index.js';
import { PrivacyModule } from '../../privacy/index.js';
import { CommonModule } from '../common/index.js';
import { TagsModule } from '../tags/index.js';
import { SchemasModule } from '../schemas/index.js';
import { NodesModule } from '../nodes/index.js';
import { RelationshipsModule } from '../relationships/index.js';
import { GraphImports } from './application/graph-imports.service.js';
import { OwnerEdits } from './application/owner-edits.service.js';
import { GraphImportsQueries } from './infrastructure/graph-imports.queries.js';

/** Writes for other contexts: applied proposals and imports. */
@Module({
  imports: [
    IdentityModule,
    PrivacyModule,
    CommonModule,
    TagsModule,
    SchemasModule,
    NodesModule,
    RelationshipsModule,
  ],
  providers: [GraphImports, GraphImportsQueries, OwnerEdits],
  exports: [GraphImports, OwnerEdits],
})
export class EditsModule {}
