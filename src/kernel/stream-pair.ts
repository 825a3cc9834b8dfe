import { Duplex } from 'node:stream';

/**
 * One end of a connection inside this process: what it is sent can be read at the other end. It has the methods of a socket
 * that Node's server and the service call.
 */
class End extends Duplex {
  other!: End;
  /** Set while the other end waits for this one to read on. */
  private taken: (() => void) | null = null;
  private idleMs = 0;
  private idle: NodeJS.Timeout | undefined;

  /** Emits `timeout` after this many milliseconds without a byte in either direction; 0: never. */
  setTimeout(milliseconds: number): this {
    this.idleMs = milliseconds;
    this.active();
    return this;
  }

  /** Ends the connection as soon as everything that was written has been taken. */
  destroySoon(): void {
    if (!this.writableEnded) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    const taken = this.taken;
    this.taken = null;
    taken?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.other.destroyed || chunk.length === 0) return process.nextTick(done);
    this.other.taken = () => {
      this.active();
      done();
    };
    this.other.active();
    this.other.push(chunk);
  }

  override _final(done: () => void): void {
    if (!this.other.destroyed) this.other.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.idle);
    // A close reaches the other end as that of a socket does: behind all that was sent, or at once.
    if (!this.writableFinished && !this.other.destroyed) process.nextTick(() => this.other.destroy());
    this._read();
    done(error);
  }

  private active(): void {
    clearTimeout(this.idle);
    if (this.idleMs === 0 || this.destroyed) return;
    this.idle = setTimeout(() => this.emit('timeout'), this.idleMs).unref();
  }
}

/** Two connected streams, as `stream.duplexPair` of Node 22.6 makes them. */
export function streamPair(): [Duplex, Duplex] {
  const [one, other] = [new End(), new End()];
  one.other = other;
  other.other = one;
  return [one, other];
}
