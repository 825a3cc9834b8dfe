import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/index.js';
import { PrivacyModule } from '../../privacy/index.js';
import { CommonModule } from '../common/index.js';
import { SharedItemIndex } from './infrastructure/shared-item-index.js';
import { MergedLists } from './infrastructure/merged-lists.js';
import { NodeTotals } from './infrastructure/node-totals.js';

/** Parts of lists that merge own and received rows: filters, places, totals. */
@Module({
  imports: [IdentityModule, PrivacyModule, CommonModule],
  providers: [SharedItemIndex, MergedLists, NodeTotals],
  exports: [SharedItemIndex, MergedLists, NodeTotals],
})
export class ListsModule {}
