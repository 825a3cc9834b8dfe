import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { changedFields } from '../../kernel/change-log/changed-fields.js';
import { type Follow } from '../domain/follow.js';
import { ClosedLogs } from '../infrastructure/closed-logs.queries.js';
import { beingImported, DeparturesQueries } from '../infrastructure/departures.queries.js';
import { FollowsRepository } from '../infrastructure/follows.repository.js';

/**
 * Writes each step in the life of a follow: the row, and its entry in the followed user's change log, unless
 * that user may not see the step, because they have blocked the follower (rule 10.7i), or imports an archive (rule 12.3n).
 * Needs a unit of work.
 */
@Injectable()
export class FollowRecords {
  constructor(
    private readonly follows: FollowsRepository,
    private readonly departures: DeparturesQueries,
    private readonly closed: ClosedLogs,
    private readonly changes: ChangeLog,
  ) {}

  /**
   * The follower pays for the rows of the follow in the followed user's log, also where a block keeps them out (rule
   * 9.8h). Throws the unique violation of follows_pair when there is a pending or accepted one.
   * @throws SERVICE_UNAVAILABLE while one of the two erases the account (rule 12.4a); QUOTA_EXCEEDED at the end of the unit
   */
  async add(follow: Follow): Promise<void> {
    await this.departures.hold([follow.owner_id, follow.follower_id]);
    await this.follows.insert(follow);
    this.changes.count(follow.follower_id, { graph_bytes: bytesOfFollow(follow) });
    await this.record(follow, 'created', null);
  }

  async revise(before: Follow, after: Follow): Promise<Follow> {
    await this.follows.update(after);
    await this.record(after, 'updated', before);
    return after;
  }

  private async record(follow: Follow, action: string, before: Follow | null): Promise<void> {
    // Apps of the follower are shown what acquaintances share.
    this.changes.bumpPolicyVersion(follow.follower_id);
    const isShown = follow.status === 'accepted' || before?.status === 'accepted';
    if (!isShown && (await this.follows.isFromBlocked(follow))) return;
    if ((await this.closed.among([follow.owner_id])).size > 0) {
      if (action === 'created') throw beingImported();
      return;
    }
    this.changes.append({
      ownerId: follow.owner_id,
      entity: 'follow',
      entityId: follow.id,
      action,
      version: follow.version,
      changedFields: before && changedFields({ ...before }, { ...follow }),
      snapshot: follow,
    });
  }
}

/** The bytes that a follow counts, the same as in `follow_bytes` of the migrations. */
const bytesOfFollow = ({ message }: Follow): number => 2048 + 2 * Buffer.byteLength(message ?? '');
