import { EventEmitter } from 'node:events';
import type { EngineThread, Role } from './thread.js';

/** AuthenticationOk, ReadyForQuery (idle): all that a client needs before its first query. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
const TERMINATE = 'X'.charCodeAt(0);
/** The first byte of a start-up packet: its length comes first and is below 2^24. Messages begin with a letter. */
const STARTUP = 0;

/**
 * A substitute for `pg`'s socket to a server: it passes on the bytes of the wire protocol and returns the engine's
 * answer as bytes. pg's own client, parser and type conversion do the rest, so that values cannot differ from those of
 * a real server. All messages of one statement are sent together.
 *
 * There is only one session. The owner's socket has it: it begins clean, and closing it rolls back an open transaction.
 * A guest's statements run between the owner's transactions; they must not begin one or leave settings behind.
 */
export class EngineSocket extends EventEmitter {
  writable = true;
  #engine: EngineThread | null = null;
  #outbox: Buffer[] = [];
  #scheduled = false;
  #isAsking = false;
  #closed = false;

  /** @param open returns the engine, and rejects when it is not available */
  constructor(
    private readonly role: Role,
    private readonly open: () => Promise<EngineThread>,
  ) {
    super();
  }

  get isOpen(): boolean {
    return !this.#closed;
  }

  connect(): this {
    this.open().then(
      (engine) => {
        if (this.#closed) return;
        this.#engine = engine;
        if (this.role === 'owner') engine.beginSession().catch(() => undefined);
        this.emit('connect');
      },
      (error: unknown) => this.destroy(error as Error),
    );
    return this;
  }

  write(chunk: Buffer, written?: () => void): boolean {
    if (chunk[0] === STARTUP) process.nextTick(() => this.emit('data', WELCOME));
    else if (chunk[0] !== TERMINATE) this.#send(chunk);
    written?.();
    return true;
  }

  end(): void {
    this.destroy();
  }

  destroy(error?: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.writable = false;
    const engine = this.#engine;
    this.#engine = null;
    if (this.#isAsking) engine?.cancel(this.role);
    if (this.role === 'owner') engine?.endSession().catch(() => undefined);
    process.nextTick(() => {
      if (error) this.emit('error', error);
      this.emit('close');
    });
  }

  /** Named as pg calls them; a socket inside the process has nothing to set and does not keep the process alive. */
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  #send(chunk: Buffer): void {
    this.#outbox.push(chunk);
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Sent once the caller's synchronous code is done.
    process.nextTick(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    this.#scheduled = false;
    const engine = this.#engine;
    if (engine === null) return;
    const messages = this.#outbox.length === 1 ? (this.#outbox[0] as Buffer) : Buffer.concat(this.#outbox);
    this.#outbox = [];
    this.#isAsking = true;
    const answer = await engine.execute(messages, this.role).catch(() => Buffer.alloc(0));
    this.#isAsking = false;
    if (this.#closed) return;
    if (answer.length > 0) this.emit('data', answer);
    if (engine.failure !== null) this.destroy(engine.failure);
  }
}
