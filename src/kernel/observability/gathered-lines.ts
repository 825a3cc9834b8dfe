import { write, writeSync } from 'node:fs';

/** Lines leave when they are so many characters … */
const ENOUGH = 32_768;
/** … or after so many milliseconds. */
const GATHERED_MS = 100;
/** Of a reader who does not read no more than so many characters are kept; later lines are dropped. */
const MOST = 8 * 1024 * 1024;
/** A reader who has not read for so many milliseconds is not waited for at the end. */
const PATIENCE_MS = 1_000;

/**
 * Lines on their way to a file descriptor, many with one system call: one for each line took a tenth of a request's time.
 * A line that cannot be written is lost: no log holds up what it tells of, nor does a full disk or a closed pipe.
 */
export class GatheredLines {
  private text = '';
  private due: NodeJS.Timeout | null = null;
  private writingSince: number | null = null;
  /** Somebody wants what came during a write to leave right after it. */
  private isUrgent = false;

  constructor(private readonly descriptor: number) {
    process.once('exit', () => this.end());
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

  /** Sends what there is without waiting for more. */
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
      // Not at once, or each write would take the few lines that came during the one before it.
      if (this.isUrgent) this.flush();
      else this.flushSoon();
    });
  }

  /** What is left when the process ends: nothing comes after it. */
  end(): void {
    const isStuck = this.writingSince !== null && performance.now() - this.writingSince > PATIENCE_MS;
    const left = this.text;
    this.text = '';
    if (isStuck || left === '') return;
    try {
      writeSync(this.descriptor, left);
    } catch {
      // There is nowhere to say it.
    }
  }
}
