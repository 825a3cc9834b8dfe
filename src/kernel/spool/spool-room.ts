import { Injectable } from '@nestjs/common';
import { statfs } from 'node:fs/promises';
import { Config } from '../../config/config.js';
import { DomainError } from '../errors/domain-error.js';

/**
 * The room on the disk for what passes through this process: spools of exports and imports, and uploads that are not
 * complete. It is half of what the disk would have free without them, so that they cannot fill it.
 */
@Injectable()
export class SpoolRoom {
  private used = 0;

  constructor(private readonly config: Config) {}

  /** Takes room before it is written to. @throws TOO_MUCH_UNDER_WAY */
  async take(bytes: number): Promise<void> {
    const free = await this.freeBytes();
    if (this.used + bytes > free - bytes) throw noRoom();
    this.used += bytes;
  }

  give(bytes: number): void {
    this.used -= bytes;
  }

  /** The bytes that are free beside the spools. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.config.dataDir);
    return bavail * bsize;
  }
}

/** The room that is taken at a time: the disk is asked once for each step. */
const STEP_BYTES = 256 * 1024;

/** The share of the room that one file of unknown length takes. */
export class RoomShare {
  private taken = 0;
  private used = 0;

  constructor(private readonly room: SpoolRoom) {}

  /** The content, each chunk after there is room for it. @throws TOO_MUCH_UNDER_WAY */
  async *within(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      this.used += chunk.length;
      if (this.used > this.taken) {
        const step = Math.max(STEP_BYTES, this.used - this.taken);
        await this.room.take(step);
        this.taken += step;
      }
      yield chunk;
    }
  }

  leave(): void {
    this.room.give(this.taken);
    this.taken = 0;
    this.used = 0;
  }
}

const noRoom = (): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    'There is no disk space for more uploads, exports and imports; try again when others have ended',
    { limit: 'process' },
  );
