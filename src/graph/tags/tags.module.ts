import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/index.js';
import { PrivacyModule } from '../../privacy/index.js';
import { CommonModule } from '../common/index.js';
import { ListsModule } from '../lists/index.js';
import { TagRefusals } from './application/tag-refusals.service.js';
import { TagsService } from './application/tags.service.js';
import { TagsController } from './http/tags.controller.js';
import { TagLocator } from './http/tags.locator.js';
import { TagPages } from './http/tag-pages.js';
import { TagPresenter } from './http/tags.presenter.js';
import { ThirdPartyTagsController } from './http/third-party-tags.controller.js';
import { LoggedTags } from './infrastructure/logged-tags.queries.js';
import { NodeTagNames } from './infrastructure/node-tag-names.queries.js';
import { TagNodeCounts } from './infrastructure/tag-node-counts.queries.js';
import { SharedTags } from './infrastructure/shared-tags.queries.js';
import { TagsQueries } from './infrastructure/tags.queries.js';
import { TagsRepository } from './infrastructure/tags.repository.js';

/** Tags (rules 4.14 and 4.15). */
@Module({
  imports: [IdentityModule, PrivacyModule, CommonModule, ListsModule],
  controllers: [ThirdPartyTagsController, TagsController],
  providers: [
    LoggedTags,
    NodeTagNames,
    TagsService,
    TagRefusals,
    TagsRepository,
    TagsQueries,
    SharedTags,
    TagNodeCounts,
    TagLocator,
    TagPages,
    TagPresenter,
  ],
  exports: [LoggedTags, NodeTagNames, SharedTags, TagsService, TagsQueries, TagPages, TagPresenter],
})
export class TagsModule {}
