import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { type Viewer } from '../../privacy/index.js';
import { READING, type Replica } from '../domain/replica.js';
import { fromBytes, toPaddedBytes } from '../domain/replica-bytes.js';
import { type Scope } from '../domain/scope.js';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
/** Padding of cursors, so that all of a quiet graph have one length. */
const BLOCK = 64;
/** A limit far above any cursor of ours. */
const LONGEST = 32_768;

/**
 * Cursors hold their state themselves, sealed: a client can neither read nor change them. Caller and scope are sealed
 * in, so that a cursor opens for nobody else. They are valid in every process with the same ENCRYPTION_KEY and do not
 * expire, except that a release that reads rules again refuses those of apps (ADR 10).
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

  /** Null for a text that was not sealed for this caller and scope, or for an app by another reading of rules. */
  open(viewer: Viewer, scope: Scope, text: string): Replica | null {
    const bytes = Buffer.from(text.slice(0, LONGEST), 'base64url');
    // Only the text that seal() wrote: the decoder would overlook stray characters and spare bits.
    if (bytes.length <= NONCE + TAG || bytes.toString('base64url') !== text) return null;
    const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAAD(boundTo(viewer, scope)).setAuthTag(bytes.subarray(-TAG));
    try {
      const opened = fromBytes(
        Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]),
      );
      return opened !== null && isValidFor(viewer, opened) ? opened : null;
    } catch {
      return null;
    }
  }
}

/** Rules hide nothing from the owner, however they are read. */
const isValidFor = ({ appId }: Viewer, { reading }: Replica): boolean =>
  appId === null || reading === READING;

const boundTo = ({ ownerId, appId, scopes = [] }: Viewer, scope: Scope): Buffer =>
  Buffer.from([ownerId, appId ?? 'owner', ...scopes, scope.text].join(' '));
