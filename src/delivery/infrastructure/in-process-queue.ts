import { DeliveryQueue } from '../application/delivery-queue.js';

/** Wakes workers of this process. */
export class InProcessQueue extends DeliveryQueue {
  private work: (() => Promise<void>) | null = null;
  private isWoken = false;

  wake(): void {
    if (this.work === null || this.isWoken) return;
    this.isWoken = true;
    setImmediate(() => {
      this.isWoken = false;
      void this.work?.();
    });
  }

  onWake(work: () => Promise<void>): void {
    this.work = work;
  }

  close(): Promise<void> {
    this.work = null;
    return Promise.resolve();
  }
}
