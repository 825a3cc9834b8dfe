import { Injectable } from '@nestjs/common';
import { statfs } from 'node:fs/promises';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';

/**
 * The room for the spools of all exports and imports of this process: half of what the disk would have free without
 * them, so that they cannot fill it.
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

const noRoom = (): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    'There is no disk space for more exports and imports; try again when others have ended',
    { limit: 'process' },
  );
