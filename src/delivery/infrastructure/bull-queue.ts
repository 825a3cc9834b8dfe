import { type Queue } from 'bull';
import { DeliveryQueue } from '../application/delivery-queue.js';

/** So often at most a process puts a job into the queue: one wakes for everything that is due. */
const PAUSE_MS = 20;

/** Workers in any process: one of them takes each job. While Redis is away nobody is woken, and nothing is lost. */
export class BullQueue extends DeliveryQueue {
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly queue: Queue) {
    super();
    // Bull tells of every lost connection; the connection that logs and health watch is another one.
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
    // Not waiting for jobs: a worker ends its own work.
    await this.queue.close(true).catch(() => undefined);
  }

  /**
   * Whoever takes a job that waits sees this change, too; where there is no worker they do not pile up. Not by one id for
   * all jobs: then one that a worker is at already, or has died over, would keep the next one out.
   */
  private async add(): Promise<void> {
    if ((await this.queue.getWaitingCount()) > 0) return;
    await this.queue.add({}, { removeOnComplete: true, removeOnFail: true });
  }
}
