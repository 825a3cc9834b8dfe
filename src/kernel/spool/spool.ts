import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ensureDirectory } from '../data-directory.js';
import { newId } from '../ids.js';
import { type SpoolRoom } from './spool-room.js';

const BUFFER_BYTES = 256 * 1024;
const READ_BYTES = 64 * 1024;

/**
 * A file without a name for the time of a request, for data larger than memory. Only this process can read
 * it, and it is deleted when the process ends in any way.
 */
export class Spool {
  private length = 0;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  /** The bytes that it has in the room. */
  private held = 0;

  private constructor(
    private readonly handle: FileHandle,
    private readonly room: SpoolRoom | null,
  ) {}

  /** @param room the room for its bytes; null: all that the disk has */
  static async open(dataDir: string, room: SpoolRoom | null): Promise<Spool> {
    const folder = join(dataDir, 'spool');
    await ensureDirectory(folder);
    const path = join(folder, newId());
    const handle = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new Spool(handle, room);
  }

  /** The position of the next byte. */
  get position(): number {
    return this.length;
  }

  /** @throws TOO_MUCH_UNDER_WAY when there is no room */
  async append(bytes: Buffer): Promise<void> {
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    this.length += bytes.length;
    if (this.waitingBytes >= BUFFER_BYTES) await this.flush();
  }

  /** @throws TOO_MUCH_UNDER_WAY when there is no room */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
    const start = this.length - bytes.length;
    await this.room?.take(bytes.length);
    this.held += bytes.length;
    for (let done = 0; done < bytes.length;)
      done += (await this.handle.write(bytes, done, bytes.length - done, start + done)).bytesWritten;
  }

  /** Empties the spool and frees its space on the disk. No read may be running. */
  async clear(): Promise<void> {
    this.waiting = [];
    this.waitingBytes = 0;
    this.length = 0;
    await this.handle.truncate(0);
    this.leaveRoom();
  }

  /**
   * The bytes from `start` up to but without `end`. Not a stream of the file: destroying one closes the file,
   * in spite of `autoClose`, and another close here could meet another file with the same number.
   */
  read(start: number, end: number): Readable {
    return Readable.from(this.chunks(start, end), { objectMode: false });
  }

  /** @throws when the file ends before the buffer is full */
  async fill(buffer: Uint8Array, position: number): Promise<void> {
    for (let filled = 0; filled < buffer.length;) {
      const { bytesRead } = await this.handle.read(buffer, filled, buffer.length - filled, position + filled);
      if (bytesRead === 0) throw new Error(`the spool ends at ${position + filled}`);
      filled += bytesRead;
    }
  }

  /** Waits for running reads. */
  async close(): Promise<void> {
    await this.handle.close();
    this.leaveRoom();
  }

  private leaveRoom(): void {
    this.room?.give(this.held);
    this.held = 0;
  }

  private async *chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; at += READ_BYTES) {
      const chunk = Buffer.allocUnsafe(Math.min(READ_BYTES, end - at));
      await this.fill(chunk, at);
      yield chunk;
    }
  }
}
