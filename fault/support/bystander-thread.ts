import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Report } from '../largest/bystander.js';

/** A second person who reads all the time, in a thread of their own. */
export class Bystander {
  readonly #worker: Worker;

  constructor(origin: string, pid: number) {
    this.#worker = new Worker(new URL('../largest/bystander.js', import.meta.url), {
      workerData: { origin, pid },
    });
  }

  async ready(): Promise<void> {
    await once(this.#worker, 'message');
  }

  /** Returns the observations since the previous call. */
  async report(): Promise<Report> {
    this.#worker.postMessage('report');
    return ((await once(this.#worker, 'message')) as [Report])[0];
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
