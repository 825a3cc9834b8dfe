import { Injectable } from '@nestjs/common';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';

/** Entity tags: the version, or an opaque value that changes with it for callers who are not shown it (decisions 4.1). */
@Injectable()
export class EntityTags {
  constructor(private readonly secret: EncryptionKey) {}

  of({ id, version }: { id: string; version: number }, isShown: boolean): string {
    return isShown ? String(version) : this.secret.digest('entity-tag', `${id}:${version}`);
  }
}
