import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { BLOB_STORE, type BlobStore } from '../../graph/index.js';
import { Accounts, type User } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { Departures } from '../../kernel/departures.js';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { ErasureQueries } from '../infrastructure/erasure.queries.js';

/** Longer than any request that was under way when the account ended. */
const AFTERMATH_MS = 60 * 60 * 1000;

/**
 * The end of an account, in two steps. One unit of work ends it: from its commit on every credential is worthless, in
 * every process, and nothing can be written to its log. Then its rows are taken away, a few at a time, for no statement
 * may take a minute. What is cut off is finished by the hourly sweep, which also looks once more, an hour later, for what
 * was under way.
 */
@Injectable()
export class ErasureService implements OnModuleInit {
  private readonly logger = new Logger('erasure');

  constructor(
    private readonly accounts: Accounts,
    private readonly departures: Departures,
    private readonly queries: ErasureQueries,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('erasures', () => this.sweep());
  }

  /** @throws UNAUTHORIZED for a wrong password; RATE_LIMITED (429) */
  async erase(user: User, given: { password: string; address: string }): Promise<void> {
    await this.purgeAll(await this.accounts.withPassword(user, given, () => this.end(user.id)));
  }

  /** At the word of the operator, for somebody who can or may not log in any more. */
  async eraseUnasked(user: User): Promise<void> {
    await this.purgeAll(await this.accounts.withoutPassword(user.id, () => this.end(user.id)));
  }

  /** Whatever of these owners is left; and after an hour they are forgotten, too. */
  async sweep(): Promise<void> {
    const over = new Date(this.clock.now().getTime() - AFTERMATH_MS);
    for (const { owner_id, begun_at } of await this.queries.begun()) {
      await this.purge(owner_id);
      if (begun_at < over) await this.units.run(() => this.queries.finish(owner_id));
    }
  }

  /** @returns whose rows go now: the user's, and those of groups in which nobody is left */
  private async end(userId: string): Promise<string[]> {
    const gone = [userId, ...(await this.departures.leave(userId))];
    await this.queries.close(gone, this.clock.now());
    return gone;
  }

  private async purgeAll(ownerIds: readonly string[]): Promise<void> {
    for (const id of ownerIds) await this.purge(id);
  }

  private async purge(ownerId: string): Promise<void> {
    await this.units.run(() => this.queries.forgetGroup(ownerId));
    for (const table of ErasureQueries.tables) {
      for (let isDone = false; !isDone;) {
        const outcome = await this.units.run(() => this.queries.purge(table, ownerId));
        for (const key of outcome.blobs) await this.remove(key);
        isDone = outcome.isDone;
      }
    }
  }

  /** Bytes without a row go with the next sweep of the store at the latest. */
  private async remove(key: string): Promise<void> {
    await this.store
      .remove(key)
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'a blob of an erased account is left to the sweep'),
      );
  }
}
