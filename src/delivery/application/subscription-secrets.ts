import { Injectable } from '@nestjs/common';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { type Subscription } from '../domain/subscription.js';

const PURPOSE = 'webhook secret';

/** Secrets are sealed wherever they rest: a copy of the database signs nothing. */
@Injectable()
export class SubscriptionSecrets {
  constructor(private readonly key: EncryptionKey) {}

  seal(secret: string): string {
    return this.key.seal(PURPOSE, secret);
  }

  /** What signs now: the secret, and the one before it while receivers change over (rule 9.1). */
  signing({ secret, previousSecret, previousUntil }: Subscription, at: Date): [string, ...string[]] {
    const isOverlapping = previousSecret !== null && previousUntil !== null && previousUntil > at;
    const older = isOverlapping ? [this.key.unseal(PURPOSE, previousSecret)] : [];
    return [this.key.unseal(PURPOSE, secret), ...older];
  }
}
