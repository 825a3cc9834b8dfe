import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';

/**
 * Positions in one reader's events as ids: one encrypted block of 16 bytes in the shape of a UUID, half of
 * which identifies the reader. So an event's id is also its position, a position does not reveal the number
 * of events in between, and one that was made up or belongs to another reader is detected.
 */
@Injectable()
export class EventPositions {
  private readonly key: Buffer;

  constructor(private readonly secret: EncryptionKey) {
    this.key = createHash('sha256').update(secret.digest('event positions', '')).digest();
  }

  seal(reader: string, sequence: number): string {
    const block = Buffer.concat([this.markOf(reader), Buffer.alloc(8)]);
    block.writeBigUInt64BE(BigInt(sequence), 8);
    const cipher = createCipheriv('aes-256-ecb', this.key, null).setAutoPadding(false);
    const hex = Buffer.concat([cipher.update(block), cipher.final()]).toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  /** @throws INVALID_CURSOR */
  open(reader: string, position: string): number {
    if (!isId(position)) throw invalid();
    const decipher = createDecipheriv('aes-256-ecb', this.key, null).setAutoPadding(false);
    const sealed = Buffer.from(position.replaceAll('-', ''), 'hex');
    const block = Buffer.concat([decipher.update(sealed), decipher.final()]);
    if (!block.subarray(0, 8).equals(this.markOf(reader))) throw invalid();
    return Number(block.readBigUInt64BE(8));
  }

  private markOf(reader: string): Buffer {
    return Buffer.from(this.secret.digest('event reader', reader), 'base64url').subarray(0, 8);
  }
}

const invalid = (): DomainError => new DomainError('INVALID_CURSOR', '`after` is not a valid event position');
