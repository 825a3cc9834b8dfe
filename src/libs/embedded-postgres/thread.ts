import { Worker } from 'node:worker_threads';
import { DatabaseUnavailable } from './database-unavailable.js';
import { type Answer, type DataPlace, type Ready, type Request } from './embedded-worker.mjs';

const CHECK_EVERY_MS = 50;
/** The thread has few objects of its own; statements and answers are outside its heap. */
const LIMITS = { maxYoungGenerationSizeMb: 6 };

export type Role = 'owner' | 'guest';

interface Job {
  request: Request;
  /** The client that sent the statement; null for other jobs. */
  role: Role | null;
  isCancelled: boolean;
  resolve: (answer: Uint8Array | null) => void;
  reject: (failure: Error) => void;
}

/**
 * The embedded PostgreSQL in a thread of its own (embedded-worker.mjs), so that no statement blocks the event loop. It
 * has one session and runs one job at a time. A statement of the owner outside of a transaction is cancelled when it
 * exceeds its time limit.
 *
 * Once `failure` is set no further job is accepted: the current one resolves with the part of the answer that
 * PostgreSQL still sent, all others are rejected, and only another thread on the same files helps.
 */
export class EngineThread {
  failure: Error | null = null;
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  readonly #ended: Promise<void>;
  readonly #control = new SharedArrayBuffer(16);
  readonly #requests = new Int32Array(this.#control, 0, 1);
  readonly #transaction = new Int32Array(this.#control, 4, 1);
  readonly #log = new BigInt64Array(this.#control, 8, 1);
  readonly #waiting: Job[] = [];
  /** Jobs that need a moment without a transaction. */
  readonly #guests: Job[] = [];
  #flags: Int32Array[] = [];
  #current: Job | null = null;
  #begunAt = 0;
  #limitMs = 0;
  #isClosing = false;
  #watch: NodeJS.Timeout | null = null;

