import { statfsSync } from 'node:fs';

/** Two files of log and the writes of a checkpoint; more than can be written between two checks. */
const RESERVE_BYTES = 48 * 1024 * 1024;
const CHECK_EVERY_MS = 500;

/**
 * Reports when the disk becomes nearly full and when it has space again. PostgreSQL stops altogether when it has no
 * space for its log, so writes must stop while some is left; reads continue.
 */
export class DiskReserve {
  readonly #timer: NodeJS.Timeout;
  #isShort = false;

  constructor(
    private readonly directory: string,
    changed: () => void,
  ) {
    this.#isShort = this.#check();
    this.#timer = setInterval(() => {
      const isShort = this.#check();
      if (isShort === this.#isShort) return;
      this.#isShort = isShort;
      process.emitWarning(
        isShort
          ? `The disk of ${directory} is full: the embedded database only reads until there is room again`
          : `The disk of ${directory} has room again: the embedded database takes writes`,
      );
      changed();
    }, CHECK_EVERY_MS).unref();
  }

  get isShort(): boolean {
    return this.#isShort;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The current state; the previous one if it cannot be read. */
  #check(): boolean {
    try {
      const { bavail, bsize } = statfsSync(this.directory);
      return bavail * bsize < RESERVE_BYTES;
    } catch {
      return this.#isShort;
    }
  }
}
