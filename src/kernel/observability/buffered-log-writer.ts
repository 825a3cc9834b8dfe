import { write, writeSync } from 'node:fs';

/** Lines are written when they reach this many characters … */
const ENOUGH = 32_768;
/** … or after this many milliseconds. */
const GATHERED_MS = 100;
/** The most characters that wait for a reader; later lines are dropped. */
const MOST = 8 * 1024 * 1024;
/** A reader that has not read for this many milliseconds is not waited for at the end. */
const PATIENCE_MS = 1_000;

/**
 * Writes lines to a file descriptor, many with one system call: one for each line took a tenth of a request's time. A
 * line that cannot be written is lost: neither a slow reader, a full disk nor a closed pipe delays the service.
 */
export class BufferedLogWriter {
  private text = '';
  private due: NodeJS.Timeout | null = null;
  private writingSince: number | null = null;
  /** True if lines that came during a write must be written right after it. */
  private isUrgent = false;

  constructor(private descriptor: number) {
    process.once('exit', () => this.end());
  }

  /** Writes to another file descriptor from now on; called before the first line, because a write under way would be split. */
  redirect(descriptor: number): void {
    this.descriptor = descriptor;
  }

  write(line: string): void {
    if (this.text.length > MOST) return;
    this.text += line;
    this.flushSoon();
  }

  private flushSoon(): void {
    if (this.text.length >= ENOUGH) this.flush();
    else if (this.text !== '') this.due ??= setTimeout(() => this.flush(), GATHERED_MS).unref();
  }

  /** Writes all waiting lines without waiting for more. */
  flush(): void {
    if (this.due) clearTimeout(this.due);
    this.due = null;
    this.isUrgent = this.writingSince !== null && this.text !== '';
    if (this.writingSince !== null || this.text === '') return;
    const piece = Buffer.from(this.text);
    this.text = '';
    this.send(piece);
  }

  private send(piece: Buffer): void {
    this.writingSince = performance.now();
    write(this.descriptor, piece, (error, written) => {
      const rest = piece.subarray(error ? 0 : written);
      if (error?.code === 'EAGAIN') return void setTimeout(() => this.send(rest), GATHERED_MS).unref();
      if (!error && rest.length > 0) return this.send(rest);
      this.writingSince = null;
      // Not at once, or each write would take only the few lines that came during the one before it.
      if (this.isUrgent) this.flush();
      else this.flushSoon();
    });
  }

  /** Writes the remaining lines synchronously: the process ends. */
  end(): void {
    const isStuck = this.writingSince !== null && performance.now() - this.writingSince > PATIENCE_MS;
    const left = this.text;
    this.text = '';
    if (isStuck || left === '') return;
    try {
      writeSync(this.descriptor, left);
    } catch {
      // There is no place left to report it.
    }
  }
}
