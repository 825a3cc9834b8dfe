import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { CommittedChanges } from '../../../kernel/change-log/committed-changes.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../../kernel/clock.js';
import { Housekeeping } from '../../../kernel/housekeeping.js';
import { requestContext } from '../../../kernel/request-context.js';
import { EmbeddingQueue } from '../infrastructure/embedding-queue.repository.js';
import { EmbeddingsClient } from '../infrastructure/embeddings-client.js';
import { EmbeddingTurns } from './embedding-turns.service.js';

/** The interval of looking for work without being woken. */
const LOOK_EVERY_MS = 1_000;
/** The same where no service is set, and vectors are only removed. */
const LOOK_SELDOM_MS = 30_000;
/** The time in which changes gather, so that they share a request. */
const GATHERING_MS = 100;
/** Owners served at the same time, each with one request: what the process holds for them is bounded. */
const MAX_SERVED = 4;

/**
 * Serves owners whose texts wait for their vectors, one turn of one request after the other. An owner is served by one
 * worker of all processes at a time, and the one who was served longest ago comes first: a large graph delays no small one.
 */
@Injectable()
export class EmbeddingWorker implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('embeddings');
  private readonly serving = new Map<string, Promise<void>>();
  private looking: Promise<void> | null = null;
  private looksAgain = false;
  private isStopping = false;
  private timer: NodeJS.Timeout | null = null;
  private gathering: NodeJS.Timeout | null = null;

  constructor(
    private readonly config: Config,
    private readonly queue: EmbeddingQueue,
    private readonly turns: EmbeddingTurns,
    private readonly client: EmbeddingsClient,
    private readonly committed: CommittedChanges,
    private readonly housekeeping: Housekeeping,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('embeddings', () => this.units.run(() => this.queue.sweep(this.clock.now())));
  }

  onApplicationBootstrap(): void {
    if (!this.config.webhookWorkers) return;
    const hasService = this.config.embeddings !== null;
    if (hasService) this.committed.listen(() => this.wake());
    const every = hasService ? LOOK_EVERY_MS : LOOK_SELDOM_MS;
    this.timer = setInterval(() => void requestContext.outside(() => this.look()), every).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.timer) clearInterval(this.timer);
    if (this.gathering) clearTimeout(this.gathering);
    // An answer of another party may take long: its texts are sent again later.
    this.client.close();
    await this.looking;
    await Promise.all(this.serving.values());
  }

  /** Starts to serve every owner with something to do. A call during a look causes one more look. */
  look(): Promise<void> {
    this.looksAgain = true;
    this.looking ??= this.lookUntilSeen().finally(() => (this.looking = null));
    return this.looking;
  }

  /** Resolves when everything that is due now has been done. Only for tests. */
  async drain(): Promise<void> {
    do {
      await this.look();
      await Promise.all(this.serving.values());
    } while (!this.isStopping && (this.isUnderWay || (await this.ready(1)).length > 0));
  }

  private get isUnderWay(): boolean {
    return this.serving.size > 0 || this.looking !== null;
  }

  private wake(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = null;
      void requestContext.outside(() => this.look());
    }, GATHERING_MS).unref();
  }

  private async lookUntilSeen(): Promise<void> {
    while (this.looksAgain && !this.isStopping && this.serving.size < MAX_SERVED) {
      this.looksAgain = false;
      const ready = await this.ready(MAX_SERVED - this.serving.size).catch((error: unknown) => {
        this.logger.error({ err: error }, 'texts are left to the next look');
        return [];
      });
      for (const ownerId of ready) this.serve(ownerId);
    }
  }

  private ready(limit: number): Promise<string[]> {
    return this.queue.ready(this.clock.now(), { limit, except: [...this.serving.keys()] });
  }

  private serve(ownerId: string): void {
    if (this.serving.has(ownerId)) return;
    // Work for one owner counts together, at the database and in slices.
    const served = requestContext
      .outside(() => this.turns.take(ownerId), `embeddings of ${ownerId}`)
      .catch((error: unknown) => {
        this.logger.error({ err: error }, 'a turn has failed');
        return false;
      })
      .then((hasWorked) => {
        const wasShort = this.serving.size >= MAX_SERVED;
        this.serving.delete(ownerId);
        if (hasWorked || wasShort) void this.look();
      });
    this.serving.set(ownerId, served);
  }
}
