import { Injectable } from '@nestjs/common';
import { EncryptionKey } from '../../../kernel/secrets/encryption-key.js';
import { type Access, isShownWhole, nameOfFields } from '../../../privacy/index.js';

/**
 * The shown state of something: its version, and the time of its last shown change where versions are
 * counted.
 */
interface TaggedState {
  id: string;
  version: number;
  at?: string | undefined;
}

/** Entity tags: the version, or an opaque value that changes with it for callers who are not shown it (rules 3.14, 4.1b). */
@Injectable()
export class EntityTags {
  constructor(private readonly secret: EncryptionKey) {}

  of({ id, version }: TaggedState, isShown: boolean): string {
    return isShown ? String(version) : this.secret.digest('entity-tag', `${id}:${version}`);
  }

  /**
   * The same for things shown by the rules of a profile. For a caller who is not shown all of each node the
   * tag also names those rules: under other rules the numbers are counted again, and one could repeat for
   * other contents.
   */
  ofShown(access: Access, state: TaggedState, isShown: boolean): string {
    if (isShownWhole(access)) return this.of(state, isShown);
    const { id, version, at } = state;
    const digest = this.secret.digest('entity-tag', `${id}:${version}:${at ?? ''}:${nameOfFields(access)}`);
    return isShown ? `${version}-${digest.slice(0, 16)}` : digest;
  }

  /** A tag that changes with the shown contents only. */
  ofContents(shown: object): string {
    return this.secret.digest('entity-tag', JSON.stringify(shown));
  }
}
