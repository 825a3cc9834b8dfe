import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { beingImported, Database } from '../../kernel/database/database.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { RESTORED } from '../domain/restored-tables.js';
import { ArchiveRowsQueries } from '../infrastructure/archive-rows.queries.js';
import { ErasureQueries } from '../infrastructure/erasure.queries.js';
import { RestoredRowsQueries } from '../infrastructure/restored-rows.queries.js';
import { notEmpty } from './archive-uploads.service.js';

/** Children before parents, the order of deletion. */
const FILLED = ['carried_names', 'blobs', ...RESTORED.map(({ table }) => table)].reverse();

/**
 * Imports that are written by several transactions (ADR 37). The account is marked and closed from the first
 * to the last of them: its owner is refused, nobody writes to its log, and every row of an import that fails
 * is deleted, by the next process if necessary.
 */
@Injectable()
export class UnfinishedImports implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('import');
  /** Accounts that an import of this process is filling. */
  private readonly underWay = new Set<string>();
  private sweeping: Promise<void> | null = null;
  private isStopping = false;
  /** Resolves when the unfinished imports of earlier processes are deleted. */
  resumed: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly stored: ArchiveRowsQueries,
    private readonly rows: RestoredRowsQueries,
    private readonly removals: ErasureQueries,
    private readonly units: UnitOfWork,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('unfinished imports', () => this.sweep());
  }

  /** Runs before the first request, so that no request sees half of an account. */
  async onApplicationBootstrap(): Promise<void> {
    for (const id of await this.rows.beingFilled()) this.database.setAside(id);
    this.resumed = this.sweep().catch((error: unknown) =>
      this.logger.error({ err: error }, 'an unfinished import is left to the sweep'),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.resumed;
  }

  /**
   * Marks an empty account. A server shows nobody a part of an import, so that its owner is not set aside there.
   * @throws ACCOUNT_NOT_EMPTY, NOT_FOUND; SERVICE_UNAVAILABLE while an import has not ended, or is not
   *   deleted yet
   */
  async begin(userId: string): Promise<void> {
    const mark = () => this.slice(() => this.mark(userId));
    if (!this.database.hasOneConnection) return mark();
    this.database.refuseAside(userId);
    this.underWay.add(userId);
    this.database.setAside(userId);
    try {
      await mark();
    } catch (error) {
      this.release(userId);
      throw error;
    }
  }

  private async mark(userId: string): Promise<void> {
    await this.rows.lock(userId);
    if (!(await this.stored.isEmpty(userId))) throw notEmpty();
    await this.rows.markFilling(userId);
  }

  /**
   * Refuses reads of half of an account, for every caller: the database does not refuse all of them
   * (rule 12.3g).
   * @throws SERVICE_UNAVAILABLE while the account is marked
   */
  async refuseHalf(userId: string): Promise<void> {
    if ((await this.rows.beingFilled()).includes(userId)) throw beingImported();
  }

  /** Runs a part of an import, committed by itself, inside any unit of work. */
  slice<T>(work: () => Promise<T>): Promise<T> {
    return this.units.runSeparately(work);
  }

  /**
   * Ends an import within its last unit of work, whose commit makes it complete. The unit of an
   * Idempotency-Key commits after the import has returned; if it fails, the mark stays, and the sweep deletes
   * the rows.
   */
  async end(userId: string): Promise<void> {
    await this.rows.endFilling(userId);
    this.underWay.delete(userId);
    this.units.afterCommit(() => this.release(userId));
  }

  /**
   * Deletes everything that an import has written; nothing from an account without the mark, whose import was
   * committed although its caller may not know. The sweep deletes what cannot be deleted now.
   */
  async takeBack(userId: string): Promise<void> {
    this.underWay.add(userId);
    try {
      const marked = await this.slice(() => this.rows.beingFilled());
      if (!marked.includes(userId)) return this.release(userId);
      for (const table of FILLED)
        for (let isDone = false; !isDone;) {
          if (this.isStopping) return;
          isDone = await this.slice(() => this.removals.purgeImported(table, userId));
        }
      await this.slice(() => this.rows.endFilling(userId));
      this.release(userId);
    } catch (error) {
      this.underWay.delete(userId);
      this.logger.error({ err: error }, 'an unfinished import is left to the sweep');
    }
  }

  /**
   * Runs one sweep at a time: a second one could still delete after the first one has released the account.
   */
  private sweep(): Promise<void> {
    return (this.sweeping ??= this.takeAllBack().finally(() => (this.sweeping = null)));
  }

  private async takeAllBack(): Promise<void> {
    for (const id of await this.rows.beingFilled()) if (!this.underWay.has(id)) await this.takeBack(id);
  }

  private release(userId: string): void {
    this.underWay.delete(userId);
    this.database.release(userId);
  }
}
