import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { isForeignKeyViolation } from '../../kernel/database/violations.js';
import { LivingAccounts, type User, userNotFound, Users } from '../../identity/index.js';
import { type BlockedUser, BlockedUsersRepository } from '../infrastructure/blocked-users.repository.js';
import { DeparturesQueries } from '../infrastructure/departures.queries.js';

/** The most people whom one person can block. */
const BOUND = 10_000;

/**
 * Blocks people: nothing that they share reaches the person any longer (rule 10.7i, ADR 52). Nothing is written but
 * the list, which every reader of received shares, requests and invitations compares.
 */
@Injectable()
export class BlockedUsersService {
  constructor(
    private readonly blocked: BlockedUsersRepository,
    private readonly users: Users,
    private readonly accounts: LivingAccounts,
    private readonly departures: DeparturesQueries,
    private readonly changes: ChangeLog,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Blocks a user; one who is already blocked stays so, from the same time on.
   * @throws VALIDATION_ERROR for oneself; NOT_FOUND for an unknown user; QUOTA_EXCEEDED;
   *   SERVICE_UNAVAILABLE while that user erases the account
   */
  async block(ownerId: string, userId: string): Promise<{ blocked: BlockedUser; user: User }> {
    if (userId.toLowerCase() === ownerId) throw DomainError.validation('user_id', 'must be another user');
    const user = await this.users.get(userId.toLowerCase());
    return this.units.run(async () => {
      await this.accounts.keep(ownerId);
      await this.departures.holdBlocked(user.id);
      await this.add(ownerId, { user_id: user.id, created_at: this.clock.now() });
      const total = await this.blocked.count(ownerId);
      if (total > BOUND) throw tooMany();
      this.changes.bumpPolicyVersion(ownerId);
      return { blocked: (await this.blocked.find(ownerId, user.id)) as BlockedUser, user };
    });
  }

  async unblock(ownerId: string, { user_id }: BlockedUser): Promise<void> {
    await this.units.run(async () => {
      await this.blocked.remove(ownerId, user_id);
      this.changes.bumpPolicyVersion(ownerId);
    });
  }

  private async add(ownerId: string, blocked: BlockedUser): Promise<void> {
    try {
      await this.blocked.add(ownerId, blocked);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      throw userNotFound();
    }
  }
}

export const notBlocked = (): DomainError => new DomainError('NOT_FOUND', 'This user is not blocked');

const tooMany = (): DomainError =>
  new DomainError(
    'QUOTA_EXCEEDED',
    `You can block ${BOUND.toLocaleString('en')} users; unblock some of them`,
    {
      quota: 'blocked_users',
      limit: BOUND,
    },
  );
