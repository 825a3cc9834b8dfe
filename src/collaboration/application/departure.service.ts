import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIRMED } from '../../identity/index.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { AccountDeletionHooks } from '../../kernel/account-deletion-hooks.js';
import { DeparturesQueries } from '../infrastructure/departures.queries.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { MembersService } from './members.service.js';
import { ShareRecords } from './share-records.js';

/**
 * Ends a departing user's place among others: groups are left by their own rules (rule 10.2), shares and
 * follows end on both sides. Groups without another member are disbanded with the account, because nobody
 * could reach them.
 */
@Injectable()
export class DepartureService implements OnModuleInit {
  constructor(
    private readonly deletionHooks: AccountDeletionHooks,
    private readonly queries: DeparturesQueries,
    private readonly groups: GroupsRepository,
    private readonly members: MembersService,
    private readonly records: ShareRecords,
    private readonly changes: ChangeLog,
  ) {}

  onModuleInit(): void {
    this.deletionHooks.register((userId) => this.leave(userId));
  }

  /** @returns the groups that go with the user */
  private async leave(userId: string): Promise<string[]> {
    const alone: string[] = [];
    for (const group of await this.queries.lockGroups(userId)) {
      if (group.others === 0) {
        alone.push(group.id);
        if (group.is_active) this.changes.count(group.created_by, { groups: -1 });
      } else if (group.is_active && group.is_member)
        await this.members.remove(group.id, { userId, byUserId: userId, confirm: CONFIRMED });
      else if (group.is_member) await this.groups.removeMember(group.id, userId);
    }
    for (const [ownerId, bytes] of await this.queries.takeFollows(userId))
      this.changes.count(ownerId, { graph_bytes: -bytes });
    for (const share of await this.queries.takeShares(userId)) this.records.tellOfEnd(share, userId);
    await this.queries.takeWords(userId);
    return alone;
  }
}
