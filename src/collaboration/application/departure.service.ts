import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIRMED } from '../../identity/index.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { AccountDeletionHooks } from '../../kernel/account-deletion-hooks.js';
import { Clock } from '../../kernel/clock.js';
import { requestContext } from '../../kernel/request-context.js';
import { effectiveShare } from '../../privacy/index.js';
import { shareOutline, shareTerms } from '../domain/share.js';
import { ClosedLogs } from '../infrastructure/closed-logs.queries.js';
import { DeparturesQueries, type EndedShare } from '../infrastructure/departures.queries.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { MembersService } from './members.service.js';

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
    private readonly closed: ClosedLogs,
    private readonly groups: GroupsRepository,
    private readonly members: MembersService,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.deletionHooks.register((userId) => this.leave(userId));
    this.deletionHooks.registerRemains((userId) => {
      const actor = { type: 'user', userId, appId: null } as const;
      return requestContext.run({ ...requestContext.current(), actor }, () => this.clear(userId));
    });
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
    await this.queries.endAll(userId, this.clock.now());
    await this.queries.takeWords(userId);
    return alone;
  }

  /**
   * Removes a page of the follows and shares that have ended with the account, with their entries in the logs of the
   * others, whose counters it holds. @returns true if none are left
   */
  private async clear(userId: string): Promise<boolean> {
    const freed = await this.queries.takeFollows(userId);
    this.free(freed);
    if (freed.size > 0) return false;
    const keys = await this.queries.sharesToTake(userId);
    if (keys.length === 0) return true;
    this.free(await this.queries.takeFollowsOf(userId, keys));
    const ended = await this.queries.takeShares(keys);
    const closed = await this.closed.among(ended.flatMap(({ people }) => people));
    for (const share of ended) this.recordEnd(share, closed);
    return false;
  }

  private free(bytes: ReadonlyMap<string, number>): void {
    for (const [ownerId, freed] of bytes) this.changes.count(ownerId, { graph_bytes: -freed });
  }

  private recordEnd({ people, ...share }: EndedShare, closed: ReadonlySet<string>): void {
    const snapshot = shareOutline(share, effectiveShare([shareTerms(share)]), this.clock.now());
    for (const ownerId of people.filter((id) => !closed.has(id)))
      this.changes.append({
        ownerId,
        entity: 'share',
        entityId: share.id,
        action: 'revoked',
        version: share.version,
        snapshot,
        isNeverRefused: true,
      });
  }
}
