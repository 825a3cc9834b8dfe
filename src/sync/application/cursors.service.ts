import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { type Viewer } from '../../privacy/index.js';
import { type Replica } from '../domain/replica.js';
import { fromBytes, toPaddedBytes } from '../domain/replica-bytes.js';
import { type Scope } from '../domain/scope.js';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
/** Cursors of a quiet graph are all of one length. */
const BLOCK = 64;
/** Far more than any cursor of ours has. */
const LONGEST = 32_768;

/**
 * Cursors hold their state themselves, sealed: who has one can neither read it nor change a bit of it. Caller and scope
 * are sealed in, so that it opens for nobody else. Good in every process with the same ENCRYPTION_KEY, for ever.
 */
@Injectable()
export class Cursors {
  private readonly key: Buffer;

  constructor(secret: EncryptionKey) {
    this.key = Buffer.from(secret.digest('sync cursors', 'key'), 'base64url');
  }

  seal(viewer: Viewer, scope: Scope, replica: Replica): string {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(boundTo(viewer, scope));
    const sealed = Buffer.concat([cipher.update(toPaddedBytes(replica, BLOCK)), cipher.final()]);
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** Null for whatever was not sealed for this caller and scope. */
  open(viewer: Viewer, scope: Scope, text: string): Replica | null {
    const bytes = Buffer.from(text.slice(0, LONGEST), 'base64url');
    // Only the one text that seal() wrote: the decoder would overlook stray characters and spare bits.
    if (bytes.length <= NONCE + TAG || bytes.toString('base64url') !== text) return null;
    const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAAD(boundTo(viewer, scope)).setAuthTag(bytes.subarray(-TAG));
    try {
      return fromBytes(Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]));
    } catch {
      return null;
    }
  }
}

const boundTo = ({ ownerId, appId }: Viewer, scope: Scope): Buffer =>
  Buffer.from(`${ownerId} ${appId ?? 'owner'} ${scope.text}`);
