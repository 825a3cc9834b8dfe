import { statfsSync } from 'node:fs';

/** Two files of log and what a checkpoint adds; more than can be written between two looks. */
const RESERVE_BYTES = 48 * 1024 * 1024;
const LOOK_EVERY_MS = 500;

/**
 * Tells when the disk is nearly full and when it is not any more. PostgreSQL stops altogether when it finds no
 * room for its log, so writing has to end while there is some left; then reading goes on.
 */
export class DiskReserve {
  readonly #timer: NodeJS.Timeout;
  #isShort = false;

  constructor(
    private readonly directory: string,
    changed: () => void,
  ) {
    this.#isShort = this.#look();
    this.#timer = setInterval(() => {
      const isShort = this.#look();
      if (isShort === this.#isShort) return;
      this.#isShort = isShort;
      process.emitWarning(
        isShort
          ? `The disk of ${directory} is full: the embedded database only reads until there is room again`
          : `The disk of ${directory} has room again: the embedded database takes writes`,
      );
      changed();
    }, LOOK_EVERY_MS).unref();
  }

  get isShort(): boolean {
    return this.#isShort;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** What was seen before, when nothing can be seen. */
  #look(): boolean {
    try {
      const { bavail, bsize } = statfsSync(this.directory);
      return bavail * bsize < RESERVE_BYTES;
    } catch {
      return this.#isShort;
    }
  }
}
