import { Duplex } from 'node:stream';

/** One end of a connection inside this process: what it is sent can be read at the other end. */
class End extends Duplex {
  other!: End;
  /** Set while the other end waits for this one to read on. */
  private taken: (() => void) | null = null;

  override _read(): void {
    const taken = this.taken;
    this.taken = null;
    taken?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.other.destroyed || chunk.length === 0) return process.nextTick(done);
    this.other.taken = done;
    this.other.push(chunk);
  }

  override _final(done: () => void): void {
    if (!this.other.destroyed) this.other.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A close reaches the other end as that of a socket does.
    if (!this.other.destroyed) process.nextTick(() => this.other.destroy());
    this._read();
    done(error);
  }
}

/** Two connected streams, as `stream.duplexPair` of Node 22.6 makes them. */
export function streamPair(): [Duplex, Duplex] {
  const [one, other] = [new End(), new End()];
  one.other = other;
  other.other = one;
  return [one, other];
}
