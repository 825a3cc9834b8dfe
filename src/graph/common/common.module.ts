import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/index.js';
import { PrivacyModule } from '../../privacy/index.js';
import { EntityTags } from './http/entity-tags.js';

/** Words that all rooms of the graph share: records, shown forms, shapes of fields, entity tags. */
@Module({
  imports: [IdentityModule, PrivacyModule],
  providers: [EntityTags],
  exports: [EntityTags],
})
export class CommonModule {}
