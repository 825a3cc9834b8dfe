import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { BLOB_STORE, BlobRemovals, type BlobStore } from '../../graph/index.js';
import { Accounts, type InSession, LivingAccounts, Notices, type User } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { AccountDeletionHooks } from '../../kernel/account-deletion-hooks.js';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { ErasureQueries } from '../infrastructure/erasure.queries.js';

/** Longer than any request that was running when the account ended. */
const AFTERMATH_MS = 60 * 60 * 1000;

/** One pass over the remains of some owners: the time to stop, and the time limit for the store. */
interface Pass {
  /** True once the rest is left to the next pass. */
  isLeft: () => boolean;
  removals: BlobRemovals;
}

/**
 * The end of an account, in two steps. One unit of work ends it: from its commit on every credential is
 * invalid, in every process, and nothing can be written to its log. Then its bytes and rows are deleted, a
 * few at a time, because no statement may take a minute. Disbanded groups, which nobody can reach, end in the same way.
 * An interrupted erasure is finished by the next process that starts, or else by the hourly sweep, which also checks
 * once more, an hour later, for requests that were still running.
 */
@Injectable()
export class ErasureService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('erasure');
  private isStopping = false;
  /** Erasures that earlier processes left unfinished; resolves when they are done. */
  resumed: Promise<void> = Promise.resolve();

  constructor(
    private readonly accounts: Accounts,
    private readonly living: LivingAccounts,
    private readonly notices: Notices,
    private readonly deletionHooks: AccountDeletionHooks,
    private readonly queries: ErasureQueries,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('erasures', () => this.sweep());
  }

  onApplicationBootstrap(): void {
    this.resumed = this.sweep().catch((error: unknown) =>
      this.logger.error({ err: error }, 'unfinished erasures are left to the sweep'),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.resumed;
  }

  /** @throws UNAUTHORIZED for a wrong password; RATE_LIMITED (429) */
  async erase(caller: InSession, password: string): Promise<void> {
    const { id } = caller.user;
    const ahead = (): Promise<void> => this.ahead(id);
    await this.purgeAll(await this.accounts.withPassword({ caller, password, ahead }, () => this.end(id)));
  }

  /** Erases at the operator's request, for people who can or may no longer log in. */
  async eraseUnasked(user: User): Promise<void> {
    const ahead = (): Promise<void> => this.ahead(user.id);
    await this.purgeAll(await this.accounts.withoutPassword(user.id, () => this.end(user.id), ahead));
  }

  /** Waits for others, before anything is locked that they may wait for. */
  private async ahead(userId: string): Promise<void> {
    await this.queries.awaitImport(userId);
    await this.living.end(userId);
  }

  /**
   * Deletes all remains of ended accounts, and after an hour their records as well; what disbanded groups held, an hour
   * after their end; and the logs of deleted apps, with those apps themselves once no authorization names them.
   */
  async sweep(): Promise<void> {
    const over = new Date(this.clock.now().getTime() - AFTERMATH_MS);
    const pass: Pass = { isLeft: () => this.isStopping, removals: this.removals() };
    const disbanded = await this.queries.disbanded(over);
    await this.units.run(() => this.queries.close(disbanded, this.clock.now()));
    await this.purgeLogs(await this.queries.endedLogs(null), pass);
    for (let isDone = false; !isDone && !pass.isLeft();)
      isDone = await this.units.run(() => this.queries.forgetApps(over));
    for (const { owner_id, begun_at } of await this.queries.begun()) {
      if (this.isStopping) return;
      await this.finish(owner_id, begun_at < over, pass).catch((error: unknown) =>
        // The next owner has waited as long.
        this.logger.error({ err: error }, 'an unfinished erasure is left to the next sweep'),
      );
    }
  }

  private async finish(ownerId: string, isOver: boolean, pass: Pass): Promise<void> {
    const isWhole = await this.purge(ownerId, pass);
    if (isWhole && isOver) await this.units.run(() => this.queries.finish(ownerId));
  }

  /** @returns the owners whose rows are deleted now: the user, and groups without other members */
  private async end(userId: string): Promise<string[]> {
    await this.notices.tell(userId, { kind: 'erasure' });
    const gone = [userId, ...(await this.deletionHooks.run(userId))];
    await this.queries.close(gone, this.clock.now());
    return gone;
  }

  private async purgeAll(ownerIds: readonly string[]): Promise<void> {
    const pass: Pass = { isLeft: () => false, removals: this.removals() };
    for (const id of ownerIds) {
      await this.purgeLogs(await this.queries.endedLogs(id), pass);
      await this.purge(id, pass);
    }
  }

  private async purgeLogs(ownerIds: readonly string[], pass: Pass): Promise<void> {
    for (const id of ownerIds) await this.purgeTable('changes', id, pass);
  }

  /** @returns true if nothing is left */
  private async purge(ownerId: string, pass: Pass): Promise<boolean> {
    const isClear = await this.clear(ownerId, pass);
    await this.units.run(() => this.queries.forgetGroup(ownerId));
    let isWhole = true;
    for (const table of await this.queries.tablesWith(ownerId)) {
      if (table === 'blobs') isWhole = await this.purgeBlobs(ownerId, pass);
      else if (!(await this.purgeTable(table, ownerId, pass))) return false;
    }
    return isWhole && isClear;
  }

  /**
   * Clears what is left with others, who may be writing: that one of them cannot be reached now does not prevent an
   * erasure; the sweep tries it again. @returns true if nothing is left
   */
  private async clear(ownerId: string, { isLeft }: Pass): Promise<boolean> {
    try {
      for (let isDone = false; !isDone;) {
        if (isLeft()) return false;
        isDone = await this.units.run(() => this.deletionHooks.clear(ownerId));
      }
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'what an erased account left with others is left to the sweep');
      return false;
    }
  }

  /** @returns true if nothing is left */
  private async purgeTable(table: string, ownerId: string, { isLeft }: Pass): Promise<boolean> {
    for (let isDone = false; !isDone;) {
      if (isLeft()) return false;
      isDone = await this.units.run(() => this.queries.purge(table, ownerId));
    }
    return true;
  }

  /**
   * Deletes the bytes before their rows: after an interruption the rows still name the rest. An unavailable
   * store does not prevent an erasure; the sweep tries it again.
   */
  private async purgeBlobs(ownerId: string, { isLeft, removals }: Pass): Promise<boolean> {
    let isWhole = true;
    for (let keys = await this.queries.blobs(ownerId, null); keys.length > 0;) {
      const gone: string[] = [];
      for (const key of keys) {
        if (isLeft()) return false;
        if (await removals.remove(key)) gone.push(key);
      }
      await this.units.run(() => this.queries.forgetBlobs(ownerId, gone));
      if (removals.isGivenUp) return false;
      isWhole &&= gone.length === keys.length;
      keys = await this.queries.blobs(ownerId, keys.at(-1) as string);
    }
    return isWhole;
  }

  private removals(): BlobRemovals {
    return new BlobRemovals(this.store, (error) =>
      this.logger.warn({ err: error }, 'a blob of an erased account is left to the sweep'),
    );
  }
}
