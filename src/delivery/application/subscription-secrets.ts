import { Injectable } from '@nestjs/common';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { type Subscription } from '../domain/subscription.js';

const PURPOSE = 'webhook secret';

/** Seals secrets before they are stored, so that a copy of the database cannot sign. */
@Injectable()
export class SubscriptionSecrets {
  constructor(private readonly key: EncryptionKey) {}

  seal(secret: string): string {
    return this.key.seal(PURPOSE, secret);
  }

  /** The secrets that sign now: the current one, and the previous one during a rotation (rule 9.1). */
  signing({ secret, previousSecret, previousUntil }: Subscription, at: Date): [string, ...string[]] {
    const isOverlapping = previousSecret !== null && previousUntil !== null && previousUntil > at;
    const older = isOverlapping ? [this.key.unseal(PURPOSE, previousSecret)] : [];
    return [this.key.unseal(PURPOSE, secret), ...older];
  }
}
