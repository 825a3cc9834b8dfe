import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { beingImported, Database } from '../../kernel/persistence/database.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { RESTORED } from '../domain/restored-tables.js';
import { ArchiveRowsQueries } from '../infrastructure/archive-rows.queries.js';
import { ErasureQueries } from '../infrastructure/erasure.queries.js';
import { RestoredRowsQueries } from '../infrastructure/restored-rows.queries.js';
import { notEmpty } from './arrivals.service.js';

/** Children before parents, as they are taken away. */
const FILLED = ['carried_names', 'blobs', ...RESTORED.map(({ table }) => table)].reverse();

/**
 * Imports that are written by several transactions (ADR 37). The account is marked and set aside from the first to the last of
 * them: its owner is refused, nobody writes to its log, and of an import that does not end well every row is taken back,
 * by the next process if need be.
 */
@Injectable()
export class UnfinishedImports implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('import');
  /** Accounts that an import of this process is filling. */
  private readonly underWay = new Set<string>();
  private sweeping: Promise<void> | null = null;
  private isStopping = false;
  /** Resolves when what processes before this one have left is taken back. */
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

  /** Before the first request: nobody is shown a half. */
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

  /** @throws ACCOUNT_NOT_EMPTY, NOT_FOUND; SERVICE_UNAVAILABLE where an import has not ended, or is not taken back yet */
  async begin(userId: string): Promise<void> {
    this.database.refuseAside(userId);
    this.underWay.add(userId);
    this.database.setAside(userId);
    try {
      await this.slice(async () => {
        await this.rows.lock(userId);
        if (!(await this.stored.isEmpty(userId))) throw notEmpty();
        await this.rows.markFilling(userId);
      });
    } catch (error) {
      this.release(userId);
      throw error;
    }
  }

  /**
   * Refuses what would read a half of an account, whoever asks: not every caller is one that the database refuses.
   * @throws SERVICE_UNAVAILABLE while the account is marked
   */
  async refuseHalf(userId: string): Promise<void> {
    if ((await this.rows.beingFilled()).includes(userId)) throw beingImported();
  }

  /** A part of an import, committed by itself, whatever unit of work encloses it. */
  slice<T>(work: () => Promise<T>): Promise<T> {
    return this.units.apart(work);
  }

  /**
   * Within the last unit of work of an import: with its commit all is there. That of an Idempotency-Key commits after the
   * import has returned; if it fails, the mark stays on, and the sweep takes the rows back.
   */
  async end(userId: string): Promise<void> {
    await this.rows.endFilling(userId);
    this.underWay.delete(userId);
    this.units.afterCommit(() => this.release(userId));
  }

  /**
   * Takes away all that an import has brought so far; nothing from an account without the mark, whose import was committed
   * although nobody learned of it. What cannot be taken away now is left to the sweep.
   */
  async takeBack(userId: string): Promise<void> {
    this.underWay.add(userId);
    try {
      const marked = await this.slice(() => this.rows.beingFilled());
      if (!marked.includes(userId)) return this.release(userId);
      for (const table of FILLED)
        for (let isDone = false; !isDone;) {
          if (this.isStopping) return;
          isDone = await this.slice(() => this.removals.purge(table, userId));
        }
      await this.slice(() => this.rows.endFilling(userId));
      this.release(userId);
    } catch (error) {
      this.underWay.delete(userId);
      this.logger.error({ err: error }, 'an unfinished import is left to the sweep');
    }
  }

  /** One at a time: a second one could go on taking away after the first one had given the account back. */
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
