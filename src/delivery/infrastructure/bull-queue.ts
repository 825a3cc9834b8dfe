import { type Queue } from 'bull';
import { DeliveryQueue } from '../application/delivery-queue.js';

/** The minimum time between two jobs of a process: one job wakes for everything that is due. */
const PAUSE_MS = 20;

/** Wakes workers of any process: one of them takes each job. Without Redis nobody is woken, and nothing is lost. */
export class BullQueue extends DeliveryQueue {
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly queue: Queue) {
    super();
    // Bull reports every lost connection; logs and health watch another connection.
    queue.on('error', () => undefined);
  }

  wake(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.add().catch(() => undefined);
    }, PAUSE_MS).unref();
  }

  onWake(work: () => Promise<void>): void {
    void this.queue.process(() => work()).catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    // Does not wait for jobs: a worker ends its own work.
    await this.queue.close(true).catch(() => undefined);
  }

  /**
   * Adds a job unless one waits: its worker will see this change as well, and jobs do not pile up without workers. Jobs
   * have different ids: with one id, a job that is under way or whose worker has died would block the next.
   */
  private async add(): Promise<void> {
    if ((await this.queue.getWaitingCount()) > 0) return;
    await this.queue.add({}, { removeOnComplete: true, removeOnFail: true });
  }
}
