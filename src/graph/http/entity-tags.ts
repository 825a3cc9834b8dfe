import { Injectable } from '@nestjs/common';
import { createHmac, randomBytes } from 'node:crypto';
import { Config } from '../../config/config.js';

/** Entity tags: the version, or an opaque value that changes with it for callers who are not shown it (decisions 4.1). */
@Injectable()
export class EntityTags {
  /** Of this process alone when none is configured: an entity tag then does not outlive a restart, which costs a read. */
  private readonly secret: Buffer;

  constructor(config: Config) {
    this.secret = config.encryptionKey ?? randomBytes(32);
  }

  of({ id, version }: { id: string; version: number }, isShown: boolean): string {
    if (isShown) return String(version);
    return createHmac('sha256', this.secret).update(`${id}:${version}`).digest('base64url');
  }
}