  private constructor(
    place: DataPlace,
    private readonly statementMs: number,
  ) {
    this.#worker = new Worker(new URL('./embedded-worker.mjs', import.meta.url), {
      workerData: { place, control: this.#control },
      resourceLimits: LIMITS,
    });
    this.#ready = new Promise((ready, failed) => {
      this.#worker.once('message', ({ memory, flags }: Ready) => {
        this.#flags = flags.map((index) => new Int32Array(memory, index * 4, 1));
        this.#worker.on('message', (answer: Answer) => this.#receive(answer));
        ready();
      });
      this.#worker.once('error', failed);
    });
    this.#worker.on('error', (error) => this.#fail(error));
    this.#ended = new Promise<void>((ended) => this.#worker.once('exit', ended)).then(() =>
      this.#fail(new Error('its thread has ended')),
    );
  }

  /** Starts an engine on a cluster in a directory or in memory; an empty directory gets a new cluster. */
  static async start(place: DataPlace, statementMs = Infinity): Promise<EngineThread> {
    const thread = new EngineThread(place, statementMs);
    await thread.#ready;
    thread.#rest();
    return thread;
  }

  get inTransaction(): boolean {
    return this.failure === null && Atomics.load(this.#transaction, 0) !== 0;
  }

  /** Bytes of log written since the start; always 0 in memory. Includes the log of every answered statement. */
  get walBytes(): number {
    return Number(Atomics.load(this.#log, 0));
  }

  /**
   * Runs messages of the wire protocol and returns PostgreSQL's answer to them. The answer is empty or partial if it
   * fails.
   */
  async execute(messages: Buffer, role: Role): Promise<Buffer> {
    const queue = role === 'owner' ? this.#waiting : this.#guests;
    const answer = await this.#enqueue(new Uint8Array(messages), queue, role);
    return answer === null
      ? Buffer.alloc(0)
      : Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  }

  /** Resets everything that the previous session left behind. */
  async beginSession(): Promise<void> {
    await this.#enqueue({ command: 'beginSession' }, this.#waiting);
  }

  /** Rolls back an open transaction. */
  async endSession(): Promise<void> {
    await this.#enqueue({ command: 'endSession' }, this.#waiting);
  }

  /** Sets if transactions may write, from the next one on. Refused writes fail with code 25006. */
  async setReadOnly(readOnly: boolean): Promise<void> {
    await this.#enqueue({ readOnly }, this.#guests);
  }

  /** A copy of the whole cluster, to start others from. */
  async snapshot(): Promise<Buffer> {
    return Buffer.from((await this.#enqueue({ command: 'snapshot' }, this.#guests)) as Uint8Array);
  }

  /** Milliseconds for which the owner's statement has run; 0 while it waits for another job, or without one. */
  get runningMs(): number {
    return this.#current?.role === 'owner' ? performance.now() - this.#begunAt : 0;
  }

  /**
   * Ends this role's statement with an error, as a cancel request to a server does; one that commits continues. A
   * statement that is still queued is ended when its turn comes.
   */
  cancel(role: Role): void {
    const queued = role === 'owner' ? this.#waiting : this.#guests;
    for (const job of queued) job.isCancelled ||= job.role === role;
    if (this.#current?.role === role) this.#interrupt(this.#current);
  }

  /** Shuts PostgreSQL down cleanly, or releases the files of a broken one. The current job is cancelled. */
  async close(): Promise<void> {
    this.#refuseWaiting(DatabaseUnavailable.closed());
    if (this.#current !== null) this.#interrupt(this.#current);
    this.#isClosing = true;
    this.#worker.ref();
    this.#post({ command: 'close' });
    await this.#ended;
  }

  #enqueue(request: Request, queue: Job[], role: Role | null = null): Promise<Uint8Array | null> {
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      queue.push({ request, role, isCancelled: false, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#current !== null) return;
    const guest = this.inTransaction ? undefined : this.#guests.shift();
    const job = guest ?? this.#waiting.shift();
    if (job === undefined) return this.#rest();
    this.#current = job;
    this.#begunAt = performance.now();
    this.#limitMs = this.inTransaction || job === guest ? Infinity : this.statementMs;
    this.#watch ??= setTimeout(() => this.#checkTime(), CHECK_EVERY_MS).unref();
    this.#worker.ref();
    this.#post(job.request);
  }

  /** The process stays alive only while a caller waits for an answer, not for the thread itself. */
  #rest(): void {
    if (!this.#isClosing) this.#worker.unref();
  }

  #post(request: Request): void {
    this.#worker.postMessage(request, 'buffer' in request ? [request.buffer as ArrayBuffer] : []);
    Atomics.add(this.#requests, 0, 1);
    Atomics.notify(this.#requests, 0);
  }

  #receive(message: Answer): void {
    const job = this.#current;
    this.#current = null;
    if (message !== null && 'failure' in message) {
      this.#fail(message.failure);
      job?.resolve(message.answer);
    } else {
      job?.resolve(message);
      this.#next();
    }
  }

  #checkTime(): void {
    this.#watch = null;
    if (this.#current === null) return;
    // Repeated until the answer arrives: the thread clears the flags when it begins a request, in case they are old.
    if (this.#current.isCancelled || performance.now() - this.#begunAt > this.#limitMs)
      this.#interrupt(this.#current);
    this.#watch = setTimeout(() => this.#checkTime(), CHECK_EVERY_MS).unref();
  }

  #interrupt(job: Job): void {
    job.isCancelled = true;
    for (const flag of this.#flags) Atomics.store(flag, 0, 1);
  }

  #fail(cause: unknown): void {
    this.#refuseWaiting(DatabaseUnavailable.stopped(cause));
    this.#current?.resolve(null);
    this.#current = null;
    this.#rest();
  }

  #refuseWaiting(failure: Error): void {
    this.failure ??= failure;
    for (const job of [...this.#waiting.splice(0), ...this.#guests.splice(0)]) job.reject(this.failure);
  }
}
